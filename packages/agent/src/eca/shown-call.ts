import type { EcaServerTurn, EcaToolCall, EcaToolCallChange } from "@editwire/eca";
import { startTimer } from "@editwire/core/timers";
import { type Deferred, deferred } from "../shared/deferred.js";
import { awaitsInput, inputObject, type AgentToolCallState } from "../api/tool-call-state.js";
import { fileChangeOf } from "./file-change.js";
import { nameOf, outputsOf } from "./tool-calls.js";

/** Milliseconds until a call that was begun is shown as one that runs. */
const askMs = 1_000;

/**
 * One tool call of the agent, as an ECA client sees it. ECA says when a call is about to run whether the user
 * decides. An agent may ask for a call that it has begun, such as opencode: within `askMs`, the call itself asks; after
 * that, the client sees a second call, which asks.
 */
export class ShownCall {
  readonly #turn: EcaServerTurn;
  /** The input follows the call. */
  readonly #isLate: boolean;
  readonly #call: Promise<EcaToolCall>;
  readonly #name: string;
  #state: AgentToolCallState;
  /** The input that the client was sent when the call began to run, as JSON. */
  #sent: { readonly input: string | undefined } | undefined;
  readonly #manual = deferred<boolean>();
  /** The input as JSON, which may follow the call. */
  readonly #input = deferred<string>();
  /** Resolves when the client knows a call whose input follows. */
  readonly #prepared = deferred<void>();
  /** Another view's decision about the call, and about one that only asks. */
  readonly #decision = deferred<boolean>();
  #asking: Deferred<boolean> | undefined;
  /** Ends the wait of a call that was begun. */
  #timer: (() => void) | undefined;
  #isAsked = false;

  constructor(turn: EcaServerTurn, state: AgentToolCallState) {
    this.#turn = turn;
    this.#state = state;
    this.#isLate = awaitsInput(state);
    this.#name = nameOf(state);
    this.#call = this.#announce();
    this.#call.catch(() => {}); // it rejects with the turn, whose handler knows
  }

  /** Takes the next state of the call. Resolves when the client was sent it. */
  next(state: AgentToolCallState): void | Promise<void> {
    this.#state = state;
    if (!awaitsInput(state)) this.#input.resolve(JSON.stringify(inputObject(state)));
    if (state.status !== "pending") this.#sent ??= { input: JSON.stringify(state.input) };
    switch (state.status) {
      case "pending":
        return;
      case "waiting": // `permission` decides how the user is asked
        this.#isAsked = true;
        return this.#stopTimer();
      case "in_progress":
        return this.#begin();
      case "completed":
      case "failed":
        return this.#end(state);
      default:
        return this.#reject(state);
    }
  }

  /** The name has changed since the client was sent it. */
  hasOtherName(state: AgentToolCallState): boolean {
    return nameOf(state) !== this.#name;
  }

  /** The input has changed since the client was sent it. */
  hasOtherInput(state: AgentToolCallState): boolean {
    return this.#sent !== undefined && this.#sent.input !== JSON.stringify(state.input);
  }

  /** True when the client was sent that the call runs without that anybody was asked. */
  async runs(): Promise<boolean> {
    return this.#manual.settled && !(await this.#manual.promise);
  }

  /** Whether the user allows it. */
  async permission(state: AgentToolCallState): Promise<boolean> {
    const isLate = await this.runs();
    this.#manual.resolve(true);
    return isLate ? this.#approves(state, "permission", `Permission: ${state.title}`) : (await this.#call).allowed;
  }

  /** The first name that the user approves, each of a call that asks; `undefined` for none, or after `signal`. */
  async choice(state: AgentToolCallState, names: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    for (const [index, name] of names.entries()) {
      if (signal.aborted) return undefined;
      if (await this.#approves(state, `option-${index + 1}`, `${state.title}: ${name}`)) return name;
    }
    return undefined;
  }

  /** Asks by a call that only asks. */
  async #approves(state: AgentToolCallState, suffix: string, title: string): Promise<boolean> {
    this.#asking = deferred();
    const call = await this.#turn.toolCall({
      ...partsOf({ ...state, title }),
      toolCallId: `${state.toolCallId}-${suffix}`,
      name: nameOf(state),
      manualApproval: true,
      decision: this.#asking.promise,
    });
    if (call.allowed) await call.complete("Allowed.");
    return call.allowed;
  }

  #announce(): Promise<EcaToolCall> {
    const { arguments: args, ...parts } = partsOf(this.#state);
    return this.#turn.toolCall({
      ...parts,
      ...(this.#isLate ? { argumentsText: this.#inputText() } : { arguments: args }),
      latest: () => partsOf(this.#state),
      toolCallId: this.#state.toolCallId,
      name: this.#name,
      manualApproval: this.#manual.promise,
      decision: this.#decision.promise,
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

  /** Waits for a question, unless the user was asked already. */
  #begin(): void | Promise<void> {
    if (this.#isAsked || this.#manual.settled) return this.#run();
    const run = (): void => void this.#run().catch(() => {}); // it rejects with the turn, whose handler knows
    this.#timer ??= startTimer(askMs, run);
  }

  #stopTimer(): void {
    this.#timer?.();
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    this.#stopTimer();
    this.#manual.resolve(false);
    this.#decide(true);
    await this.#call;
  }

  #decide(isAllowed: boolean): void {
    this.#decision.resolve(isAllowed);
    this.#asking?.resolve(isAllowed);
  }

  async #end(state: AgentToolCallState): Promise<void> {
    await this.#run();
    const call = await this.#call;
    const parts = partsOf(state);
    await (state.status === "failed" ? call.fail(outputsOf(state), parts) : call.complete(outputsOf(state), parts));
  }

  async #reject(state: AgentToolCallState): Promise<void> {
    if (this.#isLate) await Promise.race([this.#prepared.promise, this.#call.catch(() => {})]);
    if (this.#timer !== undefined) this.#manual.resolve(false); // it was running
    this.#stopTimer();
    this.#decide(false);
    this.#manual.resolve(true);
    const call = await this.#call;
    const outputs = outputsOf(state);
    await call.fail(outputs.length === 0 ? `The call was ${state.status}.` : outputs);
  }
}

/** The fields of a call that a client is sent, and that may change. */
function partsOf(state: AgentToolCallState): EcaToolCallChange {
  return { title: state.title, arguments: inputObject(state), details: fileChangeOf(state) };
}
