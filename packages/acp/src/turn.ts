import type { StopReason } from "@editwire/acp-schema";
import type { TurnEvent } from "./events.js";

/**
 * One prompt turn: iterate it for its events, of which the last is `stop`; or await `stopReason` alone.
 * Leaving the loop early cancels the turn. The iteration throws what the prompt threw.
 */
export interface AcpTurn extends AsyncIterable<TurnEvent> {
  /**
   * How the turn ended. Rejects with the agent's `RemoteError`, or a `WireError` when the connection is lost.
   * A turn that nobody iterates keeps no events.
   */
  readonly stopReason: Promise<StopReason>;
  /** Sends `session/cancel` and answers open permission requests with `cancelled`; the turn then ends as `cancelled`. */
  cancel(): Promise<void>;
}
