import { isObject, isRemoteError, isWireError } from "@editwire/core";
import { startTimer } from "@editwire/core/timers";
import type { SmanToolContext, SmanToolOutcome, ToolResult } from "@editwire/sman-schema";
import { failureTexts } from "../shared/failure-text.js";
import { fitting } from "./fitting.js";
import { unknownError } from "../backend/tool-failure.js";

/** How a tool is run. */
export interface ToolRunOptions {
  readonly tool: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Its signal aborts when the connection is lost. */
  readonly connection: { readonly signal: AbortSignal };
  /** Called with what the tool throws, unless its text reaches the backend. */
  readonly report: (error: unknown) => void;
}

type Run = (context: SmanToolContext) => SmanToolOutcome | Promise<SmanToolOutcome>;

/** Two views of one run. */
export interface ToolRun {
  /** The result for the backend, at the latest when the time is over. Never rejects. */
  readonly answer: Promise<ToolResult>;
  /** The outcome of the tool. Never rejects. */
  readonly outcome: Promise<ToolResult>;
}

/** Runs a tool. */
export function runTool(run: Run, { tool, timeoutMs, maxBytes, connection, report }: ToolRunOptions): ToolRun {
  const startedAt = performance.now();
  const context = new RunContext(connection);
  const timed = (result: ToolResult): ToolResult => {
    result.executionTime = Math.round(performance.now() - startedAt);
    return result;
  };
  const finish = async (): Promise<ToolResult> => {
    try {
      return timed(resultOf(await run(context), maxBytes));
    } catch (error) {
      const text = meantText(error);
      if ((text === undefined || text === failureTexts.overloaded) && !context.isStopped) report(error);
      return timed({ success: false, error: fitting(text ?? failureTexts.crashed, maxBytes) });
    }
  };
  const outcome = finish();
  const answer = new Promise<ToolResult>((resolve) => {
    const endTimer = startTimer(timeoutMs, () => {
      const error = failureTexts.timeout(tool);
      context.stop(new Error(error));
      resolve(timed({ success: false, error }));
    });
    void outcome.then((result) => {
      endTimer();
      resolve(result);
    });
  });
  return { answer, outcome };
}

/** Most tools never ask for the signal, and a signal is dear: it is made when they do. */
class RunContext implements SmanToolContext {
  readonly #connection: { readonly signal: AbortSignal };
  #signal: AbortSignal | undefined;
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  constructor(connection: { readonly signal: AbortSignal }) {
    this.#connection = connection;
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
      this.#signal = AbortSignal.any([this.#controller.signal, this.#connection.signal]);
    }
    return this.#signal;
  }

  /** The tool has no time left, or has been notified that the connection is lost. */
  get isStopped(): boolean {
    return this.#reason !== undefined || this.#signal?.aborted === true;
  }

  stop(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/** The text of an error that is meant for the backend. `ide-tools` throws errors called `ToolError`. */
function meantText(error: unknown): string | undefined {
  try {
    if (isRemoteError(error) || (error instanceof Error && error.name === "ToolError"))
      return error.message || unknownError;
    if (isWireError(error, "overloaded")) return failureTexts.overloaded;
  } catch {
    // an error that cannot be read is not meant for anybody
  }
  return undefined;
}

/** Reads what a tool returned. Throws a `TypeError` for anything but an outcome. */
function resultOf(outcome: unknown, maxBytes: number): ToolResult {
  if (typeof outcome === "string") return { success: true, result: fitting(outcome, maxBytes) };
  if (isObject(outcome)) {
    const { success, result, error } = outcome;
    if (success === true && typeof result === "string") return { success, result: fitting(result, maxBytes) };
    if (success === false && typeof error === "string")
      return { success, error: fitting(error === "" ? unknownError : error, maxBytes) };
  }
  throw new TypeError("expected the tool to return a string, { success: true, result } or { success: false, error }");
}
