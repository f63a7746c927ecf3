import type {
  ContentBlock,
  PermissionOption,
  PlanEntry,
  SessionUpdate,
  StopReason,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import { isWireError, WireError } from "@editwire/core";
import type { AcpAgentSession, AgentSession, PermissionDecision } from "./agent-session.js";
import { AgentToolCall, type AcpToolCall, type NewToolCall } from "./agent-tool-call.js";

/** What an agent does in a turn. Returning nothing means `end_turn`. */
export type TurnHandler = (turn: AcpAgentTurn) => StopReason | void | Promise<StopReason | void>;

/** The two options of the specification (6.1). */
export const defaultPermissionOptions: readonly PermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/**
 * One prompt turn, from the agent's side. Everything sent through it reaches the client before the turn's result; after
 * the turn has ended it throws `WireError("closed")`. Methods return a promise only when the client is slow.
 */
export interface AcpAgentTurn {
  readonly session: AcpAgentSession;
  readonly prompt: readonly ContentBlock[];
  /** The text blocks of the prompt, joined by blank lines. */
  readonly promptText: string;
  /** Aborts when the client cancels the turn or goes away. */
  readonly signal: AbortSignal;
  /** Sends an `agent_message_chunk` of text, verbatim. */
  text(text: string): void | Promise<void>;
  /** Sends an `agent_thought_chunk` of text. */
  thought(text: string): void | Promise<void>;
  /** Sends the complete plan; the client replaces the one it has. */
  plan(entries: PlanEntry[]): void | Promise<void>;
  /** Sends any other update. */
  update(update: SessionUpdate): void | Promise<void>;
  /** Announces a tool call as `in_progress`. One that is still open when the turn ends is reported as `failed`. */
  toolCall(call: NewToolCall): Promise<AcpToolCall>;
  /**
   * Asks the user. When the turn is cancelled, or the client goes away, the answer is `cancelled`, at once.
   * Default options: `allow_once` and `reject_once`.
   */
  requestPermission(toolCall: AcpToolCall | ToolCallUpdate, options?: PermissionOption[]): Promise<PermissionDecision>;
}

/** An `AcpAgentTurn` with the side that the connection drives. */
export class AgentTurn implements AcpAgentTurn {
  readonly session: AgentSession;
  readonly prompt: readonly ContentBlock[];
  readonly #controller = new AbortController();
  readonly #openCalls = new Set<AgentToolCall>();
  #ended = false;

  constructor(session: AgentSession, prompt: readonly ContentBlock[]) {
    this.session = session;
    this.prompt = prompt;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get promptText(): string {
    return this.prompt.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  }

  text(text: string): void | Promise<void> {
    return this.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  thought(text: string): void | Promise<void> {
    return this.update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text } });
  }

  plan(entries: PlanEntry[]): void | Promise<void> {
    return this.update({ sessionUpdate: "plan", entries });
  }

  update(update: SessionUpdate): void | Promise<void> {
    if (this.#ended) throw new WireError("closed", `session/update: the turn of session ${this.session.id} has ended`);
    return this.session.update(update);
  }

  async toolCall(call: NewToolCall): Promise<AcpToolCall> {
    const toolCall = new AgentToolCall(
      call,
      (update) => this.update(update),
      () => this.#openCalls.delete(toolCall),
    );
    this.#openCalls.add(toolCall);
    await toolCall.announce();
    return toolCall;
  }

  async requestPermission(
    toolCall: AcpToolCall | ToolCallUpdate,
    options: PermissionOption[] = [...defaultPermissionOptions],
  ): Promise<PermissionDecision> {
    const cancelled: PermissionDecision = { outcome: "cancelled", allowed: false };
    if (this.signal.aborted) return cancelled;
    try {
      const asked = toolCall instanceof AgentToolCall ? toolCall.forPermission() : (toolCall as ToolCallUpdate);
      return await this.session.client.askPermission(this.session.id, asked, options, this.signal);
    } catch (error) {
      // Nobody is left to ask, so nothing is allowed.
      if (isWireError(error, "closed") || (this.signal.aborted && isWireError(error, "aborted"))) return cancelled;
      throw error;
    }
  }

  /** Ends the turn as `cancelled`, now or as soon as it starts. */
  cancel(): void {
    this.#controller.abort(new WireError("aborted", `The turn of session ${this.session.id} was cancelled`));
  }

  /**
   * Runs the agent's handler and gives the turn's one result. A handler that does not return within `graceMs` of a
   * cancel is left behind: its turn has ended, and what it still sends is refused.
   */
  async run(handler: TurnHandler, graceMs: number, onError: (error: unknown) => void): Promise<StopReason> {
    if (this.signal.aborted) return "cancelled";
    const handled = (async () => handler(this))();
    const grace = afterAbort(this.signal, graceMs);
    try {
      const stopReason = (await Promise.race([handled, grace.over])) ?? "end_turn";
      return this.signal.aborted ? "cancelled" : stopReason;
    } catch (error) {
      if (this.signal.aborted) return "cancelled";
      throw error;
    } finally {
      grace.clear();
      await this.#end();
      handled.catch(
        (error: unknown) => this.signal.aborted && !isWireError(error) && !isAbortError(error) && onError(error),
      );
    }
  }

  async #end(): Promise<void> {
    try {
      for (const call of this.#openCalls) await call.fail();
    } catch (error) {
      if (!isWireError(error, "closed")) throw error; // the client is gone: there is nobody to tell
    } finally {
      this.#ended = true;
    }
  }
}

/** A promise that resolves `ms` after the signal aborts, and what stops its timer. */
function afterAbort(signal: AbortSignal, ms: number): { over: Promise<void>; clear: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start = (): void => {};
  const over = new Promise<void>((resolve) => (start = () => (timer = setTimeout(resolve, ms))));
  signal.addEventListener("abort", start, { once: true });
  return {
    over,
    clear() {
      signal.removeEventListener("abort", start);
      clearTimeout(timer);
    },
  };
}

/** What platforms throw for a signal that aborted. */
function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
