import { RemoteError } from "@editwire/core/errors";
import type { SessionPage, SessionQuery, SessionRecord } from "./session-store.js";

/** Sessions of a page without `limit`. */
const defaultLimit = 50;

/** A session and its place among the others. */
export interface ListedSession {
  readonly record: SessionRecord;
  /** Grows with each update of any session. A time of the clock does not, so it is not an order. */
  readonly order: number;
}

/**
 * One page of sessions. A cursor names the last session of its page by its order and id, so that sessions which are
 * added or removed meanwhile do not move the others.
 */
export function pageOf(
  listed: readonly ListedSession[],
  { cwd, cursor, limit = defaultLimit }: SessionQuery,
): SessionPage {
  const after = cursor === undefined ? undefined : positionIn(cursor);
  const rest = listed
    .filter((one) => (cwd === undefined || one.record.cwd === cwd) && (after === undefined || follows(one, after)))
    .sort((a, b) => (follows(a, positionOf(b)) ? 1 : -1));
  const page = rest.slice(0, limit);
  const sessions = page.map(({ record }) => record);
  const last = page.at(-1);
  return last === undefined || rest.length === page.length
    ? { sessions }
    : { sessions, nextCursor: encodeURIComponent(JSON.stringify(positionOf(last))) };
}

type Position = readonly [order: number, sessionId: string];

function positionOf({ order, record }: ListedSession): Position {
  return [order, record.sessionId];
}

/** The most recent sessions come first. */
function follows({ order, record }: ListedSession, [last, id]: Position): boolean {
  return order === last ? record.sessionId > id : order < last;
}

function positionIn(cursor: string): Position {
  try {
    const found: unknown = JSON.parse(decodeURIComponent(cursor));
    if (Array.isArray(found) && typeof found[0] === "number" && typeof found[1] === "string")
      return [found[0], found[1]];
  } catch {
    // It is refused below.
  }
  throw RemoteError.invalidParams("the cursor does not come from a page", { cursor });
}
