import type { AcpPermissionAnswer } from "@editwire/acp";
import type { EcaServerTurn } from "@editwire/eca";
import type { AgentEvent, AgentPermission, AgentQuestion, AgentStopReason, AgentUsage } from "../api/events.js";
import type { FactReports } from "../mapping/reports.js";
import type { AgentSession } from "../api/session.js";
import { isEnd, type AgentToolCallState } from "../api/tool-call-state.js";
import { isText, textOf } from "../shared/prompt.js";
import { partOf } from "./history.js";
import { reportLosses } from "./losses.js";
import { ShownCall } from "./shown-call.js";
import { hasOne, haveOwnKinds, idsByName } from "../shared/permission-options.js";
import { defaultOptions } from "../hub/turn.js";
import { noticeText, planText } from "../shared/texts.js";
import { taskDetails } from "./tool-calls.js";

export interface ShownTurnParts extends FactReports {
  readonly session: AgentSession;
  readonly asksQuestions: boolean;
  /** Whether the agent's turn takes what the client adds: before it begins, that waits. */
  takesSteers(): boolean;
}

/** One turn of the agent, as an ECA client sees it. */
export class ShownTurn {
  readonly #turn: EcaServerTurn;
  readonly #parts: ShownTurnParts;
  readonly #calls = new Map<string, ShownCall>();
  /** The messages that the user of this client added; they were shown already. */
  readonly #steered = new WeakSet<object>();
  /** The session's cost at the last usage. */
  #cost: number;

  constructor(turn: EcaServerTurn, parts: ShownTurnParts) {
    this.#turn = turn;
    this.#parts = parts;
    this.#cost = parts.session.usage?.sessionCost?.amount ?? 0;
    turn.onSteer(() => this.steer());
  }

  /** Shows an event. */
  event(event: AgentEvent): void | Promise<void> {
    const turn = this.#turn;
    reportLosses(event, this.#parts);
    switch (event.type) {
      case "user":
        if (this.#steered.has(event.content)) return;
        if (!isText(event.content)) this.#parts.otherwise("steer");
        return turn.content(
          { type: "text", text: `${textOf(event.content)}\n`, contentId: crypto.randomUUID() },
          "user",
        );
      case "text":
        return turn.text(event.text);
      case "content":
        return this.#content(event.content);
      case "thought":
        return turn.thought(event.text);
      case "plan":
        return this.#plan(event.entries);
      case "tool_call":
        return this.#toolCall(event.toolCall);
      case "usage":
        return this.#usage(event.usage);
      case "info":
        if (event.title !== undefined) return turn.content({ type: "metadata", title: event.title }, "system");
        return;
      case "notice":
        return turn.notice(`${noticeText(event.notice)}\n`);
      case "stop":
        return this.#stop(event.stopReason);
      default:
        return;
    }
  }

  /**
   * Asks whether a tool may run: to approve it where that means one option, else by the names of the options.
   * `undefined` when the turn ends here first: another editor may still answer.
   */
  async permission(permission: AgentPermission, signal: AbortSignal): Promise<AcpPermissionAnswer | undefined> {
    const { toolCall, options } = permission;
    const call = this.#calls.get(toolCall.toolCallId) ?? this.#show(toolCall);
    void call.next(toolCall); // the client may have come after the call began to wait
    const isLate = this.#parts.asksQuestions && (await call.runs()); // a question adds no call
    if (isLate || !hasOne(options, "allow_once") || !haveOwnKinds(options))
      return this.#choice(permission, call, signal);
    if (options !== defaultOptions) this.#parts.report("permission_options");
    const allowed = await call.permission(toolCall);
    if (this.#turn.signal.aborted) return undefined;
    return allowed ? "allow_once" : "reject_once";
  }

  /** Who approves none of the options rejects the call. */
  async #choice(
    { toolCall, options }: AgentPermission,
    call: ShownCall,
    signal: AbortSignal,
  ): Promise<AcpPermissionAnswer | undefined> {
    const { title, toolCallId } = toolCall;
    const ids = idsByName(options);
    const { asksQuestions } = this.#parts;
    if (!asksQuestions) this.#parts.otherwise("permission_options");
    const names = [...ids.keys()];
    const name = asksQuestions
      ? await this.#turn.ask(title, {
          options: names.map((label) => ({ label })),
          allowFreeform: false,
          toolCallId,
          signal,
        })
      : await call.choice(toolCall, names, signal);
    if (this.#turn.signal.aborted) return undefined;
    const optionId = name === undefined ? undefined : ids.get(name);
    return optionId === undefined ? "reject_once" : { optionId };
  }

  /** Asks anything else. */
  async question(question: AgentQuestion, signal: AbortSignal): Promise<string | undefined> {
    if (!this.#parts.asksQuestions) {
      if (question.options.length > 0) this.#parts.otherwise("question");
      if (question.allowFreeform) this.#parts.otherwise("question_freeform");
      return undefined;
    }
    const { question: text, options, allowFreeform, toolCallId } = question;
    return this.#turn.ask(text, {
      allowFreeform,
      signal,
      ...(options.length === 0 ? {} : { options: options.map((option) => ({ ...option })) }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    });
  }

  /** The binding shows the error of a turn, and that the client cancelled it. */
  #stop(stopReason: AgentStopReason): void | Promise<void> {
    if (stopReason === "end_turn") return;
    this.#parts.report(stopReason === "error" ? "stop_error" : "stop");
    if (stopReason !== "error") return this.#turn.notice(`Stopped: ${stopReason}\n`); // unless it was cancelled here
  }

  /** Gives the agent's turn what the client has added, if it takes that now. */
  steer(): void {
    if (!this.#parts.takesSteers()) return;
    for (const { text } of this.#turn.takeSteers()) {
      const content = [{ type: "text" as const, text }];
      this.#steered.add(content);
      this.#parts.session.steer(content);
    }
  }

  async #content(content: Extract<AgentEvent, { type: "content" }>["content"]): Promise<void> {
    for (const part of partOf(content)) await this.#turn.content(part);
  }

  async #plan(entries: Extract<AgentEvent, { type: "plan" }>["entries"]): Promise<void> {
    const call = await this.#turn.toolCall({ name: "plan", title: "Plan", details: taskDetails(entries) });
    await call.complete(planText(entries));
  }

  #toolCall(state: AgentToolCallState): void | Promise<void> {
    const call = this.#calls.get(state.toolCallId) ?? this.#show(state);
    if (call.hasOtherName(state)) this.#parts.otherwise("tool_call");
    if (call.hasOtherInput(state)) this.#parts.otherwise("tool_input");
    if (isEnd(state.status)) this.#calls.delete(state.toolCallId);
    return call.next(state);
  }

  #show(state: AgentToolCallState): ShownCall {
    const call = new ShownCall(this.#turn, state);
    this.#calls.set(state.toolCallId, call);
    return call;
  }

  #usage({ inputTokens, outputTokens, context, cost, sessionCost }: AgentUsage): void | Promise<void> {
    const other = [cost, sessionCost].find((one) => one !== undefined && one.currency !== "USD");
    if (other !== undefined) this.#parts.otherwise("usage_cost");
    const before = this.#cost;
    this.#cost = sessionCost?.amount ?? before;
    const dollars = other === undefined ? (cost?.amount ?? (sessionCost && sessionCost.amount - before)) : undefined;
    return this.#turn.usage({
      inputTokens: inputTokens ?? 0,
      outputTokens: outputTokens ?? 0,
      ...(dollars === undefined ? {} : { cost: dollars, sessionCost: sessionCost?.amount }),
      // The part that the model may write is not known: no model writes more than its context.
      ...(context === undefined
        ? {}
        : { contextTokens: context.used, limit: { context: context.size, output: context.size } }),
    });
  }
}
