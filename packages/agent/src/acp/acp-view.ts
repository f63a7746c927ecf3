import type { AcpAgentSession, AcpAgentTurn, PermissionAnswer, SessionUpdate } from "@editwire/acp";
import type { AgentEvent, AgentPermission, AgentQuestion } from "../events.js";
import type { Fact } from "../mapping/facts.js";
import type { MappingReports } from "../mapping/reports.js";
import type { AgentSession } from "../session.js";
import type { AskContext, SessionView, ViewContext } from "../session-view.js";
import { isEnd, type ToolCallState } from "../tool-call-state.js";
import { answerIn, choiceOf, formOf } from "./elicitation.js";
import { progressOf, startOf, toolCallOf, updatesOf } from "./updates.js";

/** Shows a session to a client of ACP. */
export class AcpView implements SessionView {
  readonly name = "acp";
  /** True while the client is answered with what it has changed itself. */
  answering = false;
  readonly #client: AcpAgentSession;
  readonly #session: AgentSession;
  readonly #reports: MappingReports;
  /** The open tool calls, as the client knows them. */
  readonly #calls = new Map<string, ToolCallState>();
  /** What the client has added to its turns. */
  readonly #steered = new WeakSet<object>();

  constructor(client: AcpAgentSession, session: AgentSession, reports: MappingReports) {
    this.#client = client;
    this.#session = session;
    this.#reports = reports;
  }

  /** Gives the agent what the client adds to a turn that it prompted. */
  begin(turn: AcpAgentTurn): void {
    const steer = (): void => {
      for (const { prompt } of turn.takeSteers()) {
        this.#steered.add(prompt);
        this.#session.steer(prompt);
      }
    };
    turn.onSteer(steer);
    steer();
  }

  /** Sends how the session is set, after its id. */
  announce(): void {
    const { commands, title, usage } = this.#session;
    if (commands.length > 0) this.#send(updatesOf({ type: "commands", commands }));
    if (title !== undefined) this.#send(updatesOf({ type: "info", title }));
    if (usage !== undefined) this.#send(updatesOf({ type: "usage", usage }));
  }

  event(event: AgentEvent, { own, turn }: ViewContext): void | Promise<void> {
    this.#report(event, own);
    const isItsOwn = event.type === "user" && own && event.content === turn?.prompt;
    if (isItsOwn || (event.type === "user" && this.#steered.has(event.content))) return; // what the client has said
    if (this.answering && (event.type === "mode" || event.type === "config_options")) return;
    if (event.type === "tool_call") return this.#toolCall(event.toolCall);
    if (event.type === "notice" && this.#client.clientCapabilities.session?.notices === undefined)
      return this.#send(updatesOf({ type: "text", text: `\n\n${event.notice.text}\n\n` }));
    if (event.type === "stop" && !own && event.error !== undefined)
      return this.#send(updatesOf({ type: "text", text: `\n\n${event.error.message}\n\n` }));
    return this.#send(updatesOf(event));
  }

  async permission({ toolCall, options }: AgentPermission, { signal }: AskContext): Promise<PermissionAnswer> {
    const decision = await this.#client.requestPermission(
      toolCallOf(toolCall),
      options.map((one) => ({ ...one })),
      signal,
    );
    return decision.outcome === "selected" ? { optionId: decision.optionId } : "cancelled";
  }

  async question(question: AgentQuestion, { signal }: AskContext): Promise<string | undefined> {
    if (this.#client.clientCapabilities.elicitation?.form !== undefined)
      return answerIn(await this.#client.elicit(formOf(question), signal));
    if (question.options.length === 0) {
      this.#reports.otherwise("question_freeform", this.#session);
      return undefined;
    }
    this.#reports.otherwise("question", this.#session);
    const options = question.options.map(({ label }) => ({
      optionId: label,
      name: label,
      kind: "allow_once" as const,
    }));
    const decision = await this.#client.requestPermission(choiceOf(question), options, signal);
    return decision.outcome === "selected" ? decision.optionId : undefined;
  }

  #toolCall(call: ToolCallState): void | Promise<void> {
    const before = this.#calls.get(call.toolCallId);
    if (isEnd(call.status)) this.#calls.delete(call.toolCallId);
    else this.#calls.set(call.toolCallId, call);
    return this.#send([before === undefined ? startOf(call) : progressOf(before, call)]);
  }

  #send(updates: readonly SessionUpdate[]): void | Promise<void> {
    let slow: void | Promise<void> = undefined;
    for (const update of updates) slow = this.#client.update(update) ?? slow;
    return slow;
  }

  #report(event: AgentEvent, own: boolean): void {
    const report = (fact: Fact): void => this.#reports.report(fact, this.#session);
    if (!own && event.type === "stop") report("foreign_turn");
    if (event.type === "usage") {
      const { inputTokens, outputTokens, context, cost, sessionCost } = event.usage;
      if (inputTokens !== undefined || outputTokens !== undefined) report("usage_tokens");
      if (context === undefined && (cost ?? sessionCost) !== undefined)
        this.#reports.otherwise("usage_cost", this.#session);
    }
    if (event.type === "notice" && this.#client.clientCapabilities.session?.notices === undefined)
      this.#reports.otherwise("notice", this.#session);
    if (event.type !== "tool_call") return;
    const { status, contents } = event.toolCall;
    if (status === "rejected") report("tool_rejected");
    if (status === "cancelled") report("tool_cancelled");
    if (contents.some(({ type }) => type === "terminal")) report("tool_terminal");
  }
}
