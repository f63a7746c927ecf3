import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "./extensible.js";
import { absolutePath, SessionId } from "./session-id.js";

/** Asks which sessions the agent has. Only the official dialect has it, for agents with `sessionCapabilities.list`. */
export interface ListSessionsParams extends Extensible {
  /** Only sessions of this working directory, absolute. */
  cwd?: string | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
}
export const ListSessionsParams = schemaFor<ListSessionsParams>()(
  z.looseObject({ cwd: z.optional(absolutePath), cursor: z.optional(z.string()), _meta: meta }),
);

/** A session that the agent has. */
export interface SessionInfo extends Extensible {
  sessionId: string;
  /** The session's working directory, absolute. */
  cwd: string;
  /** Further folders that the session works in, absolute. */
  additionalDirectories?: string[] | undefined;
  title?: string | undefined;
  /** The time of the last activity, in ISO 8601. */
  updatedAt?: string | undefined;
}
export const SessionInfo = schemaFor<SessionInfo>()(
  z.looseObject({
    sessionId: SessionId,
    cwd: absolutePath,
    additionalDirectories: z.optional(z.array(absolutePath)),
    title: z.optional(z.string()),
    updatedAt: z.optional(z.string()),
    _meta: meta,
  }),
);

/** One page of sessions. */
export interface ListSessionsResult extends Extensible {
  sessions: SessionInfo[];
  /** The cursor for requesting the next page. Absent on the last page. */
  nextCursor?: string | undefined;
}
export const ListSessionsResult = schemaFor<ListSessionsResult>()(
  z.looseObject({ sessions: z.array(SessionInfo), nextCursor: z.optional(z.string()), _meta: meta }),
);
