import type { AcpPermissionAnswer } from "@editwire/acp";
import type { KaiakServerTurn } from "@editwire/kaiak";
import type { AgentEvent, AgentNotice, AgentPermission, AgentPlanEntry, AgentQuestion } from "../api/events.js";
import type { Fact } from "../mapping/facts.js";
import type { MappingReports } from "../mapping/reports.js";
import { hasOne, haveOwnKinds, idsByName } from "../shared/permission-options.js";
import type { AgentSession, AskContext, ChooseSignIn, SessionView, ViewContext } from "../api/session.js";
import { blockText, questionText, usageText } from "../shared/texts.js";
import { isEnd, type AgentToolCallState } from "../api/tool-call-state.js";
import { textOf } from "../shared/prompt.js";
import { optionsOf } from "./options.js";
import { areSafe, policyOf } from "./policy.js";
import { diffsOf, KaiakCalls } from "./tool-calls.js";

export interface KaiakViewParts {
  readonly turn: KaiakServerTurn;
  readonly session: AgentSession;
  readonly reports: MappingReports;
  /** Milliseconds that the user has to answer. */
  readonly answerTimeoutMs: number | undefined;
  readonly signIn: ChooseSignIn;
}

/** Shows a session to a Kaiak client during one run: outside of runs, Kaiak has no messages. */
export class KaiakView implements SessionView {
  readonly name = "kaiak";
  readonly #parts: KaiakViewParts;
  readonly #calls: KaiakCalls;
  /** The client expects more of the text. */
  #inText = false;

  constructor(parts: KaiakViewParts) {
    this.#parts = parts;
    this.#calls = new KaiakCalls(parts.turn, parts.session.cwd);
  }

  event(event: AgentEvent, { own, turn: agentTurn }: ViewContext): void | Promise<void> {
    if (agentTurn !== undefined && !own) return this.#report("foreign_turn");
    const { turn } = this.#parts;
    const explains = this.#parts.turn.options.include_explanations !== false;
    if (!explains && (event.type === "text" || event.type === "thought")) return;
    if (event.type === "text") {
      this.#inText = true;
      return turn.text(event.text, { partial: true });
    }
    const isOwnPrompt = event.type === "user" && event.content === agentTurn?.prompt;
    if (isOwnPrompt || event.type === "permission" || event.type === "question") return;
    if (this.#inText) void turn.text("", { partial: false });
    this.#inText = false;
    return this.#other(event);
  }

  get signIn(): ChooseSignIn {
    return this.#parts.signIn;
  }

  lendsNothing(): void {
    this.#parts.reports.lendsNothing(this.#parts.session);
  }

  async permission(permission: AgentPermission, { signal, own }: AskContext): Promise<AcpPermissionAnswer | undefined> {
    if (!own) return undefined;
    const { turn } = this.#parts;
    const { toolCall } = permission;
    const policy = policyOf(toolCall, turn.configuration);
    if (policy === "deny") return "reject_once";
    const isSafe = turn.options.auto_apply_safe_fixes === true && areSafe(diffsOf(toolCall));
    const isOnlyYes = hasOne(permission.options, "allow_once");
    if ((policy === "allow" || isSafe) && isOnlyYes) return "allow_once";
    this.#report("permission_options");
    if (diffsOf(toolCall).length > 0) {
      const answer = await this.#approval(toolCall, signal);
      if (answer !== "allow_once" || isOnlyYes) return answer;
      const allows = permission.options.filter(({ kind }) => kind.startsWith("allow"));
      return this.#choice("choice", toolCall, idsByName(allows), signal);
    }
    if (haveOwnKinds(permission.options))
      return this.#choice("tool_permission", toolCall, optionsOf(permission.options), signal);
    return this.#choice("choice", toolCall, idsByName(permission.options), signal);
  }

  /** Asks for one of the answers, which stand for options. No answer rejects the call. */
  async #choice(
    type: "choice" | "tool_permission",
    { title: prompt }: AgentToolCallState,
    ids: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<AcpPermissionAnswer | undefined> {
    const { turn, answerTimeoutMs: timeoutMs } = this.#parts;
    const defaultResponse = type === "tool_permission" && ids.has("deny") ? "deny" : undefined;
    const answer = await turn.ask({ type, prompt, options: [...ids.keys()], defaultResponse, timeoutMs, signal });
    const optionId = answer === undefined ? undefined : ids.get(answer);
    if (optionId !== undefined) return { optionId };
    return signal.aborted ? undefined : "reject_once";
  }

  /** Asks about each change of a call. A wish of the user instead of one is added to the turn. */
  async #approval(toolCall: AgentToolCallState, signal: AbortSignal): Promise<AcpPermissionAnswer | undefined> {
    const { turn, session, answerTimeoutMs: timeoutMs } = this.#parts;
    for (const diff of diffsOf(toolCall)) {
      const change = this.#calls.proposal(toolCall, diff);
      const answer = await turn.proposeFileModification(change, { defaultResponse: "deny", timeoutMs, signal });
      if (answer === "approve") continue;
      const prompt = `What should be different in ${change.file_path}?`;
      const wish = answer === "edit" ? await turn.ask({ type: "text_input", prompt, timeoutMs, signal }) : undefined;
      if (wish !== undefined && wish !== "") session.steer(`In ${change.file_path}: ${wish}`);
      return signal.aborted ? undefined : "reject_once";
    }
    return "allow_once";
  }

  async question(question: AgentQuestion, { signal, own }: AskContext): Promise<string | undefined> {
    if (!own) return undefined;
    const { turn, session, reports, answerTimeoutMs: timeoutMs } = this.#parts;
    const options = question.options.map(({ label }) => label);
    if (question.toolCallId !== undefined) reports.otherwise("question", session);
    if (options.length === 0) return turn.ask({ prompt: question.question, timeoutMs, signal });
    if (question.allowFreeform) reports.otherwise("question_freeform", session);
    const isExplained = question.options.some(({ description }) => description !== undefined);
    const prompt = isExplained ? questionText(question) : question.question;
    return turn.ask({ prompt, options, timeoutMs, signal });
  }

  #other(event: AgentEvent): void | Promise<void> {
    const { turn } = this.#parts;
    switch (event.type) {
      case "user":
        this.#report("steer");
        return turn.system({ message: textOf(event.content), level: "info", component: "user" });
      case "content":
        this.#report("content");
        return turn.text(blockText(event.content));
      case "thought":
        return turn.thought(event.text);
      case "plan":
        this.#report("plan");
        return turn.progress(progressOf(event.entries));
      case "tool_call":
        return this.#toolCall(event.toolCall);
      case "usage":
        return this.#usage(event);
      case "notice":
        return this.#notice(event.notice);
      case "stop":
        return this.#stop(event);
      case "modes":
        return this.#report("mode");
      case "mode":
      case "config_options":
      case "commands":
      case "info":
        return this.#report(event.type);
    }
  }

  #notice({ text: message, severity: level }: AgentNotice): void | Promise<void> {
    const { turn } = this.#parts;
    if (level === "error") return turn.error({ error_code: "AGENT_NOTICE", message, recoverable: true });
    return turn.system({ message, level, component: "agent" });
  }

  async #toolCall(call: AgentToolCallState): Promise<void> {
    const contents = call.contents.map(({ type }) => type);
    this.#report("tool_call");
    if (call.kind !== undefined) this.#report("tool_kind");
    if (call.locations.length > diffsOf(call).length) this.#report("tool_locations");
    if (contents.includes("terminal")) this.#report("tool_terminal");
    if (call.status === "cancelled") this.#report("tool_cancelled");
    const { reports, session } = this.#parts;
    const isShown = call.output !== undefined || contents.some((type) => type === "text" || type === "content");
    if (isShown && (!isEnd(call.status) || call.status === "rejected")) reports.otherwise("tool_output", session);
    for (const fact of await this.#calls.show(call)) reports.otherwise(fact, session);
  }

  #usage({ usage }: Extract<AgentEvent, { type: "usage" }>): void | Promise<void> {
    const { inputTokens, outputTokens, context, cost, sessionCost } = usage;
    if (context !== undefined) this.#report("usage_context");
    if ((inputTokens ?? outputTokens) !== undefined) this.#report("usage_tokens");
    if ((cost ?? sessionCost) !== undefined) this.#report("usage_cost");
    return this.#parts.turn.system({ message: usageText(usage), level: "info", component: "usage" });
  }

  #stop({ stopReason, error }: Extract<AgentEvent, { type: "stop" }>): void | Promise<void> {
    if (stopReason === "end_turn" || stopReason === "cancelled") return;
    const { turn } = this.#parts;
    if (stopReason !== "error") {
      this.#report("stop");
      const message = `The agent stopped: ${stopReason}`;
      return turn.error({ error_code: stopReason.toUpperCase(), message, recoverable: false });
    }
    const { message = "Internal error", code, data } = error ?? {};
    const details = code === undefined ? undefined : JSON.stringify({ code, data });
    return turn.error({ error_code: "AGENT_ERROR", message, recoverable: false, ...(details && { details }) });
  }

  #report(fact: Fact): void {
    this.#parts.reports.report(fact, this.#parts.session);
  }
}

/** A plan as progress: how much of it is done, and the step that runs. */
function progressOf(entries: readonly AgentPlanEntry[]) {
  const done = entries.filter(({ status }) => status === "completed").length;
  const current =
    entries.find(({ status }) => status === "in_progress") ?? entries.find((one) => one.status === "pending");
  return {
    percentage: entries.length === 0 ? 0 : Math.round((100 * done) / entries.length),
    phase: "plan",
    description: current?.content ?? `${done} of ${entries.length} steps are done`,
    total_steps: entries.length,
    ...(current === undefined ? {} : { current_step: current.content }),
  };
}
