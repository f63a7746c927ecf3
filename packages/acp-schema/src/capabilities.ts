import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "./extensible.js";

/** A capability without settings: its presence means yes. */
export interface Marker extends Extensible {}
export const Marker = schemaFor<Marker>()(z.looseObject({ _meta: meta }));

const flag = z.optional(z.boolean());
const marker = z.optional(Marker);

/** Which files the agent may ask the client for (version 1). */
export interface FileSystemCapabilities extends Extensible {
  readTextFile?: boolean | undefined;
  writeTextFile?: boolean | undefined;
}
export const FileSystemCapabilities = schemaFor<FileSystemCapabilities>()(
  z.looseObject({ readTextFile: flag, writeTextFile: flag, _meta: meta }),
);

/** Which kinds of config options the client shows besides selections. */
export interface ConfigOptionsCapabilities extends Extensible {
  boolean?: Marker | undefined;
}
export const ConfigOptionsCapabilities = schemaFor<ConfigOptionsCapabilities>()(
  z.looseObject({ boolean: marker, _meta: meta }),
);

/** Which updates of a session the client shows besides those that every client takes (version 1). */
export interface ClientSessionCapabilities extends Extensible {
  /** `compaction_update` and `compaction_summary_chunk`. */
  compaction?: Marker | undefined;
  configOptions?: ConfigOptionsCapabilities | undefined;
  /** `notice`. */
  notices?: Marker | undefined;
}
export const ClientSessionCapabilities = schemaFor<ClientSessionCapabilities>()(
  z.looseObject({
    compaction: marker,
    configOptions: z.optional(ConfigOptionsCapabilities),
    notices: marker,
    _meta: meta,
  }),
);

/** Which ways to sign in the client can offer besides those that the agent handles itself (version 1). */
export interface AuthCapabilities extends Extensible {
  /** Methods of the type `terminal`. */
  terminal?: boolean | undefined;
}
export const AuthCapabilities = schemaFor<AuthCapabilities>()(z.looseObject({ terminal: flag, _meta: meta }));

/** In which ways the client asks the user for more than a permission (version 1). */
export interface ElicitationCapabilities extends Extensible {
  form?: Marker | undefined;
  url?: Marker | undefined;
}
export const ElicitationCapabilities = schemaFor<ElicitationCapabilities>()(
  z.looseObject({ form: marker, url: marker, _meta: meta }),
);

/**
 * Optional features that the client offers; an absent capability means that it does not. The specification has none.
 */
export interface ClientCapabilities extends Extensible {
  fs?: FileSystemCapabilities | undefined;
  /** All methods of `terminal/`. */
  terminal?: boolean | undefined;
  session?: ClientSessionCapabilities | undefined;
  auth?: AuthCapabilities | undefined;
  elicitation?: ElicitationCapabilities | undefined;
}
export const ClientCapabilities = schemaFor<ClientCapabilities>()(
  z.looseObject({
    fs: z.optional(FileSystemCapabilities),
    terminal: flag,
    session: z.optional(ClientSessionCapabilities),
    auth: z.optional(AuthCapabilities),
    elicitation: z.optional(ElicitationCapabilities),
    _meta: meta,
  }),
);

/** Which content blocks the agent takes besides `text` and `resource_link`. */
export interface PromptCapabilities extends Extensible {
  audio?: boolean | undefined;
  image?: boolean | undefined;
  embeddedContext?: boolean | undefined;
}
export const PromptCapabilities = schemaFor<PromptCapabilities>()(
  z.looseObject({ audio: flag, image: flag, embeddedContext: flag, _meta: meta }),
);

/** Which MCP servers the agent can reach besides those on stdio. */
export interface McpCapabilities extends Extensible {
  http?: boolean | undefined;
  sse?: boolean | undefined;
}
export const McpCapabilities = schemaFor<McpCapabilities>()(z.looseObject({ http: flag, sse: flag, _meta: meta }));

/** Optional operations on sessions that the agent supports (version 1). */
export interface SessionCapabilities extends Extensible {
  list?: Marker | undefined;
  delete?: Marker | undefined;
  /** `additionalDirectories` of `session/new`, `session/load` and `session/resume`. */
  additionalDirectories?: Marker | undefined;
  resume?: Marker | undefined;
  close?: Marker | undefined;
}
export const SessionCapabilities = schemaFor<SessionCapabilities>()(
  z.looseObject({
    list: marker,
    delete: marker,
    additionalDirectories: marker,
    resume: marker,
    close: marker,
    _meta: meta,
  }),
);

/** Optional operations on accounts that the agent supports besides `authenticate` (version 1). */
export interface AgentAuthCapabilities extends Extensible {
  logout?: Marker | undefined;
}
export const AgentAuthCapabilities = schemaFor<AgentAuthCapabilities>()(z.looseObject({ logout: marker, _meta: meta }));

/** The optional features of the agent; an absent one is not supported (section 5.1). */
export interface AgentCapabilities extends Extensible {
  loadSession?: boolean | undefined;
  promptCapabilities?: PromptCapabilities | undefined;
  mcpCapabilities?: McpCapabilities | undefined;
  sessionCapabilities?: SessionCapabilities | undefined;
  auth?: AgentAuthCapabilities | undefined;
}
export const AgentCapabilities = schemaFor<AgentCapabilities>()(
  z.looseObject({
    loadSession: flag,
    promptCapabilities: z.optional(PromptCapabilities),
    mcpCapabilities: z.optional(McpCapabilities),
    sessionCapabilities: z.optional(SessionCapabilities),
    auth: z.optional(AgentAuthCapabilities),
    _meta: meta,
  }),
);
