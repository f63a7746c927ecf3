import type { AcpTerminal, AcpForm, AcpPermissionAnswer, AcpPermissionQuestion, AcpUpdateEvent } from "@editwire/acp";
import { FarCalls } from "../far/far-calls.js";
import type { AgentTurn } from "../api/session.js";
import type { LendingTurn } from "./far-editor.js";
import { callOf, eventOf, nameIn, statusOf } from "./far-events.js";
import { fillForm } from "./far-form.js";

/** Carries what an ACP agent sends in a turn into a turn here. */
export class FarAcpTurn implements LendingTurn {
  readonly turn: AgentTurn;
  readonly terminals = new Map<string, AcpTerminal>();
  readonly #calls: FarCalls;

  constructor(turn: AgentTurn) {
    this.turn = turn;
    this.#calls = new FarCalls(turn);
  }

  /** Carries an update. Returns a promise when an editor is slow. */
  update(event: AcpUpdateEvent): void | Promise<void> {
    if (event.type === "user") return; // the prompt, which some agents repeat
    if (event.type === "tool_call")
      return this.#calls.update(callOf(event.toolCall, nameIn(event.update)), statusOf(event.toolCall));
    const carried = eventOf(event);
    if (carried !== undefined) return this.turn.send(carried);
  }

  /** Asks the user what the agent asks. */
  async permission({ toolCall, options, _meta }: AcpPermissionQuestion): Promise<AcpPermissionAnswer> {
    const { content = [], locations = [], rawInput, rawOutput, kind, toolCallId, title } = toolCall;
    const known = { toolCallId, title, kind, content, locations, rawInput, rawOutput };
    const call = await this.#calls.asked(callOf(known, nameIn(toolCall)));
    const decision = await this.turn.requestPermission(call, options, _meta);
    return decision.outcome === "selected" ? { optionId: decision.optionId } : "cancelled";
  }

  /** Asks the user what a form asks. */
  async form(form: AcpForm): Promise<Readonly<Record<string, unknown>> | "decline" | "cancel"> {
    return fillForm(form, this.turn, await this.#calls.idOf(form.question.toolCallId));
  }
}
