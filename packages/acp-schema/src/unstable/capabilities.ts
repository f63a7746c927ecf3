import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import {
  AgentAuthCapabilities,
  AgentCapabilities,
  ClientCapabilities,
  Marker,
  McpCapabilities,
  SessionCapabilities,
} from "../capabilities.js";
import { type Extensible, meta } from "../extensible.js";
import { extended, type Replace } from "./extended.js";

const marker = z.optional(Marker);

/** The ways to combine a system prompt with the agent's own, besides `append`. */
export interface SystemPromptModes extends Extensible {
  /** The client's system prompt replaces the agent's own. */
  override?: Marker | undefined;
}
export const SystemPromptModes = schemaFor<SystemPromptModes>()(z.looseObject({ override: marker, _meta: meta }));

/** The agent takes system prompts, in the mode `append` and in these. */
export interface SystemPromptCapabilities extends Extensible {
  mode?: SystemPromptModes | undefined;
}
export const SystemPromptCapabilities = schemaFor<SystemPromptCapabilities>()(
  z.looseObject({ mode: z.optional(SystemPromptModes), _meta: meta }),
);

/** Operations on sessions, including the unstable ones. */
export interface UnstableSessionCapabilities extends SessionCapabilities {
  /** `systemPrompt` of the requests that open a session. */
  systemPrompt?: SystemPromptCapabilities | undefined;
  /** `session/fork`. */
  fork?: Marker | undefined;
  /** `session/archive`, `session/unarchive` and `archived` of `session/list`. */
  archive?: Marker | undefined;
  /** `session/status`. */
  status?: Marker | undefined;
  /** `session/set_title`. */
  title?: Marker | undefined;
}
export const UnstableSessionCapabilities = extended<UnstableSessionCapabilities>()(SessionCapabilities, {
  systemPrompt: z.optional(SystemPromptCapabilities),
  fork: marker,
  archive: marker,
  status: marker,
  title: marker,
});

/** Operations on accounts, including the unstable ones. */
export interface UnstableAgentAuthCapabilities extends AgentAuthCapabilities {
  /** `auth/status` and `auth/status_update`. */
  status?: Marker | undefined;
}
export const UnstableAgentAuthCapabilities = extended<UnstableAgentAuthCapabilities>()(AgentAuthCapabilities, {
  status: marker,
});

/** Which MCP servers the agent can reach, with what is unstable. */
export interface UnstableMcpCapabilities extends McpCapabilities {
  /** Servers of the type `acp`, which the client provides over the connection itself. */
  acp?: boolean | undefined;
}
export const UnstableMcpCapabilities = extended<UnstableMcpCapabilities>()(McpCapabilities, {
  acp: z.optional(z.boolean()),
});

/** The agent's capabilities, including the unstable ones. */
export interface UnstableAgentCapabilities
  extends Replace<
    AgentCapabilities,
    {
      mcpCapabilities?: UnstableMcpCapabilities | undefined;
      sessionCapabilities?: UnstableSessionCapabilities | undefined;
      auth?: UnstableAgentAuthCapabilities | undefined;
      /** All methods of `providers/`. */
      providers?: Marker | undefined;
    }
  > {}
export const UnstableAgentCapabilities = extended<UnstableAgentCapabilities>()(AgentCapabilities, {
  mcpCapabilities: z.optional(UnstableMcpCapabilities),
  sessionCapabilities: z.optional(UnstableSessionCapabilities),
  auth: z.optional(UnstableAgentAuthCapabilities),
  providers: marker,
});

/** The client's capabilities, including the unstable ones. */
export interface UnstableClientCapabilities extends ClientCapabilities {
  /** `subagent_update`, `session_message` and `session_message_chunk`. */
  subagents?: Marker | undefined;
  /** `plan_update` and `plan_removed`. */
  plan?: Marker | undefined;
}
export const UnstableClientCapabilities = extended<UnstableClientCapabilities>()(ClientCapabilities, {
  subagents: marker,
  plan: marker,
});
