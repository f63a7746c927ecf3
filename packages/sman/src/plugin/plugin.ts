/// <reference lib="esnext.disposable" preserve="true" />
import { checkCallable, Dialer } from "@editwire/session";
import type { SmanPlugin, SmanPluginOptions } from "./options.js";
import { pluginServer } from "./server.js";
import type { PluginConnection } from "../shared/wire.js";

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
  const { dial, reconnect, onConnection } = options;
  checkCallable("createSmanPlugin", "dial", dial);
  const names = { self: "plugin", other: "backend" };
  const dialer = new Dialer<PluginConnection>({ dial, reconnect, names, onConnection, onError: server.split.onError });
  dialer.run((transport) => server.serve(transport));
  const close = (): Promise<void> => dialer.close();

  return {
    get connected() {
      return dialer.connection !== undefined;
    },
    notify: (name, params) => dialer.require(name).notify(name, params),
    close,
    [Symbol.asyncDispose]: close,
  };
}
