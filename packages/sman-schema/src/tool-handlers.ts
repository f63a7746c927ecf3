import type { ApplyChangeParams, CallChainParams, GrepFileParams, ReadFileParams } from "./tools.js";

/** The context of a call, passed to a tool with its params. */
export interface SmanToolContext {
  /** Aborts when the tool takes too long, the connection is lost or the plugin is closed. */
  readonly signal: AbortSignal;
}

/**
 * The outcome of a tool. A text alone is a success. A tool may also throw: the text of a `RemoteError` reaches the
 * backend; any other error is reported only as a failure of the tool.
 */
export type SmanToolOutcome =
  | string
  | { readonly success: true; readonly result: string }
  | { readonly success: false; readonly error: string };

type Handler<Params> = (params: Params, context: SmanToolContext) => SmanToolOutcome | Promise<SmanToolOutcome>;

/** The tools of a plugin. A call of one that is missing fails. */
export interface SmanToolHandlers {
  readonly grep_file?: Handler<GrepFileParams> | undefined;
  readonly read_file?: Handler<ReadFileParams> | undefined;
  readonly call_chain?: Handler<CallChainParams> | undefined;
  readonly apply_change?: Handler<ApplyChangeParams> | undefined;
}
