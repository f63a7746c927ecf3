import { connect } from "@editwire/core";
import { sman, smanProfiles } from "@editwire/sman-schema";
import { taggedPeer } from "@editwire/peer";
import {
  checkBinding,
  checkObject,
  checkText,
  claimTransport,
  type SplitOptions,
  splitOptions,
} from "@editwire/session";
import type { Transport } from "@editwire/transport";
import { failureOf } from "../shared/failure-text.js";
import type { SmanPlugin, SmanToolOptions } from "./api.js";
import { ToolCalls } from "./tool-calls.js";
import { type PluginConnection, pluginWire } from "../shared/peer.js";

/** Serves the tools of one plugin on any number of connections. */
export interface PluginServer {
  readonly split: SplitOptions;
  serve(transport: Transport): PluginConnection;
}

/** Throws a `TypeError` for what is not a plugin, and for wrong options. `name` is the function that got them. */
export function checkPlugin(name: string, plugin: SmanPlugin, options: SmanToolOptions): void {
  checkObject(name, "the plugin", plugin);
  checkObject(name, "tools", plugin.tools);
  checkBinding(name, "smanProfiles", options);
  checkText(name, "projectKey", options.projectKey);
}

/** Checks a plugin and its options. Throws a `TypeError`; `name` is the function that got them. */
export function pluginServer(name: string, plugin: SmanPlugin, options: SmanToolOptions): PluginServer {
  checkPlugin(name, plugin, options);
  const split = splitOptions(name, "smanProfiles", options);
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
