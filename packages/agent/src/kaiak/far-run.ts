import { RemoteError } from "@editwire/core";
import type { KaiakQuestion, KaiakToolCallState, KaiakTurnEvent } from "@editwire/kaiak";
import type { AgentStopReason } from "../api/events.js";
import { farLost } from "../far/far-connection.js";
import type { AgentToolCall } from "../api/tool-call.js";
import type { AgentTurn } from "../api/session.js";
import { inputIn } from "../api/tool-call-state.js";
import { callOfModification, permissionOptions, plainNo } from "./far-proposals.js";

type Update = Exclude<KaiakTurnEvent, { type: "stop" }>;
type Question = Extract<Update, { type: "question" }>;
type Progress = Extract<Update, { type: "progress" }>["progress"];
type Failure = Extract<Update, { type: "error" }>["error"];

/** Steps of a run that its plan shows. */
const maxSteps = 100;

/** The parts of a Kaiak server's event that have no place here. */
export function lostIn(event: KaiakTurnEvent): readonly string[] {
  if (event.type === "system") return event.system.level === "debug" ? ["a system message of the level debug"] : [];
  if (event.type === "file_modification") return event.modification.risk_level === undefined ? [] : ["risk_level"];
  if (event.type === "progress") {
    const shown = stepOf(event.progress);
    const lost = Object.entries(event.progress).filter(([, value]) => (value ?? shown) !== shown);
    return lost.map(([key]) => `progress.${key}`);
  }
  if (event.type === "error") {
    const lost = event.error.recoverable ? (["suggested_action", "details"] as const) : (["suggested_action"] as const);
    return lost.filter((key) => (event.error[key] ?? "") !== "");
  }
  return [];
}

/** The step that a run's progress names. */
function stepOf({ current_step, description }: Progress): string {
  return current_step ?? description;
}

/** Carries what a Kaiak server sends in a run into a turn. */
export class FarKaiakRun {
  readonly #turn: AgentTurn;
  readonly #onError: (error: unknown) => void;
  readonly #calls = new Map<string, AgentToolCall>();
  #steps: readonly string[] = [];
  /** The changes that wait for their approval, oldest first. */
  #proposals: AgentToolCall[] = [];
  #failure: Failure | undefined;

  constructor(turn: AgentTurn, onError: (error: unknown) => void) {
    this.#turn = turn;
    this.#onError = onError;
  }

  /** Carries an event. Returns a promise when an editor is slow. */
  update(event: Update): void | Promise<void> {
    switch (event.type) {
      case "text":
        return event.text === "" ? undefined : this.#turn.text(event.text);
      case "thought":
        return this.#turn.thought(event.text);
      case "progress":
        return this.#step(stepOf(event.progress));
      case "tool_call":
        return this.#toolCall(event.toolCall);
      case "file_modification":
        return this.#modification(event);
      case "question":
        return this.#question(event);
      case "error":
        if (!event.error.recoverable) this.#failure = event.error;
        return event.error.recoverable ? this.#turn.notice(event.error.message, "error") : undefined;
      case "system": {
        const { message, level } = event.system;
        const severity = level === "warning" || level === "error" ? (level as "warning" | "error") : "info";
        return level === "debug" ? undefined : this.#turn.notice(message, severity);
      }
    }
  }

  /** The end of the turn. Throws the error of a run that failed. */
  async end(stopReason: "end_turn" | "cancelled" | "error"): Promise<AgentStopReason> {
    if (stopReason === "error") {
      const { message = "The run failed", error_code, details } = this.#failure ?? {};
      throw new RemoteError(farLost, message, { error_code, details });
    }
    if (stopReason === "end_turn" && this.#steps.length > 0) await this.#plan("completed");
    return stopReason;
  }

  async #toolCall({
    toolCallId: farId,
    title,
    name,
    arguments: input,
    status,
    result,
  }: KaiakToolCallState): Promise<void> {
    // The ids of Kaiak begin again with each run.
    const toolCallId = `${this.#turn.id}-${farId}`;
    const known = this.#calls.get(farId);
    const call =
      known ?? (await this.#turn.toolCall({ toolCallId, title, name, input: inputIn(input), status: "pending" }));
    this.#calls.set(farId, call);
    const output = result?.output ?? result?.error ?? undefined;
    if (status !== "pending") await call.change(status, output === undefined ? {} : { output });
    if (status !== "pending" && status !== "in_progress") this.#calls.delete(farId);
  }

  async #modification({ modification }: Extract<Update, { type: "file_modification" }>): Promise<void> {
    const call = await this.#turn.toolCall(callOfModification(modification, this.#turn.session.cwd));
    if (modification.requires_approval) this.#proposals.push(call);
    else await call.complete();
  }

  /** Asks without holding the run up: it goes on by itself when the time of the question is over. */
  #question({ question, respond }: Question): void {
    this.#ask(question)
      .then((answer) => (answer === undefined || this.#turn.signal.aborted ? undefined : respond(answer)))
      .catch((error: unknown) => this.#onError(error));
  }

  async #ask(question: KaiakQuestion): Promise<string | undefined> {
    const options = permissionOptions(question);
    const proposal = question.type === "file_approval" ? this.#proposals.shift() : undefined;
    if (options === undefined) {
      const isText = question.options.length === 0;
      const answer = await this.#turn.ask(question.prompt, { options: question.options, allowFreeform: isText });
      // Of a choice, only the server can say what no answer means: it does so when its time is over.
      return answer ?? question.defaultResponse ?? (isText ? "" : undefined);
    }
    const call = proposal ?? (await this.#callAskedFor(question));
    const decision = await this.#turn.requestPermission(call, options);
    if (decision.outcome === "cancelled") return this.#turn.signal.aborted ? undefined : plainNo(options);
    if (decision.allowed && !this.#isOfServer(call)) await call.complete();
    return decision.optionId;
  }

  /** The call that a question is about: the last one that waits, else one for the question itself. */
  async #callAskedFor({ type, prompt }: KaiakQuestion): Promise<AgentToolCall> {
    const waiting = [...this.#calls.values()].findLast(({ state }) => state.status === "pending");
    if (type === "tool_permission" && waiting !== undefined) return waiting;
    return this.#turn.toolCall({ title: prompt, status: "pending" });
  }

  #isOfServer(call: AgentToolCall): boolean {
    return [...this.#calls.values()].includes(call);
  }

  #step(step: string): void | Promise<void> {
    if (this.#steps.at(-1) === step) return;
    this.#steps = [...this.#steps, step].slice(-maxSteps);
    return this.#plan("in_progress");
  }

  #plan(last: "in_progress" | "completed"): void | Promise<void> {
    const { length } = this.#steps;
    return this.#turn.plan(
      this.#steps.map((content, index) => ({ content, status: index === length - 1 ? last : "completed" })),
    );
  }
}
