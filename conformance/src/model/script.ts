import type { ModelTurn, ToolUse } from "./turn.js";

/** A tool call to make. */
export interface ToolRequest {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One answer of the model. Without `calls` it is the turn's last. */
export interface ModelAnswer {
  /** Reasoning that is shown, where the API has such a thing. */
  readonly think?: string | undefined;
  /** A text is streamed word by word, a list piece by piece as it is. */
  readonly say?: string | readonly string[] | undefined;
  readonly calls?: readonly ToolRequest[] | undefined;
  /** Default: `tool_calls` when there are calls, else `stop`. */
  readonly finish?: "stop" | "tool_calls" | "length" | "content_filter" | undefined;
  /** Milliseconds between the last text and the end of the answer. Default 0. */
  readonly holdMs?: number | undefined;
  /** Drops the connection after the last text, as a failing network does. */
  readonly cut?: boolean | undefined;
}

/** An HTTP error instead of an answer. */
export interface Failure {
  readonly fail: { readonly status: number; readonly message: string };
}

/** The next answer of a script. */
export type Step = ModelAnswer | Failure;

/** The run of a script through one turn: it yields a step and is given the results of the step's tool calls. */
export type ScriptRun = Generator<Step, void, readonly ToolUse[]>;

/**
 * A model, written as a function: it runs from the start for each request, with the results that the conversation
 * already holds.
 */
export type Script = (turn: ModelTurn) => ScriptRun;

/** Runs a script past the answers that the conversation already holds, and gives the next one. */
export function nextStep(script: Script, turn: ModelTurn): Step {
  const run = script(turn);
  let next = run.next([]);
  for (const uses of turn.rounds) {
    if (next.done === true) break;
    next = run.next(uses);
  }
  return next.done === true ? {} : next.value;
}
