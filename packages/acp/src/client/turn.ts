import type { AcpResult, StopReason } from "@editwire/acp-schema";
import type { TurnStream } from "@editwire/session";
import type { AcpTurnEvent } from "./events.js";

/**
 * One prompt turn. Iterate it for its events, of which the last is `stop`, or await `stopReason` alone. Leaving the
 * loop early cancels the turn. The iteration throws what `stopReason` rejects with: the agent's `RemoteError`, or a
 * `WireError` when the connection is lost. A cancelled turn always ends as `cancelled`, within `cancelGraceMs`.
 */
export interface AcpTurn extends TurnStream<AcpTurnEvent, StopReason> {
  /** The agent's whole answer, with `usage` and `_meta` as they were received. Rejects as `stopReason` does. */
  readonly answer: Promise<AcpResult<"session/prompt">>;
  /**
   * Reads the turn to its end, in place of a loop, and resolves with the texts of the agent's messages, joined. For a
   * cancelled turn, these are the texts until then. Rejects as `stopReason` does.
   */
  readText(): Promise<string>;
}

/** The text of the agent's messages in a turn, read to its end. */
export async function textOf(events: AsyncIterable<AcpTurnEvent>): Promise<string> {
  let text = "";
  for await (const event of events) if (event.type === "text") text += event.text;
  return text;
}
