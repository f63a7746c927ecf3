import type { EcaParams, EcaPermissionAnswer, EcaToolCallState, EcaUpdateEvent } from "@editwire/eca";
import type { AgentPermissionOption } from "../api/events.js";
import { FarCalls } from "../far/far-calls.js";
import type { AgentTurn } from "../api/session.js";
import { callOf, eventOf, planIn } from "./far-events.js";

/** The possible answers of the user of an ECA server. */
const options: readonly AgentPermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "allow_always", name: "Allow for this session", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** Carries what an ECA server sends in a turn into a turn here. */
export class FarEcaTurn {
  readonly #turn: AgentTurn;
  readonly #calls: FarCalls;
  /** The last plan, as text. */
  #plan = "";

  constructor(turn: AgentTurn) {
    this.#turn = turn;
    this.#calls = new FarCalls(turn);
  }

  /** Carries an update. Returns a promise when an editor is slow. */
  update(event: EcaUpdateEvent): void | Promise<void> {
    if (event.type === "user") return; // the prompt, which servers repeat
    if (event.type === "notice" && this.#turn.signal.aborted) return; // that the turn was stopped
    if (event.type === "tool_call") return this.#toolCall(event.toolCall);
    const carried = eventOf(event, this.#turn.session.cwd);
    if (carried !== undefined) return this.#turn.send(carried);
  }

  /** Asks the user whether a call may run. */
  async permission(call: EcaToolCallState): Promise<EcaPermissionAnswer> {
    const here = await this.#calls.asked(callOf(call, this.#turn.session.cwd));
    const decision = await this.#turn.requestPermission(here, options);
    return decision.outcome === "selected" ? decision.kind : "cancelled";
  }

  /** Asks the user anything else. */
  async question({
    question,
    options: answers = [],
    allowFreeform,
    toolCallId,
  }: EcaParams<"chat/askQuestion">): Promise<string | undefined> {
    return this.#turn.ask(question, {
      options: answers,
      allowFreeform,
      toolCallId: await this.#calls.idOf(toolCallId),
    });
  }

  #toolCall(call: EcaToolCallState): void | Promise<void> {
    const plan = planIn(call);
    if (plan === undefined)
      return this.#calls.update(
        callOf(call, this.#turn.session.cwd),
        call.status === "waiting" ? "pending" : call.status,
      );
    const text = JSON.stringify(plan);
    if (text === this.#plan) return;
    this.#plan = text;
    return this.#turn.plan(plan);
  }
}
