/// <reference lib="esnext.disposable" preserve="true" />
import { checkCallable, Dialer } from "@editwire/session";
import type { SmanPlugin, SmanPluginConnection, SmanPluginOptions } from "./api.js";
import { pluginServer } from "./server.js";
import type { PluginConnection } from "../shared/peer.js";

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
