import { RemoteError } from "@editwire/core/errors";
import type { SessionPage, SessionQuery, SessionRecord } from "./session-store.js";

/** Sessions of a page without `limit`. */
const defaultLimit = 50;

/**
 * One page of sessions. A cursor names the last session of its page by time and id, so that sessions which are added
 * or removed meanwhile do not move the others.
 */
export function pageOf(
  records: readonly SessionRecord[],
  { cwd, cursor, limit = defaultLimit }: SessionQuery,
): SessionPage {
  const after = cursor === undefined ? undefined : positionIn(cursor);
  const rest = records
    .filter((record) => (cwd === undefined || record.cwd === cwd) && (after === undefined || follows(record, after)))
    .sort((a, b) => (follows(a, positionOf(b)) ? 1 : -1));
  const sessions = rest.slice(0, limit);
  const last = sessions.at(-1);
  return last === undefined || rest.length === sessions.length
    ? { sessions }
    : { sessions, nextCursor: encodeURIComponent(JSON.stringify(positionOf(last))) };
}

type Position = readonly [updatedAt: string, sessionId: string];

function positionOf({ updatedAt, sessionId }: SessionRecord): Position {
  return [updatedAt, sessionId];
}

/** The most recent sessions come first. */
function follows({ updatedAt, sessionId }: SessionRecord, [time, id]: Position): boolean {
  return updatedAt === time ? sessionId > id : updatedAt < time;
}

function positionIn(cursor: string): Position {
  try {
    const found: unknown = JSON.parse(decodeURIComponent(cursor));
    if (Array.isArray(found) && typeof found[0] === "string" && typeof found[1] === "string")
      return [found[0], found[1]];
  } catch {
    // It is refused below.
  }
  throw RemoteError.invalidParams("the cursor is not one that a page gave", { cursor });
}
