import {
  type AcpAgentSession,
  type AcpPermissionAnswer,
  choiceIn,
  type ContentBlock,
  type PermissionOption,
  type SessionConfigOption,
  type SessionUpdate,
} from "@editwire/acp";
import { isWireError } from "@editwire/core";
import type { AgentEditor } from "../api/editor.js";
import type { AgentEvent, AgentPermission, AgentQuestion } from "../api/events.js";
import type { Fact } from "../mapping/facts.js";
import type { MappingReports } from "../mapping/reports.js";
import type { AgentSession, AskContext, SessionView, ViewContext } from "../api/session.js";
import { answeredText, noticeText } from "../shared/texts.js";
import { isEnd, type AgentToolCallState } from "../api/tool-call-state.js";
import { answerIn, choiceOf, formOf } from "./elicitation.js";
import { callUpdates, progressOf, toolCallOf, updatesOf } from "./updates.js";

/** Shows a session to an ACP client. */
export class AcpView implements SessionView {
  readonly name = "acp";
  /** The setting that the client is changing: it gets an answer, and no update. */
  changing: "mode" | "config_options" | undefined;
  readonly #client: AcpAgentSession;
  readonly #session: AgentSession;
  readonly #reports: MappingReports;
  /** The open tool calls, as the client knows them. */
  readonly #calls = new Map<string, AgentToolCallState>();
  /** The terminals of the client that the agent has made. */
  readonly #terminals = new Set<string>();
  /** The client's own messages, which it is not shown again. */
  readonly #said = new WeakSet<object>();

  constructor(client: AcpAgentSession, session: AgentSession, reports: MappingReports) {
    this.#client = client;
    this.#session = session;
    this.#reports = reports;
  }

  /** Notes a prompt of the client. */
  said(content: readonly ContentBlock[]): void {
    this.#said.add(content);
  }

  /** The client's services in a turn. Its terminals are then shown as such. */
  editorOf(client: AgentEditor): AgentEditor {
    return {
      ...client,
      readTextFile: (path, part) => this.#lent("editor_files", client.readTextFile(path, part)),
      writeTextFile: (path, content) => this.#lent("editor_files", client.writeTextFile(path, content)),
      createTerminal: async (command) => {
        const terminal = await this.#lent("editor_terminals", client.createTerminal(command));
        this.#terminals.add(terminal.terminalId);
        return terminal;
      },
      withMeta: (meta) => this.editorOf(client.withMeta(meta)),
    };
  }

  /** Reports what this client, or its dialect, does not lend. */
  async #lent<T>(fact: Fact, asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (isWireError(error, "invalid_params")) this.#otherwise(fact);
      throw error;
    }
  }

  /** Sends how the session is set, after its id. */
  announce(): void {
    const { commands, title, usage, configOptions } = this.#session;
    const others = configOptions.filter((option) => option !== choiceIn(configOptions, "mode"));
    if (others.length > 0 && !this.#showsSettings) this.#otherwise("config_options");
    this.#reportSwitches(configOptions);
    if (commands.length > 0) this.#send(updatesOf({ type: "commands", commands }));
    if (title !== undefined) this.#send(updatesOf({ type: "info", title }));
    if (usage !== undefined) this.#send(updatesOf({ type: "usage", usage }));
  }

  get #showsSettings(): boolean {
    const { configOptions } = this.#session;
    return updatesOf({ type: "config_options", configOptions }).every((update) => this.#client.shows(update));
  }

  event(event: AgentEvent, { own }: ViewContext): void | Promise<void> {
    this.#report(event, own);
    if (event.type === "user" && this.#said.has(event.content)) return;
    if (event.type === this.changing) return;
    if (event.type === "modes") return this.#modes(event.modes.currentModeId);
    if (event.type === "tool_call") return this.#toolCall(event.toolCall);
    if (event.type === "question") return; // who was asked knows it
    if (event.type === "stop" && !own) return this.#foreignStop(event);
    return this.#send(this.#updatesOf(event));
  }

  /** The end of a turn that another view prompted: clients get a stop reason for their own prompts only. */
  #foreignStop({ stopReason, error }: Extract<AgentEvent, { type: "stop" }>): void | Promise<void> {
    if (stopReason === "end_turn") return;
    return this.#send(paragraph(error?.message ?? `Stopped: ${stopReason}`));
  }

  /** The messages of the session, as a client that loads it is shown them. */
  history(): SessionUpdate[] {
    return this.#session.events.flatMap((event) => {
      this.#report(event, true);
      return this.#updatesOf(event);
    });
  }

  #updatesOf(event: AgentEvent): SessionUpdate[] {
    if (event.type === "question") return paragraph(answeredText(event));
    if (event.type === "notice" && !this.#takesNotices) return paragraph(noticeText(event.notice));
    return updatesOf(event);
  }

  get #takesNotices(): boolean {
    return this.#client.clientCapabilities.session?.notices !== undefined;
  }

  async permission({ toolCall, options, meta }: AgentPermission, { signal }: AskContext): Promise<AcpPermissionAnswer> {
    const decision = await this.#client.requestPermission(
      toolCallOf(toolCall, this.#terminals),
      options.map((one) => ({ ...one })),
      signal,
      meta,
    );
    return decision.outcome === "selected" ? { optionId: decision.optionId } : "cancelled";
  }

  async question(question: AgentQuestion, { signal }: AskContext): Promise<string | undefined> {
    if (this.#client.clientCapabilities.elicitation?.form !== undefined)
      return answerIn(await this.#client.elicit(formOf(question), signal));
    if (question.options.length === 0) {
      this.#otherwise("question_freeform");
      return undefined;
    }
    this.#otherwise("question");
    if (question.allowFreeform) this.#otherwise("question_freeform");
    const options = question.options.map(({ label }) => ({
      optionId: label,
      name: label,
      kind: "allow_once" as const,
    }));
    return this.#choice(question, options, signal);
  }

  /** Asks by a call that only asks, which is announced and ended as any other. */
  async #choice(
    question: AgentQuestion,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const call = choiceOf(question);
    let status: "completed" | "failed" = "failed";
    await this.#send([{ sessionUpdate: "tool_call", ...call }]);
    try {
      const decision = await this.#client.requestPermission(call, options, signal);
      if (decision.outcome === "cancelled") return undefined;
      status = "completed";
      return decision.optionId;
    } finally {
      await this.#send([{ sessionUpdate: "tool_call_update", toolCallId: call.toolCallId, status }]);
    }
  }

  /**
   * Clients get the list of the modes with their session, and later only which one is the current one, unless the mode
   * is a setting.
   */
  #modes(modeId: string): void | Promise<void> {
    const isSetting = choiceIn(this.#session.configOptions, "mode") !== undefined && this.#showsSettings;
    if (!isSetting) this.#otherwise("mode");
    return this.#send(updatesOf({ type: "mode", modeId }));
  }

  #toolCall(call: AgentToolCallState): void | Promise<void> {
    const before = this.#calls.get(call.toolCallId);
    if (isEnd(call.status)) this.#calls.delete(call.toolCallId);
    else this.#calls.set(call.toolCallId, call);
    return this.#send(
      before === undefined ? callUpdates(call, this.#terminals) : [progressOf(before, call, this.#terminals)],
    );
  }

  #send(updates: readonly SessionUpdate[]): void | Promise<void> {
    let slow: void | Promise<void> = undefined;
    for (const update of updates) if (this.#client.shows(update)) slow = this.#client.update(update) ?? slow;
    return slow;
  }

  /** Clients that do not declare them are sent no settings that are on or off. */
  #reportSwitches(options: readonly SessionConfigOption[]): void {
    const shows = this.#client.clientCapabilities.session?.configOptions?.boolean !== undefined;
    if (!shows && options.some(({ type }) => type === "boolean")) this.#otherwise("config_options");
  }

  #otherwise(fact: Fact): void {
    this.#reports.otherwise(fact, this.#session);
  }

  #report(event: AgentEvent, own: boolean): void {
    const report = (fact: Fact): void => this.#reports.report(fact, this.#session);
    if (!own && event.type === "stop") report("foreign_turn");
    if (event.type === "usage") {
      const { inputTokens, outputTokens, context, cost, sessionCost } = event.usage;
      if (inputTokens !== undefined || outputTokens !== undefined) report("usage_tokens");
      const shown = updatesOf(event).some((update) => this.#client.shows(update));
      if (!shown && context !== undefined) this.#otherwise("usage_context");
      if (!shown && (cost ?? sessionCost) !== undefined) this.#otherwise("usage_cost");
    }
    if (event.type === "config_options") this.#reportSwitches(event.configOptions);
    if (event.type === "info" && !updatesOf(event).some((update) => this.#client.shows(update)))
      this.#otherwise("info");
    if (event.type === "notice" && !this.#takesNotices) this.#otherwise("notice");
    if (event.type !== "tool_call") return;
    const { status, contents } = event.toolCall;
    if (status === "rejected") report("tool_rejected");
    if (status === "cancelled") report("tool_cancelled");
    if (contents.some((content) => content.type === "terminal" && !this.#terminals.has(content.terminalId)))
      report("tool_terminal");
  }
}

/** Text that stands by itself in an answer. */
function paragraph(text: string): SessionUpdate[] {
  return updatesOf({ type: "text", text: `\n\n${text}\n\n` });
}
