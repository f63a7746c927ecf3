import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { absolutePath, SessionId } from "../session-id.js";
import { V2AvailableCommand } from "./commands.js";
import { V2ConfigOption } from "./config-options.js";
import { V2ContentBlock } from "./content.js";
import { V2McpServer } from "./mcp-servers.js";

/** Instructions of the client for the model; for agents with `session.systemPrompt` (crate schema 1.20). */
export interface V2SystemPrompt extends Extensible {
  /** `append` adds to the agent's own instructions, `override` replaces them. An agent refuses any other word. */
  mode: string;
  /** Blocks of text, at least one. */
  content: V2ContentBlock[];
}
const V2SystemPrompt = schemaFor<V2SystemPrompt>()(
  z.looseObject({ mode: z.string(), content: z.array(V2ContentBlock).check(z.minLength(1)), _meta: meta }),
);

interface SessionSetup extends Extensible {
  /** The session's working directory, absolute. */
  cwd: string;
  /** Further folders that the session works in, absolute; for agents with `session.additionalDirectories`. */
  additionalDirectories?: string[] | undefined;
  mcpServers?: V2McpServer[] | undefined;
  systemPrompt?: V2SystemPrompt | undefined;
}
const setup = {
  cwd: absolutePath,
  additionalDirectories: z.optional(z.array(absolutePath)),
  mcpServers: z.optional(z.array(V2McpServer)),
  systemPrompt: z.optional(V2SystemPrompt),
  _meta: meta,
};

/** Opens a session (session-setup#creating-a-session). */
export interface V2NewSessionParams extends SessionSetup {}
export const V2NewSessionParams = schemaFor<V2NewSessionParams>()(z.looseObject(setup));

interface SessionLists extends Extensible {
  /** The settings of the session that the user can change. */
  configOptions?: V2ConfigOption[] | undefined;
  availableCommands?: V2AvailableCommand[] | undefined;
}
const lists = {
  configOptions: z.optional(z.array(V2ConfigOption)),
  availableCommands: z.optional(z.array(V2AvailableCommand)),
  _meta: meta,
};

/** The session that was opened. Updates of it may have come before. */
export interface V2NewSessionResult extends SessionLists {
  sessionId: string;
}
export const V2NewSessionResult = schemaFor<V2NewSessionResult>()(z.looseObject({ sessionId: SessionId, ...lists }));

/** The whole history is sent again. */
export interface ReplayFromStart extends Extensible {
  type: "start";
}

/** A place in the history of a type that this version does not know. An agent refuses one that it lacks. */
export interface ReplayFromUnknown extends Extensible {
  type: UnknownTag;
}

/** Takes up an earlier session (session-setup#resuming-sessions). */
export interface V2ResumeSessionParams extends SessionSetup {
  sessionId: string;
  /** Where the history begins that is sent again, before the result. Absent: nothing is sent again. */
  replayFrom?: ReplayFromStart | ReplayFromUnknown | undefined;
}
const replayFrom = openUnion<ReplayFromStart | ReplayFromUnknown>("type", {
  start: z.looseObject({ type: z.literal("start"), _meta: meta }),
});
export const V2ResumeSessionParams = schemaFor<V2ResumeSessionParams>()(
  z.looseObject({ sessionId: SessionId, ...setup, replayFrom: z.optional(replayFrom) }),
);

/** The session that was taken up. A `state_update` has come before. */
export interface V2ResumeSessionResult extends SessionLists {}
export const V2ResumeSessionResult = schemaFor<V2ResumeSessionResult>()(z.looseObject(lists));

/** Asks the agent to cancel one tool call, which advertises `capabilities.cancel`. */
export interface CancelToolCallParams extends Extensible {
  sessionId: string;
  toolCallId: string;
}
export const CancelToolCallParams = schemaFor<CancelToolCallParams>()(
  z.looseObject({ sessionId: SessionId, toolCallId: z.string(), _meta: meta }),
);

/** Asks the agent to end what runs in one of its terminals, which advertises `capabilities.cancel`. */
export interface CancelTerminalParams extends Extensible {
  sessionId: string;
  terminalId: string;
}
export const CancelTerminalParams = schemaFor<CancelTerminalParams>()(
  z.looseObject({ sessionId: SessionId, terminalId: z.string(), _meta: meta }),
);
