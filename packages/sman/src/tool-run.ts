import { isObject, isRemoteError } from "@editwire/core";
import { startTimer } from "@editwire/core/timers";
import type { SmanToolContext, SmanToolOutcome, ToolResult } from "@editwire/sman-schema";
import { failureTexts } from "./failure-text.js";
import { fitting } from "./fitting.js";
import { unknownError } from "./tool-failure.js";

/** How a tool is run. */
export interface ToolRunOptions {
  readonly tool: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Aborts when the connection is lost. */
  readonly lost: AbortSignal;
  /** Called with what the tool throws, unless its text reaches the backend. */
  readonly report: (error: unknown) => void;
}

type Run = (context: SmanToolContext) => SmanToolOutcome | Promise<SmanToolOutcome>;

/** Two views of one run. */
export interface ToolRun {
  /** The result for the backend: at the latest when the time is over or the connection is lost. Never rejects. */
  readonly answer: Promise<ToolResult>;
  /** What the tool did in the end. Never rejects. */
  readonly outcome: Promise<ToolResult>;
}

/** Runs a tool. */
export function runTool(run: Run, { tool, timeoutMs, maxBytes, lost, report }: ToolRunOptions): ToolRun {
  const startedAt = performance.now();
  const stopping = new AbortController();
  const timed = (result: ToolResult): ToolResult => ({
    ...result,
    executionTime: Math.round(performance.now() - startedAt),
  });
  const finish = async (): Promise<ToolResult> => {
    try {
      return timed(resultOf(await run({ signal: stopping.signal }), maxBytes));
    } catch (error) {
      const text = meantText(error);
      if (text === undefined && !stopping.signal.aborted) report(error);
      return timed({ success: false, error: fitting(text ?? failureTexts.crashed, maxBytes) });
    }
  };
  const outcome = finish();
  const stopped = new Promise<ToolResult>((resolve) => {
    const stop = (error: string): void => {
      stopping.abort(new Error(error));
      resolve(timed({ success: false, error }));
    };
    const endTimer = startTimer(timeoutMs, () => stop(failureTexts.timeout(tool)));
    const onLost = (): void => stop("the connection is lost");
    if (lost.aborted) onLost();
    else lost.addEventListener("abort", onLost, { once: true });
    void outcome.then(() => {
      endTimer();
      lost.removeEventListener("abort", onLost);
    });
  });
  return { answer: Promise.race([outcome, stopped]), outcome };
}

/** The text of an error that is meant for the backend. `ide-tools` throws errors called `ToolError`. */
function meantText(error: unknown): string | undefined {
  try {
    if (isRemoteError(error) || (error instanceof Error && error.name === "ToolError"))
      return error.message || unknownError;
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
  throw new TypeError("a tool must return a text, { success: true, result } or { success: false, error }");
}
