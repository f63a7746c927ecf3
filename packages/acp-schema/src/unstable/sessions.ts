import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ContentBlock } from "../content.js";
import { type Extensible, meta } from "../extensible.js";
import { LoadSessionParams, NewSessionParams, NewSessionResult, ResumeSessionParams } from "../session.js";
import { SessionId } from "../session-id.js";
import { ListSessionsParams, ListSessionsResult, SessionInfo } from "../session-list.js";
import { extended, type Replace } from "./extended.js";
import { UnstableMcpServer } from "./mcp.js";

/** Instructions of the client for the model. */
export interface SystemPrompt extends Extensible {
  /** `append` adds to the agent's own instructions, `override` replaces them. An agent refuses any other word. */
  mode: string;
  /** Blocks of text, at least one. */
  content: ContentBlock[];
}
export const SystemPrompt = schemaFor<SystemPrompt>()(
  z.looseObject({ mode: z.string(), content: z.array(ContentBlock), _meta: meta }),
);

/** Fields that every request that opens a session has. */
interface SessionSetup {
  mcpServers: UnstableMcpServer[];
  /** For agents with `sessionCapabilities.systemPrompt`. */
  systemPrompt?: SystemPrompt | undefined;
}
const systemPrompt = z.optional(SystemPrompt);
const mcpServers = z.array(UnstableMcpServer);

/** Opens a session, with what is unstable. */
export interface UnstableNewSessionParams extends Replace<NewSessionParams, SessionSetup> {}
export const UnstableNewSessionParams = extended<UnstableNewSessionParams>()(NewSessionParams, {
  mcpServers,
  systemPrompt,
});

/** Takes up an earlier session, with what is unstable. */
export interface UnstableLoadSessionParams extends Replace<LoadSessionParams, SessionSetup> {}
export const UnstableLoadSessionParams = extended<UnstableLoadSessionParams>()(LoadSessionParams, {
  mcpServers,
  systemPrompt,
});

/** Takes up an earlier session without its history, with what is unstable. */
export interface UnstableResumeSessionParams extends Replace<ResumeSessionParams, Partial<SessionSetup>> {}
export const UnstableResumeSessionParams = extended<UnstableResumeSessionParams>()(ResumeSessionParams, {
  mcpServers: z.optional(mcpServers),
  systemPrompt,
});

/** Opens a session that begins with the messages of another one; for agents with `sessionCapabilities.fork`. */
export interface ForkSessionParams extends UnstableResumeSessionParams {}
export const ForkSessionParams = extended<ForkSessionParams>()(UnstableResumeSessionParams, {});

/** The session that begins where another one is. */
export interface ForkSessionResult extends NewSessionResult {}
export const ForkSessionResult = extended<ForkSessionResult>()(NewSessionResult, {});

/** Names a session, for `session/archive`, `session/unarchive` and `session/status`. */
export interface SessionParams extends Extensible {
  sessionId: string;
}
export const SessionParams = schemaFor<SessionParams>()(z.looseObject({ sessionId: SessionId, _meta: meta }));

/** Whether the agent has a session in memory. */
export interface SessionStatusResult extends Extensible {
  /** `open` in memory, `saved` elsewhere, or a word of the agent's own. */
  status: string;
}
export const SessionStatusResult = schemaFor<SessionStatusResult>()(z.looseObject({ status: z.string(), _meta: meta }));

/** Gives a session a title that the agent keeps; for agents with `sessionCapabilities.title`. */
export interface SetSessionTitleParams extends Extensible {
  sessionId: string;
  title: string;
}
export const SetSessionTitleParams = schemaFor<SetSessionTitleParams>()(
  z.looseObject({ sessionId: SessionId, title: z.string(), _meta: meta }),
);

/** The title that the agent keeps. */
export interface SetSessionTitleResult extends Extensible {
  /** It may be another than was asked for, such as a shortened one. */
  title: string;
}
export const SetSessionTitleResult = schemaFor<SetSessionTitleResult>()(
  z.looseObject({ title: z.string(), _meta: meta }),
);

/** Asks which sessions the agent has, with what is unstable. */
export interface UnstableListSessionsParams extends ListSessionsParams {
  /** `exclude` the archived ones, the default; `include` them; or `only` them. */
  archived?: string | undefined;
}
export const UnstableListSessionsParams = extended<UnstableListSessionsParams>()(ListSessionsParams, {
  archived: z.optional(z.string()),
});

/** A session that the agent has, with what is unstable. */
export interface UnstableSessionInfo extends SessionInfo {
  /** Absent: the agent does not say. */
  archived?: boolean | undefined;
}
export const UnstableSessionInfo = extended<UnstableSessionInfo>()(SessionInfo, { archived: z.optional(z.boolean()) });

/** One page of sessions, with what is unstable. */
export interface UnstableListSessionsResult extends Replace<ListSessionsResult, { sessions: UnstableSessionInfo[] }> {}
export const UnstableListSessionsResult = extended<UnstableListSessionsResult>()(ListSessionsResult, {
  sessions: z.array(UnstableSessionInfo),
});
