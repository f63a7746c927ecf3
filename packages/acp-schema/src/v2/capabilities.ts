import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ElicitationCapabilities, Marker } from "../capabilities.js";
import { type Extensible, meta } from "../extensible.js";

const marker = z.optional(Marker);

/** Which ways to sign in the client can offer besides those that the agent handles itself. */
export interface V2AuthCapabilities extends Extensible {
  /** Methods of the type `terminal`. */
  terminal?: Marker | undefined;
}
const V2AuthCapabilities = schemaFor<V2AuthCapabilities>()(z.looseObject({ terminal: marker, _meta: meta }));

/** Optional features that the client offers. A capability is an object; an absent one means that it does not. */
export interface V2ClientCapabilities extends Extensible {
  auth?: V2AuthCapabilities | undefined;
  elicitation?: ElicitationCapabilities | undefined;
}
export const V2ClientCapabilities = schemaFor<V2ClientCapabilities>()(
  z.looseObject({
    auth: z.optional(V2AuthCapabilities),
    elicitation: z.optional(ElicitationCapabilities),
    _meta: meta,
  }),
);

/** Which content blocks the agent takes besides `text` and `resource_link`. */
export interface V2PromptCapabilities extends Extensible {
  image?: Marker | undefined;
  audio?: Marker | undefined;
  embeddedContext?: Marker | undefined;
}
const V2PromptCapabilities = schemaFor<V2PromptCapabilities>()(
  z.looseObject({ image: marker, audio: marker, embeddedContext: marker, _meta: meta }),
);

/** Which MCP servers the agent can reach. */
export interface V2McpCapabilities extends Extensible {
  stdio?: Marker | undefined;
  http?: Marker | undefined;
}
const V2McpCapabilities = schemaFor<V2McpCapabilities>()(z.looseObject({ stdio: marker, http: marker, _meta: meta }));

/** The ways to combine a system prompt with the agent's own, besides `append`. */
interface SystemPromptModes extends Extensible {
  /** The client's system prompt replaces the agent's own. */
  override?: Marker | undefined;
}

/** The agent takes system prompts, in the mode `append` and in these. */
interface SystemPromptCapabilities extends Extensible {
  mode?: SystemPromptModes | undefined;
}
const SystemPromptCapabilities = schemaFor<SystemPromptCapabilities>()(
  z.looseObject({ mode: z.optional(z.looseObject({ override: marker, _meta: meta })), _meta: meta }),
);

/** Optional operations on sessions, besides new, list, resume, close, prompt and cancel, which each agent has. */
export interface V2SessionCapabilities extends Extensible {
  prompt?: V2PromptCapabilities | undefined;
  mcp?: V2McpCapabilities | undefined;
  delete?: Marker | undefined;
  /** `additionalDirectories` of `session/new` and `session/resume`. */
  additionalDirectories?: Marker | undefined;
  /** `systemPrompt` of `session/new` and `session/resume` (crate schema 1.20). */
  systemPrompt?: SystemPromptCapabilities | undefined;
}
const V2SessionCapabilities = schemaFor<V2SessionCapabilities>()(
  z.looseObject({
    prompt: z.optional(V2PromptCapabilities),
    mcp: z.optional(V2McpCapabilities),
    delete: marker,
    additionalDirectories: marker,
    systemPrompt: z.optional(SystemPromptCapabilities),
    _meta: meta,
  }),
);

/** The optional features of the agent. A capability is an object; an absent one is not supported. */
export interface V2AgentCapabilities extends Extensible {
  /** All stable methods of `session/`, except `session/delete`. */
  session?: V2SessionCapabilities | undefined;
  /** For extensions. `authMethods` has the ways to sign in. */
  auth?: Marker | undefined;
}
export const V2AgentCapabilities = schemaFor<V2AgentCapabilities>()(
  z.looseObject({ session: z.optional(V2SessionCapabilities), auth: marker, _meta: meta }),
);
