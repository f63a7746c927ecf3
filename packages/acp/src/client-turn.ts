import type { PromptResult, StopReason } from "@editwire/acp-schema";
import type { TurnStream } from "@editwire/session";
import type { TurnEvent } from "./client-events.js";

/**
 * One prompt turn. Iterate it for its events, of which the last is `stop`, or await `stopReason` alone. Leaving the
 * loop early cancels the turn. The iteration throws what `stopReason` rejects with: the agent's `RemoteError`, or a
 * `WireError` when the connection is lost. A cancelled turn always ends as `cancelled`, within `cancelGraceMs`.
 */
export interface AcpTurn extends TurnStream<TurnEvent, StopReason> {
  /** The agent's whole answer, with `usage` and `_meta` as they were received. Rejects as `stopReason` does. */
  readonly answer: Promise<PromptResult>;
}
