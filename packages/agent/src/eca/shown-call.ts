import type { EcaServerTurn, EcaToolCall } from "@editwire/eca";
import { type Deferred, deferred } from "../deferred.js";
import type { ToolCallState } from "../tool-call-state.js";
import { fileChangeOf } from "./file-change.js";
import { argumentsOf, nameOf, outputsOf } from "./tool-calls.js";

/**
 * One tool call of the agent, as an ECA client sees it. ECA says when a call is about to run whether the user
 * decides. An agent may ask for a call that runs already: the client then sees a second call, which asks.
 */
export class ShownCall {
  readonly #turn: EcaServerTurn;
  /** The input follows the call. */
  readonly #isLate: boolean;
  readonly #call: Promise<EcaToolCall>;
  readonly #name: string;
  /** The input that the client was sent, as JSON. */
  #sent: string | undefined;
  readonly #manual = deferred<boolean>();
  /** The input as JSON, which may follow the call. */
  readonly #input = deferred<string>();
  /** Resolves when the client knows a call whose input follows. */
  readonly #prepared = deferred<void>();
  /** What another view decides: about the call, then about the call that asks late. */
  #decision: Deferred<boolean> = deferred<boolean>();

  constructor(turn: EcaServerTurn, state: ToolCallState) {
    this.#turn = turn;
    this.#isLate = state.input === undefined && state.status === "pending";
    this.#name = nameOf(state);
    if (!this.#isLate) this.#sent = JSON.stringify(argumentsOf(state));
    this.#call = this.#announce(state, state.toolCallId, this.#manual.promise);
    this.#call.catch(() => {}); // it rejects with the turn, whose handler knows
  }

  /** Takes the next state of the call. Resolves when the client was sent it. */
  next(state: ToolCallState): void | Promise<void> {
    if (state.input !== undefined || state.status !== "pending")
      this.#input.resolve((this.#sent ??= JSON.stringify(argumentsOf(state))));
    switch (state.status) {
      case "pending":
        return;
      case "waiting":
        return this.#manual.resolve(true);
      case "in_progress":
        return this.#run();
      case "completed":
      case "failed":
        return this.#end(state);
      default:
        return this.#reject(state);
    }
  }

  /** The name has changed since the client was sent it. */
  hasOtherName(state: ToolCallState): boolean {
    return nameOf(state) !== this.#name;
  }

  /** The input has changed since the client was sent it. */
  hasOtherInput(state: ToolCallState): boolean {
    return this.#sent !== undefined && this.#sent !== JSON.stringify(argumentsOf(state));
  }

  /** Whether the user allows it. */
  async permission(state: ToolCallState): Promise<boolean> {
    const isLate = this.#manual.settled && (await this.#hasRun());
    if (!isLate) return (await this.#call).allowed;
    this.#decision = deferred();
    const asking = { ...state, title: `Permission: ${state.title}` };
    const call = await this.#announce(asking, `${state.toolCallId}-permission`, true);
    if (call.allowed) await call.complete("Allowed.");
    return call.allowed;
  }

  #announce(
    state: ToolCallState,
    toolCallId: string,
    manualApproval: boolean | Promise<boolean>,
  ): Promise<EcaToolCall> {
    return this.#turn.toolCall({
      toolCallId,
      name: nameOf(state),
      title: state.title,
      ...(this.#isLate ? { argumentsText: this.#inputText() } : { arguments: argumentsOf(state) }),
      manualApproval,
      decision: this.#decision.promise,
      details: fileChangeOf(state),
    });
  }

  /** The input in one piece: clients of 2025 take pieces in two ways. Until then, the call is not shown. */
  async *#inputText(): AsyncIterable<string> {
    try {
      yield await this.#input.promise;
    } finally {
      this.#prepared.resolve();
    }
  }

  /** True when the call runs without that anybody was asked. */
  async #hasRun(): Promise<boolean> {
    return !(await this.#manual.promise);
  }

  async #run(): Promise<void> {
    this.#manual.resolve(false);
    this.#decision.resolve(true);
    await this.#call;
  }

  async #end(state: ToolCallState): Promise<void> {
    await this.#run();
    const call = await this.#call;
    const change = { title: state.title, details: fileChangeOf(state) };
    await (state.status === "failed" ? call.fail(outputsOf(state), change) : call.complete(outputsOf(state), change));
  }

  async #reject(state: ToolCallState): Promise<void> {
    if (this.#isLate) await Promise.race([this.#prepared.promise, this.#call.catch(() => {})]);
    this.#decision.resolve(false);
    this.#manual.resolve(true);
    const call = await this.#call;
    const outputs = outputsOf(state);
    await call.fail(outputs.length === 0 ? `The call was ${state.status}.` : outputs);
  }
}
