import type { AcpPermissionAnswer } from "@editwire/acp";
import type { HelixZedAgentTurn, HelixZedMessage } from "@editwire/helix-zed";
import type { AgentEvent, AgentPermission, AgentQuestion, AgentUsage } from "../api/events.js";
import type { Fact } from "../mapping/facts.js";
import type { MappingReports } from "../mapping/reports.js";
import type { AgentSession, AskContext, SessionView, ViewContext } from "../api/session.js";
import { blockText, noticeText, planText, questionText, quoted } from "../shared/texts.js";
import type { AgentToolCallState } from "../api/tool-call-state.js";
import { textOf } from "../shared/prompt.js";
import { HelixZedCalls } from "./tool-calls.js";

export interface HelixZedViewParts {
  readonly turn: HelixZedAgentTurn;
  readonly session: AgentSession;
  readonly reports: MappingReports;
  readonly policies: HelixZedPolicies;
}

/** Shows a session to a Helix-like host during one answer: outside of answers, agents have no messages. */
export class HelixZedView implements SessionView {
  readonly name = "helix-zed";
  readonly #parts: HelixZedViewParts;
  readonly #calls: HelixZedCalls;
  /** The message that text, or a thought, is added to. */
  #growing: { readonly type: "text" | "thought"; readonly message: HelixZedMessage } | undefined;
  #inputTokens = 0;
  #outputTokens = 0;

  constructor(parts: HelixZedViewParts) {
    this.#parts = parts;
    this.#calls = new HelixZedCalls(parts.turn);
  }

  event(event: AgentEvent, { own, turn }: ViewContext): void | Promise<void> {
    if (turn !== undefined && !own) return this.#report("foreign_turn");
    switch (event.type) {
      case "user":
        if (event.content === turn?.prompt) return; // the host's own words
        this.#report("steer");
        return this.#aside(quoted(textOf(event.content)));
      case "text":
        return this.#grow("text", event.text);
      case "thought":
        this.#report("thought");
        return this.#grow("thought", event.text);
      case "content":
        this.#report("content");
        return this.#aside(blockText(event.content));
      case "plan":
        this.#report("plan");
        return this.#aside(planText(event.entries));
      case "tool_call":
        return this.#toolCall(event.toolCall);
      case "question":
        if (event.answered !== true) return this.#aside(questionText(event.question));
        return;
      case "usage":
        return this.#usage(event.usage);
      case "notice":
        this.#report("notice");
        return this.#aside(`**${noticeText(event.notice)}**`);
      case "info":
        return this.#title(event.title);
      case "stop":
        return this.#stop(event);
      case "modes":
        return this.#report("mode");
      case "mode":
      case "config_options":
      case "commands":
        return this.#report(event.type);
      case "permission":
        return;
    }
  }

  lendsNothing(): void {
    this.#parts.reports.lendsNothing(this.#parts.session);
  }

  async permission(permission: AgentPermission, context: AskContext): Promise<AcpPermissionAnswer | undefined> {
    if (!context.own) return undefined;
    this.#report("permission");
    this.#report("permission_options");
    const { permission: policy } = this.#parts.policies;
    return typeof policy === "function" ? policy(permission, context) : policy;
  }

  async question(question: AgentQuestion, context: AskContext): Promise<string | undefined> {
    if (!context.own) return undefined;
    this.#report("question");
    if (question.allowFreeform) this.#report("question_freeform");
    return this.#parts.policies.question?.(question, context);
  }

  async signIn(): Promise<undefined> {
    this.#report("sign_in");
  }

  /** Sends how the session is set. */
  announce(): void {
    const { modes, configOptions, commands, title } = this.#parts.session;
    if (modes !== undefined) this.#report("mode");
    if (configOptions.length > 0) this.#report("config_options");
    if (commands.length > 0) this.#report("commands");
    if (title !== undefined) this.#title(title);
  }

  #grow(type: "text" | "thought", text: string): void | Promise<void> {
    const isNew = this.#growing?.type !== type;
    if (isNew) this.#growing = { type, message: this.#parts.turn.startMessage() };
    const quote = type === "thought";
    const written = quote ? `${isNew ? "> " : ""}${text.replaceAll("\n", "\n> ")}` : text;
    return this.#growing?.message.text(written);
  }

  /** A message of its own. */
  #aside(text: string): void | Promise<void> {
    this.#growing = undefined;
    return this.#parts.turn.startMessage().text(text);
  }

  #toolCall(call: AgentToolCallState): void | Promise<void> {
    const { turn, reports, session } = this.#parts;
    if (!turn.traits.toolCalls) reports.otherwise("tool_call", session);
    if ((call.kind ?? call.name) !== undefined) this.#report("tool_kind");
    if (call.input !== undefined) this.#report("tool_input");
    if (call.output !== undefined || call.contents.some(({ type }) => type === "text" || type === "content"))
      this.#report("tool_output");
    if (call.locations.length > 0) this.#report("tool_locations");
    for (const { type } of call.contents) {
      if (type === "diff") this.#report("tool_diff");
      if (type === "terminal") this.#report("tool_terminal");
    }
    this.#growing = undefined;
    return this.#calls.show(call);
  }

  #usage({ inputTokens = 0, outputTokens = 0, context, cost, sessionCost }: AgentUsage): void {
    const { turn, reports, session } = this.#parts;
    if (context !== undefined) this.#report("usage_context");
    if ((cost ?? sessionCost) !== undefined) this.#report("usage_cost");
    if (!turn.traits.readiness) reports.otherwise("usage_tokens", session);
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    const total_tokens = this.#inputTokens + this.#outputTokens;
    if (total_tokens > 0)
      turn.usage({ input_tokens: this.#inputTokens, output_tokens: this.#outputTokens, total_tokens });
  }

  #title(title: string | undefined): void {
    const { turn, reports, session } = this.#parts;
    if (!turn.traits.titles) reports.otherwise("info", session);
    if (title !== undefined) turn.title(title);
  }

  #stop({ stopReason, error }: Extract<AgentEvent, { type: "stop" }>): void | Promise<void> {
    const { turn, reports, session } = this.#parts;
    if (stopReason === "end_turn" || turn.signal.aborted) return;
    if (stopReason === "error") {
      if (turn.traits.errors) return error?.code === undefined ? undefined : this.#report("stop_error");
      reports.otherwise("stop_error", session);
      return this.#aside(`**${error?.message ?? "Internal error"}**`);
    }
    this.#report("stop");
    return this.#aside(`(stopped: ${stopReason})`);
  }

  #report(fact: Fact): void {
    this.#parts.reports.report(fact, this.#parts.session);
  }
}

/** Who answers in place of the user, whom a Helix-Zed host cannot ask. */
export interface HelixZedPolicies {
  /**
   * Decides whether a tool may run: always the same, or by a function. Default: another view of the session may answer;
   * without one, the call is rejected.
   */
  permission?:
    | AcpPermissionAnswer
    | ((permission: AgentPermission, context: AskContext) => Promise<AcpPermissionAnswer | undefined>)
    | undefined;
  /** Answers questions. Default: another view of the session may answer; without one, there is no answer. */
  question?: ((question: AgentQuestion, context: AskContext) => Promise<string | undefined>) | undefined;
}
