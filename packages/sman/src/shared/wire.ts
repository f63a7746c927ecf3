import type { Connection } from "@editwire/core";
import { type Sman, sman, smanEnvelope } from "@editwire/sman-schema";

/** What a peer of the backend must know. */
export const backendWire = { protocol: sman, self: "backend", envelope: smanEnvelope } as const;

/** What a peer of the plugin must know. */
export const pluginWire = { protocol: sman, self: "plugin", envelope: smanEnvelope } as const;

/** The backend's end of a connection. */
export type BackendConnection = Connection<Sman, "backend">;

/** The plugin's end of a connection. */
export type PluginConnection = Connection<Sman, "plugin">;

/** Bytes of one message: what sman's own server takes. */
export const maxMessageBytes = 10 * 1024 * 1024;

/** Where plugins dial by default. */
export const chatPath = "/ws/agent/chat";
