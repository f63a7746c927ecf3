import type { Connection } from "@editwire/core";
import { type Sman, sman, smanEnvelope } from "@editwire/sman-schema";

/** The protocol of a backend's peer. */
export const backendWire = { protocol: sman, self: "backend", envelope: smanEnvelope } as const;

/** The protocol of a plugin's peer. */
export const pluginWire = { protocol: sman, self: "plugin", envelope: smanEnvelope } as const;

/** The backend's end of a connection. */
export type BackendConnection = Connection<Sman, "backend">;

/** The plugin's end of a connection. */
export type PluginConnection = Connection<Sman, "plugin">;

/** Bytes of one message: what sman's own server takes. */
export const maxMessageBytes = 10 * 1024 * 1024;

/** Where plugins dial by default. */
export const chatPath = "/ws/agent/chat";
