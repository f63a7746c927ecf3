import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "./extensible.js";
import { SessionConfigOption } from "./config-options.js";
import { McpServer } from "./mcp-servers.js";
import { absolutePath, SessionId } from "./session-id.js";

/** A mode that a session can be in, such as read-only (section 9). */
export interface SessionMode extends Extensible {
  id: string;
  name: string;
  description?: string | undefined;
}
export const SessionMode = schemaFor<SessionMode>()(
  z.looseObject({ id: z.string(), name: z.string(), description: z.optional(z.string()), _meta: meta }),
);

/** The modes of a session, and which one it is in (section 9). */
export interface SessionModeState extends Extensible {
  currentModeId: string;
  availableModes: SessionMode[];
}
export const SessionModeState = schemaFor<SessionModeState>()(
  z.looseObject({ currentModeId: z.string(), availableModes: z.array(SessionMode), _meta: meta }),
);

const additionalDirectories = z.optional(z.array(absolutePath));
const configOptions = z.optional(z.array(SessionConfigOption));

/** Opens a session (section 5.3). */
export interface NewSessionParams extends Extensible {
  /** The session's working directory, absolute. */
  cwd: string;
  mcpServers: McpServer[];
  /** Further folders that the session works in, absolute; for agents with the capability (version 1). */
  additionalDirectories?: string[] | undefined;
}
export const NewSessionParams = schemaFor<NewSessionParams>()(
  z.looseObject({ cwd: absolutePath, mcpServers: z.array(McpServer), additionalDirectories, _meta: meta }),
);

/** The session that was opened (section 5.3). */
export interface NewSessionResult extends Extensible {
  sessionId: string;
  modes?: SessionModeState | undefined;
  /** The settings of the session that the user can change (version 1). */
  configOptions?: SessionConfigOption[] | undefined;
}
export const NewSessionResult = schemaFor<NewSessionResult>()(
  z.looseObject({ sessionId: SessionId, modes: z.optional(SessionModeState), configOptions, _meta: meta }),
);

/** Takes up an earlier session (section 5.4). */
export interface LoadSessionParams extends Extensible {
  sessionId: string;
  /** The session's working directory, absolute. */
  cwd: string;
  mcpServers: McpServer[];
  /** Further folders that the session works in, absolute; for agents with the capability (version 1). */
  additionalDirectories?: string[] | undefined;
}
export const LoadSessionParams = schemaFor<LoadSessionParams>()(
  z.looseObject({
    sessionId: SessionId,
    cwd: absolutePath,
    mcpServers: z.array(McpServer),
    additionalDirectories,
    _meta: meta,
  }),
);

/** The session that was taken up (section 5.4). */
export interface LoadSessionResult extends Extensible {
  modes?: SessionModeState | undefined;
  /** The settings of the session that the user can change (version 1). */
  configOptions?: SessionConfigOption[] | undefined;
}
export const LoadSessionResult = schemaFor<LoadSessionResult>()(
  z.looseObject({ modes: z.optional(SessionModeState), configOptions, _meta: meta }),
);

/** Takes up an earlier session without sending its history again (version 1). */
export interface ResumeSessionParams extends Extensible {
  sessionId: string;
  /** The session's working directory, absolute. */
  cwd: string;
  mcpServers?: McpServer[] | undefined;
  /** Further folders that the session works in, absolute; for agents with the capability (version 1). */
  additionalDirectories?: string[] | undefined;
}
export const ResumeSessionParams = schemaFor<ResumeSessionParams>()(
  z.looseObject({
    sessionId: SessionId,
    cwd: absolutePath,
    mcpServers: z.optional(z.array(McpServer)),
    additionalDirectories,
    _meta: meta,
  }),
);

/** Ends a session: its turn is cancelled, and the agent releases what the session holds (version 1). */
export interface CloseSessionParams extends Extensible {
  sessionId: string;
}
export const CloseSessionParams = schemaFor<CloseSessionParams>()(z.looseObject({ sessionId: SessionId, _meta: meta }));

/** Removes a session from what `session/list` returns, for good (version 1). */
export interface DeleteSessionParams extends Extensible {
  sessionId: string;
}
export const DeleteSessionParams = schemaFor<DeleteSessionParams>()(
  z.looseObject({ sessionId: SessionId, _meta: meta }),
);

/** Ends the running turn (section 5.6). */
export interface CancelParams extends Extensible {
  sessionId: string;
}
export const CancelParams = schemaFor<CancelParams>()(z.looseObject({ sessionId: SessionId, _meta: meta }));

/** Switches a session's mode (section 5.7). */
export interface SetModeParams extends Extensible {
  sessionId: string;
  /** One of the session's `availableModes`. */
  modeId: string;
}
export const SetModeParams = schemaFor<SetModeParams>()(
  z.looseObject({ sessionId: SessionId, modeId: z.string(), _meta: meta }),
);
