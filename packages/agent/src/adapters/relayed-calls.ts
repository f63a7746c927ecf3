import { startTimer } from "@editwire/core/timers";
import type { AgentTool } from "../tools/tool.js";
import type { AgentToolCall } from "../api/tool-call.js";
import { isEnd, type AgentNewToolCall, type AgentToolCallChange } from "../api/tool-call-state.js";
import type { AgentTurn } from "../api/session.js";

/** How the tool calls of a stream are shown. */
export interface RelayOptions {
  /** Describes one call for the user, such as its title, kind and diff. Default: the tool's name as its title. */
  describe?: ((name: string, input: unknown) => Partial<Omit<AgentNewToolCall, "toolCallId" | "status">>) | undefined;
  /** The tools that were made of an agent's own ones, and show their calls by themselves. Default none. */
  tools?: readonly AgentTool[] | undefined;
  /** The text of a tool's error for the user. Default: none, because its text may have secrets. */
  errorText?: ((error: unknown) => string) | undefined;
  /**
   * Whether a tool may ask the user at each call. Its calls stay `pending` until the user is asked or they end.
   * Default: a call is shown as running unless it asks at once. Needed for an asynchronous `needsApproval` and for
   * middleware that reviews calls, because editors of ECA cannot ask about a call that runs: they show a second call,
   * which asks.
   */
  asks?: ((name: string) => boolean) | undefined;
}

/** The open calls of each turn: a tool that the user has to allow runs in a later stream than it was announced in. */
const openCalls = new WeakMap<AgentTurn, Map<string, AgentToolCall>>();

/** The tool calls of streams that run their tools by themselves. */
export class RelayedCalls {
  readonly #turn: AgentTurn;
  readonly #options: RelayOptions;
  readonly #calls: Map<string, AgentToolCall>;
  /** The names of the tools that show themselves. */
  readonly #own: ReadonlySet<string>;

  constructor(turn: AgentTurn, options: RelayOptions) {
    this.#turn = turn;
    this.#options = options;
    this.#calls = openCalls.get(turn) ?? new Map();
    openCalls.set(turn, this.#calls);
    this.#own = new Set(options.tools?.map(({ name }) => name));
  }

  /** Announces a call whose input is not complete. */
  async begin(toolCallId: string, name: string): Promise<void> {
    if (this.#own.has(name) || this.#calls.has(toolCallId)) return;
    const call = await this.#turn.toolCall({ title: name, name, kind: "other", toolCallId, status: "pending" });
    this.#calls.set(toolCallId, call);
  }

  /** Announces a call, or completes its input. Returns nothing for a tool that shows itself. */
  async input(toolCallId: string, name: string, input: unknown): Promise<AgentToolCall | undefined> {
    if (this.#own.has(name)) return undefined;
    const change: AgentToolCallChange & { title: string } = {
      title: name,
      kind: "other",
      ...this.#options.describe?.(name, input),
      name,
      input,
    };
    const asks = this.#options.asks?.(name) === true;
    const known = this.#calls.get(toolCallId);
    if (known !== undefined) {
      const { status } = known.state;
      await known.change(status, change);
      // The user may be asked first, in a call that does not run yet.
      if (status === "pending" && !asks) startTimer(0, () => void known.start());
      return known;
    }
    const call = await this.#turn.toolCall({ ...change, toolCallId, ...(asks && { status: "pending" }) });
    this.#calls.set(toolCallId, call);
    return call;
  }

  /** An open call of a tool with this input. */
  open(name: string, input: unknown): AgentToolCall | undefined {
    const key = JSON.stringify(input);
    for (const call of this.#calls.values())
      if (!isEnd(call.state.status) && call.state.name === name && JSON.stringify(call.state.input) === key)
        return call;
    return undefined;
  }

  /** Shows what a tool that still runs has so far. */
  async update(toolCallId: string, output: unknown): Promise<void> {
    await this.#calls.get(toolCallId)?.update({ output });
  }

  /** Ends a call. */
  async complete(toolCallId: string, output: unknown): Promise<void> {
    await this.#take(toolCallId)?.complete({ output });
  }

  /** Ends a call whose tool failed. */
  async fail(toolCallId: string, error: unknown): Promise<void> {
    const output = this.#options.errorText?.(error);
    await this.#take(toolCallId)?.fail(output === undefined ? {} : { output });
  }

  /** Ends a call that may not run. */
  async reject(toolCallId: string): Promise<void> {
    await this.#take(toolCallId)?.reject();
  }

  #take(toolCallId: string): AgentToolCall | undefined {
    const known = this.#calls.get(toolCallId);
    // A graph sends the message of a rejected call again.
    if (known?.state.status !== "rejected") this.#calls.delete(toolCallId);
    return known;
  }
}
