import { connect } from "@editwire/core";
import { sman, smanProfiles } from "@editwire/sman-schema";
import { taggedPeer } from "@editwire/peer";
import { checkNumber, checkObject, claimTransport, type SplitOptions, splitOptions } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import { failureOf } from "./failure-text.js";
import type { SmanPlugin, SmanToolOptions } from "./plugin-options.js";
import { ToolCalls } from "./tool-calls.js";
import { type PluginConnection, pluginWire } from "./wire.js";

/** Serves the tools of one plugin on any number of connections. */
export interface PluginServer {
  readonly split: SplitOptions;
  serve(transport: Transport): PluginConnection;
}

/** Checks a plugin and its options. Throws a `TypeError`; `name` is the function that got them. */
export function pluginServer(name: string, plugin: SmanPlugin, options: SmanToolOptions): PluginServer {
  checkObject(name, "the plugin", plugin);
  checkObject(name, "tools", plugin.tools);
  const split = splitOptions(name, "smanProfiles", options);
  for (const key of ["toolTimeoutMs", "maxResultBytes"] as const) checkNumber(name, key, options[key]);
  if (typeof options.projectKey !== "string" || options.projectKey === "")
    throw new TypeError(`${name}: projectKey: expected the key of the project`);
  const { profile = smanProfiles.spec, strict, maxRequests = 10_000 } = options;
  const calls = new ToolCalls(plugin.tools, options, split);
  const failure = (error: Parameters<typeof failureOf>[0]) => ({ ...failureOf(error) });
  return {
    split,
    serve(transport) {
      claimTransport(name, transport);
      const peer = taggedPeer(transport, pluginWire, { ...split.peer, maxRequests, strict, failure });
      const handlers = { ...(profile.traits.conversation ? plugin.on : {}), TOOL_CALL: calls.onConnection() };
      return connect(sman, "plugin", peer, handlers, { ...split.connect, profile });
    },
  };
}
