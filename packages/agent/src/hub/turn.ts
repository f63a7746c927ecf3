import { type AcpPermissionAnswer, ambiguityOf, type ContentBlock, type Meta, outcomeOf } from "@editwire/acp";
import { isRemoteError, isWireError, RemoteError } from "@editwire/core";
import { AnsweredTurn, shown, type TurnOutcome, WholeCharacters } from "@editwire/session";
import type { AgentEditor } from "../api/editor.js";
import type {
  AgentEvent,
  AgentNotice,
  AgentPermissionDecision,
  AgentPermissionOption,
  AgentPlanEntry,
  AgentStopReason,
  AgentUsage,
} from "../api/events.js";
import type {
  AgentSession,
  AgentSteer,
  AgentTurnHandler,
  AskUserOptions,
  SessionView,
  TurnEnd,
} from "../api/session.js";
import type { PromptedTurn, SessionViews } from "./views.js";
import { type AgentToolCall, RunningToolCall } from "../api/tool-call.js";
import type { AgentNewToolCall } from "../api/tool-call-state.js";
import { textOf } from "../shared/prompt.js";

/** The options of a permission request that names none. */
export const defaultOptions: readonly AgentPermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** The prompt of a turn. */
export interface TurnPrompt {
  readonly content: readonly ContentBlock[];
  readonly meta: Meta | undefined;
  readonly promptedBy: SessionView | undefined;
  readonly editor: AgentEditor | undefined;
}

/** How a turn runs. */
export interface TurnRun {
  readonly handler: AgentTurnHandler;
  readonly cancelGraceMs: number;
  readonly onError: (error: unknown) => void;
}

interface TurnSession extends AgentSession {
  readonly views: SessionViews;
  /** Gives an event to every view. */
  emit(event: AgentEvent, turn: PromptedTurn): void | Promise<void>;
  /** Whether a tool call with this id has ended. */
  hasEnded(toolCallId: string): boolean;
  report(error: unknown, where: string): void;
  diagnose(id: string, message: string): void;
  /** Stores the session. */
  keep(): void | Promise<void>;
}

/** An `AgentTurn` with the part that its session uses. */
export class RunningTurn implements PromptedTurn {
  readonly id = crypto.randomUUID();
  readonly session: TurnSession;
  readonly prompt: readonly ContentBlock[];
  readonly meta: Meta | undefined;
  readonly promptedBy: SessionView | undefined;
  readonly #editor: AgentEditor | undefined;
  readonly #turn: AnsweredTurn;
  readonly #characters = { text: new WholeCharacters(), thought: new WholeCharacters() };
  #steers: AgentSteer[] = [];
  #onSteer = (): void => {};

  constructor(session: TurnSession, { content, meta, promptedBy, editor }: TurnPrompt) {
    this.session = session;
    this.prompt = content;
    this.meta = meta;
    this.promptedBy = promptedBy;
    this.#editor = editor;
    this.#turn = new AnsweredTurn(`the turn of session ${session.id}`);
  }

  get signal(): AbortSignal {
    return this.#turn.signal;
  }

  /** True after a cancel. */
  get cancelled(): boolean {
    return this.#turn.cancelled;
  }

  get from(): string | undefined {
    return this.promptedBy?.name;
  }

  get editor(): AgentEditor | undefined {
    if (this.#editor === undefined) this.promptedBy?.lendsNothing?.();
    return this.#editor;
  }

  get promptText(): string {
    return textOf(this.prompt);
  }

  text(text: string): void | Promise<void> {
    checkText("text", text);
    return this.send({ type: "text", text });
  }

  thought(text: string): void | Promise<void> {
    checkText("thought", text);
    return this.send({ type: "thought", text });
  }

  content(content: ContentBlock): void | Promise<void> {
    return this.send(isText(content) ? { type: "text", text: content.text } : { type: "content", content });
  }

  plan(entries: readonly AgentPlanEntry[]): void | Promise<void> {
    return this.send({ type: "plan", entries });
  }

  usage(usage: AgentUsage): void | Promise<void> {
    return this.send({ type: "usage", usage });
  }

  notice(text: string, severity: AgentNotice["severity"] = "info"): void | Promise<void> {
    return this.send({ type: "notice", notice: { severity, text } });
  }

  send(event: AgentEvent): void | Promise<void> {
    this.#check();
    if (event.type !== "text" && event.type !== "thought") return this.session.emit(event, this);
    const text = this.#characters[event.type].of(event.text);
    if (text === event.text) return this.session.emit(event, this);
    if (text !== "") return this.session.emit({ ...event, text }, this);
  }

  async toolCall(call: AgentNewToolCall): Promise<RunningToolCall> {
    this.#check();
    if (typeof call?.title !== "string")
      throw new TypeError(`turn.toolCall: expected { title: "…" }, received ${shown(call)}`);
    let onEnd = (): void => {};
    // Models count their calls from 0 again, and editors change the call that they know by an id.
    const isTaken = call.toolCallId !== undefined && this.session.hasEnded(call.toolCallId);
    const toolCall = new RunningToolCall(isTaken ? { ...call, toolCallId: undefined } : call, {
      send: (state) => this.session.emit({ type: "tool_call", toolCall: state }, this),
      onEnd: () => onEnd(),
      check: () => this.#check(),
    });
    onEnd = this.#turn.opened(() => toolCall.abandon(this.#turn.cancelled ? "cancelled" : "failed"));
    await toolCall.announce();
    return toolCall;
  }

  async requestPermission(
    toolCall: AgentToolCall,
    options: readonly AgentPermissionOption[] = defaultOptions,
    meta?: Meta,
  ): Promise<AgentPermissionDecision> {
    if (!(toolCall instanceof RunningToolCall)) throw new TypeError("requestPermission: expected a call of this turn");
    if (this.#turn.cancelled) return { outcome: "cancelled", allowed: false };
    await toolCall.change("waiting", {});
    const permission = { permissionId: crypto.randomUUID(), toolCall: toolCall.state, options };
    void this.send({ type: "permission", permission });
    const asked = meta === undefined ? permission : { ...permission, meta };
    const answer = await this.session.views.ask((view, context) => view.permission?.(asked, context), this);
    const decision = this.#decisionOf(answer, options);
    if (this.#turn.state !== "open") return decision;
    await this.send({ type: "permission", permission, decision });
    if (decision.allowed) await toolCall.change("in_progress", {});
    else await toolCall.change(this.#turn.cancelled ? "cancelled" : "rejected", {});
    return decision;
  }

  async ask(
    text: string,
    { options = [], allowFreeform = true, toolCallId }: AskUserOptions = {},
  ): Promise<string | undefined> {
    this.#check();
    checkText("ask", text);
    if (this.#turn.cancelled) return undefined;
    const choices = options.map((option) => (typeof option === "string" ? { label: option } : option));
    const questionId = crypto.randomUUID();
    const question = { questionId, question: text, options: choices, allowFreeform, toolCallId };
    void this.send({ type: "question", question });
    const answer = await this.session.views.ask((view, context) => view.question?.(question, context), this);
    if (this.#turn.state === "open") await this.send({ type: "question", question, answered: true, answer });
    return answer;
  }

  report(error: unknown): void {
    this.session.report(error, "prompt");
  }

  takeSteers(): readonly AgentSteer[] {
    this.#check();
    const taken = this.#steers;
    this.#steers = [];
    if (taken.length > 0) void this.session.keep();
    return this.#turn.cancelled ? [] : taken;
  }

  /** Keeps a message of the user until the handler takes it, and shows it. */
  steer(content: readonly ContentBlock[], meta?: Meta): void | Promise<void> {
    this.#check();
    this.#steers.push({ content, text: textOf(content), meta });
    const sent = this.send({ type: "user", content });
    this.#onSteer();
    return sent;
  }

  onSteer(listener: () => void): void {
    this.#onSteer = listener;
  }

  /** The messages of the user that the handler has not taken, as one, with the `_meta` of the last one. */
  get untaken(): { readonly content: readonly ContentBlock[]; readonly meta: Meta | undefined } {
    return { content: this.#steers.flatMap(({ content }) => content), meta: this.#steers.at(-1)?.meta };
  }

  /** Ends the turn as `cancelled`, now or as soon as it starts. */
  cancel(): void {
    this.#turn.cancel();
  }

  /** Runs the agent's handler until the turn has ended. Never rejects. */
  run({ handler, cancelGraceMs, onError }: TurnRun): Promise<TurnEnd> {
    const end = (outcome: TurnOutcome<AgentStopReason | void>): TurnEnd => endOf(outcome, onError);
    return this.#turn.run(() => handler(this), { cancelGraceMs, holdsProcess: true, onError, end });
  }

  #decisionOf(answer: AcpPermissionAnswer | undefined, offered: readonly AgentPermissionOption[]) {
    const cancelled = { outcome: "cancelled", allowed: false } as const;
    if (this.#turn.cancelled) return cancelled;
    if (answer === undefined) this.session.diagnose("agent.no-answer", "No view could ask for a permission: rejected");
    const options = offered.map((option) => ({ ...option }));
    const given = answer ?? "reject_once";
    const why = ambiguityOf(given, options);
    if (why !== undefined) this.session.diagnose("agent.ambiguous-answer", `A permission is not given: ${why}`);
    const outcome = outcomeOf(given, options);
    if (outcome.outcome === "cancelled") return cancelled;
    const chosen = options.find(({ optionId }) => optionId === outcome.optionId);
    if (chosen === undefined) return cancelled;
    const { optionId, kind } = chosen;
    return { outcome: "selected", optionId, kind, allowed: kind.startsWith("allow") } as const;
  }

  #check(): void {
    this.#turn.check("AgentTurn");
  }
}

function isText(content: ContentBlock): content is Extract<ContentBlock, { type: "text" }> {
  return content.type === "text";
}

function endOf(outcome: TurnOutcome<AgentStopReason | void>, onError: (error: unknown) => void): TurnEnd {
  if (outcome.type === "cancelled") return { stopReason: "cancelled" };
  if (outcome.type === "returned" && isReason(outcome.result)) return { stopReason: outcome.result ?? "end_turn" };
  const error = outcome.type === "returned" ? wrongReason(outcome.result) : outcome.error;
  if (!isRemoteError(error)) onError(error);
  if (!isRemoteError(error) && !isWireError(error, "overloaded"))
    return { stopReason: "error", error: { message: "Internal error" } };
  const { message, code, data } = RemoteError.of(error);
  return { stopReason: "error", error: { message, code, data } };
}

const reasons: readonly unknown[] = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", undefined];

function isReason(result: AgentStopReason | void): result is Exclude<AgentStopReason, "error"> | undefined {
  return reasons.includes(result);
}

function wrongReason(result: unknown): TypeError {
  const expected = reasons.slice(0, -1).join(", ");
  return new TypeError(
    `prompt: expected the handler to return nothing or one of ${expected}, received ${shown(result)}`,
  );
}

/** Throws a `TypeError` for what is not a string. */
function checkText(method: string, text: unknown): void {
  if (typeof text !== "string") throw new TypeError(`turn.${method}: expected a string, received ${shown(text)}`);
}
