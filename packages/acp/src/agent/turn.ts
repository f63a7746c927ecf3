import type {
  AcpParams,
  AcpResult,
  ContentBlock,
  Meta,
  PermissionOption,
  PlanEntry,
  SessionUpdate,
  StopReason,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import { isWireError } from "@editwire/core";
import { AnsweredTurn, WholeCharacters } from "@editwire/session";
import type { AcpAgentClient } from "./client-services.js";
import type { AgentSession, WaitingPrompt } from "./session.js";
import type { AcpAgentSession } from "./session-api.js";
import { sessionServices } from "./session-services.js";
import type { AcpPermissionDecision } from "./session-client.js";
import { type AcpToolCall, AgentToolCall, type AcpNewToolCall } from "./tool-call.js";
import type { AcpContextUsage } from "../client/events.js";

/**
 * Runs a turn of an agent. Returning nothing means `end_turn`; an object is the whole answer, with its `_meta`. The
 * type takes async functions only: beside plain stop reasons, TypeScript reads the text in `async () => "refusal"` as
 * any string.
 */
export type AcpTurnHandler = (turn: AcpAgentTurn) => Promise<StopReason | AcpResult<"session/prompt"> | void>;

/** The two options of the specification (6.1). */
export const defaultPermissionOptions: readonly PermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/**
 * One prompt turn of the agent. Everything sent through it reaches the client before the turn's result; after the turn
 * has ended it throws `WireError("closed")`. Methods return a promise only when the client is slow.
 */
export interface AcpAgentTurn {
  readonly session: AcpAgentSession;
  readonly prompt: readonly ContentBlock[];
  /** The text blocks of the prompt, joined by blank lines. */
  readonly promptText: string;
  /** The `_meta` of the prompt. */
  readonly meta: Meta | undefined;
  /** Aborts when the client cancels the turn or its connection closes. */
  readonly signal: AbortSignal;
  /** The services of the session's client: files, terminals, questions to the user. */
  readonly client: AcpAgentClient;
  /**
   * Takes the prompts that came since the last call, for the model's next step; with `whenBusy: "steer"`. Each is
   * answered when this turn ends, as this one is. Prompts that are not taken get turns of their own afterwards. Empty
   * when there are none.
   */
  takeSteers(): readonly AcpSteer[];
  /** Calls `listener` when a prompt came that `takeSteers` then returns. */
  onSteer(listener: () => void): void;
  /** Sends an `agent_message_chunk` of text, verbatim. */
  text(text: string): void | Promise<void>;
  /** Sends an `agent_thought_chunk` of text. */
  thought(text: string): void | Promise<void>;
  /** Sends the complete plan; it replaces the one that the client has. */
  plan(entries: PlanEntry[]): void | Promise<void>;
  /** Sends a `usage_update`; a client whose dialect lacks it does not get one. */
  usage(usage: AcpContextUsage): void | Promise<void>;
  /** Sends any other update, unless the client's dialect lacks it: that is reported as `missing-update`. */
  update(update: SessionUpdate): void | Promise<void>;
  /** Announces a tool call as `in_progress`. One that is still open when the turn ends is reported as `failed`. */
  toolCall(call: AcpNewToolCall): Promise<AcpToolCall>;
  /**
   * Asks the user whether a tool may run. When the turn is cancelled or the connection closes, the answer is
   * `cancelled`, at once. A client that answers with an error does not allow the tool. Default options: `allow_once`
   * and `reject_once`. `_meta` is sent with the request.
   */
  requestPermission(
    toolCall: AcpToolCall | ToolCallUpdate,
    options?: readonly PermissionOption[],
    _meta?: Meta,
  ): Promise<AcpPermissionDecision>;
}

/** A prompt that the user added to a running turn. */
export interface AcpSteer {
  readonly prompt: readonly ContentBlock[];
  /** The text blocks of the prompt, joined by blank lines. */
  readonly promptText: string;
  /** The `_meta` of the prompt. */
  readonly meta: Meta | undefined;
}

/** How a turn runs. */
export interface TurnRun {
  readonly handler: AcpTurnHandler;
  readonly cancelGraceMs: number;
  readonly onError: (error: unknown) => void;
}

/** An `AcpAgentTurn` with the part that the connection uses. */
export class AgentTurn implements AcpAgentTurn {
  readonly session: AgentSession;
  readonly prompt: readonly ContentBlock[];
  readonly meta: Meta | undefined;
  readonly #turn: AnsweredTurn;
  readonly #onError: (error: unknown) => void;
  readonly #takesSteers: boolean;
  /** The prompts that this turn took from those that wait, and answers when it ends. */
  readonly taken: WaitingPrompt[] = [];
  readonly #characters = { agent_message_chunk: new WholeCharacters(), agent_thought_chunk: new WholeCharacters() };
  /** Called when another prompt waits. */
  steered = (): void => {};

  constructor(
    session: AgentSession,
    { prompt, _meta }: AcpParams<"session/prompt">,
    { onError, takesSteers }: { onError: (error: unknown) => void; takesSteers: boolean },
  ) {
    this.session = session;
    this.prompt = prompt;
    this.meta = _meta;
    this.#turn = new AnsweredTurn(`the turn of session ${session.id}`);
    this.#onError = onError;
    this.#takesSteers = takesSteers;
  }

  get signal(): AbortSignal {
    return this.#turn.signal;
  }

  get client(): AcpAgentClient {
    return sessionServices(this.session, {
      signal: this.signal,
      check: (method) => this.#turn.check(method),
      opened: (close) => this.#turn.opened(() => close().catch((error: unknown) => this.#onError(error))),
    });
  }

  get promptText(): string {
    return textIn(this.prompt);
  }

  onSteer(listener: () => void): void {
    this.steered = listener;
  }

  takeSteers(): readonly AcpSteer[] {
    if (!this.#takesSteers || this.#turn.cancelled || this.#turn.state !== "open") return [];
    const taken = this.session.waiting.splice(0);
    this.taken.push(...taken);
    return taken.map(({ params: { prompt, _meta } }) => {
      this.session.recordPrompt(prompt);
      return { prompt, promptText: textIn(prompt), meta: _meta };
    });
  }

  text(text: string): void | Promise<void> {
    return this.#say("agent_message_chunk", text);
  }

  thought(text: string): void | Promise<void> {
    return this.#say("agent_thought_chunk", text);
  }

  #say(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", said: string): void | Promise<void> {
    const text = this.#characters[sessionUpdate].of(said);
    if (text === said || text !== "") return this.update({ sessionUpdate, content: { type: "text", text } });
    this.#turn.check("session/update");
  }

  plan(entries: PlanEntry[]): void | Promise<void> {
    return this.update({ sessionUpdate: "plan", entries });
  }

  usage({ used, size, cost }: AcpContextUsage): void | Promise<void> {
    return this.update({ sessionUpdate: "usage_update", used, size, ...(cost === undefined ? {} : { cost }) });
  }

  update(update: SessionUpdate): void | Promise<void> {
    this.#turn.check("session/update");
    return this.session.update(update);
  }

  async toolCall(call: AcpNewToolCall): Promise<AcpToolCall> {
    this.#turn.check("session/update");
    let onEnd = (): void => {};
    const toolCall = new AgentToolCall(
      call,
      (update) => this.session.update(update),
      () => onEnd(),
      () => this.#turn.check("session/update"),
    );
    onEnd = this.#turn.opened(() => toolCall.abandon());
    await toolCall.announce();
    return toolCall;
  }

  async requestPermission(
    toolCall: AcpToolCall | ToolCallUpdate,
    options: readonly PermissionOption[] = defaultPermissionOptions,
    _meta?: Meta,
  ): Promise<AcpPermissionDecision> {
    const notAllowed: AcpPermissionDecision = { outcome: "cancelled", allowed: false };
    if (this.#turn.cancelled) return notAllowed;
    this.#turn.check("session/request_permission");
    try {
      const call = toolCall instanceof AgentToolCall ? toolCall.forPermission() : (toolCall as ToolCallUpdate);
      return await this.session.requestPermission(call, options, this.signal, _meta);
    } catch (error) {
      if (isWireError(error, "invalid_params")) throw error; // the author's mistake
      if (!isWireError(error, "closed") && !this.#turn.cancelled) this.#onError(error);
      return notAllowed;
    }
  }

  /** Ends the turn as `cancelled`, now or as soon as it starts. */
  cancel(): void {
    this.#turn.cancel();
  }

  /** Runs the agent's handler. Resolves with the turn's one result, or rejects with what the handler threw. */
  run({ handler, cancelGraceMs, onError }: TurnRun): Promise<AcpResult<"session/prompt">> {
    return this.#turn.run(() => handler(this), {
      cancelGraceMs,
      onError,
      end: async (outcome) => {
        await this.session.flush();
        if (outcome.type === "failed") throw outcome.error;
        if (outcome.type === "cancelled") return { stopReason: "cancelled" };
        const { result = "end_turn" } = outcome;
        return typeof result === "string" ? { stopReason: result } : result;
      },
    });
  }
}

function textIn(prompt: readonly ContentBlock[]): string {
  return prompt.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}
