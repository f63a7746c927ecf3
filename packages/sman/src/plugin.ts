/// <reference lib="esnext.disposable" preserve="true" />
import { WireError } from "@editwire/core";
import { checkFunction, keepDialing } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import type { SmanConnectionState, SmanPlugin, SmanPluginOptions } from "./plugin-options.js";
import { pluginServer } from "./plugin-server.js";
import type { PluginConnection } from "./wire.js";

/** A plugin that dials its backend until it is closed. */
export interface SmanPluginConnection {
  /** The backend is connected. */
  readonly connected: boolean;
  /**
   * Sends a message of the profile `v2`, such as `AGENT_CHAT`. A promise comes back only when the backend is slow.
   * Throws `WireError("not_connected")` when the backend is not connected.
   */
  notify: PluginConnection["notify"];
  /** Closes the connection. The signals of tools that run abort, and their calls are not answered. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves the tools of an IDE to the backend that `dial` reaches. Throws a `TypeError` for a plugin without `tools`, and
 * for options of the wrong type.
 */
export function createSmanPlugin(plugin: SmanPlugin, options: SmanPluginOptions): SmanPluginConnection {
  const server = pluginServer("createSmanPlugin", plugin, options);
  checkFunction("createSmanPlugin", "onConnection", options.onConnection);
  const closing = new AbortController();
  let connection: PluginConnection | undefined;

  const tell = (state: SmanConnectionState): void => {
    try {
      options.onConnection?.(state);
    } catch (error) {
      server.split.onError(error, undefined);
    }
  };

  const serve = async (transport: Transport): Promise<Error> => {
    const opened = server.serve(transport);
    connection = opened;
    if (closing.signal.aborted) await opened.close();
    else tell({ connected: true });
    const reason = await opened.closed;
    connection = undefined;
    return reason;
  };

  const running = keepDialing({
    dial: async () => options.dial(),
    serve,
    signal: closing.signal,
    reconnect: options.reconnect,
    names: { self: "plugin", other: "backend" },
    onDown: (reason, retryMs) => tell({ connected: false, reason, retryMs }),
    onFailure: (error) => server.split.onError(error, undefined),
  });

  const close = async (): Promise<void> => {
    closing.abort();
    await connection?.close();
    await running;
  };

  return {
    get connected() {
      return connection !== undefined;
    },
    notify(name, params) {
      if (connection === undefined) throw new WireError("not_connected", `${name}: the backend is not connected`);
      return connection.notify(name, params);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
