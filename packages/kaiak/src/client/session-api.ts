import type { FixOptions, Incident, KaiakResult, MigrationContext } from "@editwire/kaiak-schema";
import type { AskOptions, SessionSide, TurnStream } from "@editwire/session";
import type { KaiakUpdateEvent, KaiakStopReason } from "./events.js";
import type { KaiakSessionState } from "./state.js";

/** How a run works. */
export interface KaiakPromptOptions {
  /** Aborting it cancels the turn. */
  signal?: AbortSignal | undefined;
  /** From what to what the code moves. */
  migrationContext?: MigrationContext | undefined;
  /** Settings of the run that are sent with it; the server has defaults for them. */
  options?: FixOptions | undefined;
}

/** Which session to delete how. */
export interface KaiakDeleteSessionOptions extends AskOptions {
  /** Cancels the run of a session that is in use. Default false: the server then answers -32016. */
  force?: boolean | undefined;
  /** Default true. */
  cleanupFiles?: boolean | undefined;
}

/**
 * One run. Iterate it for its events, of which the last is `stop`, or await `stopReason` or `result` alone. Leaving the
 * loop early cancels the turn. The iteration throws what `stopReason` rejects with: the server's `RemoteError`, such as
 * -32016 for a session in use, or a `WireError` when the connection is lost. A cancelled turn ends as `cancelled`
 * within `cancelGraceMs`.
 */
export interface KaiakTurn
  extends TurnStream<
    KaiakUpdateEvent | { readonly type: "stop"; readonly stopReason: KaiakStopReason },
    KaiakStopReason
  > {
  /**
   * The server's result. Rejects as `stopReason` does, and with `WireError("aborted")` when the server did not end a
   * cancelled turn.
   */
  readonly result: Promise<KaiakResult<"kaiak/generate_fix">>;
}

/** A session. One turn runs at a time; sessions run in parallel. */
export interface KaiakSession extends SessionSide<KaiakSessionState> {
  /** In `v2026`, the id that the server makes, from the first event of the first turn on. */
  readonly id: string;
  /**
   * Sends 1 to 1,000 incidents to be fixed. The server makes the session when it does not know it. Throws
   * `WireError("invalid_params")` while another turn of this session runs here.
   */
  prompt(incidents: readonly Incident[], options?: KaiakPromptOptions): KaiakTurn;
  /** Deletes the session on the server. Rejects with -32003 when it is unknown there, and -32016 when it is in use. */
  delete(options?: KaiakDeleteSessionOptions): Promise<KaiakResult<"kaiak/delete_session">>;
}
