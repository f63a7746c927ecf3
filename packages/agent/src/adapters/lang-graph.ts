import type { AgentStopReason } from "../api/events.js";
import { type AgentTool, callTool } from "../tools/tool.js";
import type { AgentTurn } from "../api/session.js";
import { interruptsIn, resumeOf } from "./lang-graph-interrupts.js";
import { RelayedCalls, type RelayOptions } from "./relayed-calls.js";

/**
 * An element of `graph.stream(…, { streamMode: ["messages", "updates"] })`: a mode and its value, with a namespace
 * before them where subgraphs are streamed, too.
 */
export type LangGraphPart = readonly unknown[];

/** How a stream ended. */
export interface LangGraphEnd {
  readonly stopReason: AgentStopReason;
  /**
   * The user's answers to the graph's interrupts, by their ids. When they are there, stream `new Command({ resume })`.
   */
  readonly resume: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Says in a turn what a graph of LangGraph.js streams. Its tools become tool calls. An interrupt becomes a question, or
 * a permission request where it comes from the middleware that reviews tool calls.
 */
export async function relayLangGraph(
  turn: AgentTurn,
  stream: AsyncIterable<LangGraphPart>,
  options: RelayOptions = {},
): Promise<LangGraphEnd> {
  const relay = new LangGraphRelay(turn, options);
  const modes = new Set<string>();
  for await (const part of stream) {
    const [mode, value] = modeOf(part);
    modes.add(mode);
    if (mode === "messages") await relay.message((value as readonly unknown[])[0] as Message);
    else if (mode === "updates") await relay.update(value as Record<string, unknown>);
  }
  if (modes.size > 0 && !modes.has("updates") && !turn.signal.aborted) throw wrongModes([...modes].join(", "));
  return relay.end();
}

/** The mode of a part, and what it streams. A graph that streams one mode, and no array of them, does not name it. */
function modeOf(part: LangGraphPart): readonly [mode: string, value: unknown] {
  const [mode, value] = Array.isArray(part) ? part.slice(-2) : [];
  if (typeof mode !== "string") throw wrongModes("parts without a mode");
  return [mode, value];
}

/** Turns in which a graph has streamed messages. A graph that goes on returns those of before once more. */
const streamed = new WeakSet<AgentTurn>();

function wrongModes(received: string): TypeError {
  return new TypeError(`relayLangGraph: expected streamMode: ["messages", "updates"], received ${received}`);
}

/** A message of LangChain, as far as it is shown. */
interface Message {
  getType(): string;
  readonly content: unknown;
  /** The thoughts of models behind the Chat Completions API. */
  readonly additional_kwargs?: { readonly reasoning_content?: unknown };
  readonly tool_calls?: readonly { readonly id?: string; readonly name: string; readonly args: unknown }[];
  readonly tool_call_id?: string;
  readonly status?: "success" | "error";
  readonly usage_metadata?: { readonly input_tokens?: number; readonly output_tokens?: number };
  readonly response_metadata?: { readonly finish_reason?: unknown };
}

class LangGraphRelay {
  readonly #turn: AgentTurn;
  readonly #calls: RelayedCalls;
  readonly #interrupts: unknown[] = [];
  #stopReason: AgentStopReason = "end_turn";

  constructor(turn: AgentTurn, options: RelayOptions) {
    this.#turn = turn;
    this.#calls = new RelayedCalls(turn, options);
  }

  /** Takes a piece of a model's message, or the message of a tool. */
  async message(message: Message): Promise<void> {
    streamed.add(this.#turn);
    const type = message.getType();
    if (type === "ai") return this.#say(message);
    const { tool_call_id: id, status, content } = message;
    if (type !== "tool" || id === undefined) return;
    await (status === "error" ? this.#calls.fail(id, content) : this.#calls.complete(id, content));
  }

  /** Takes what the nodes returned. Here tool calls are complete. */
  async update(update: Readonly<Record<string, unknown>>): Promise<void> {
    this.#interrupts.push(...interruptsIn(update));
    for (const message of Object.values(update).flatMap(messagesIn)) {
      if (message.getType() !== "ai") continue;
      if (!streamed.has(this.#turn)) throw wrongModes("updates");
      const { tool_calls = [], usage_metadata: usage, response_metadata } = message;
      if (usage !== undefined)
        await this.#turn.usage({ inputTokens: usage.input_tokens, outputTokens: usage.output_tokens });
      this.#stopReason = stopReasons[String(response_metadata?.finish_reason)] ?? "end_turn";
      for (const { id, name, args } of tool_calls) if (id !== undefined) await this.#calls.input(id, name, args);
    }
  }

  async end(): Promise<LangGraphEnd> {
    const resume =
      this.#interrupts.length === 0 ? undefined : await resumeOf(this.#turn, this.#calls, this.#interrupts);
    if (this.#turn.signal.aborted) return { stopReason: "cancelled", resume: undefined };
    return { stopReason: this.#stopReason, resume };
  }

  async #say({ content, additional_kwargs }: Message): Promise<void> {
    const thoughts = additional_kwargs?.reasoning_content;
    if (typeof thoughts === "string" && thoughts !== "") await this.#turn.thought(thoughts);
    if (typeof content === "string") return content === "" ? undefined : this.#turn.text(content);
    if (!Array.isArray(content)) return;
    for (const block of content as readonly ContentPart[]) {
      const { type, text } = block;
      const thought = block.reasoning ?? block.thinking;
      if (type === "text" && text !== undefined) await this.#turn.text(text);
      if ((type === "reasoning" || type === "thinking") && thought !== undefined) await this.#turn.thought(thought);
    }
  }
}

/** A block of a message; providers name thoughts in two ways. */
interface ContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly reasoning?: string;
  readonly thinking?: string;
}

/** The messages that a node returned. */
function messagesIn(update: unknown): Message[] {
  if (typeof update !== "object" || update === null || !("messages" in update)) return [];
  return [update.messages]
    .flat()
    .filter((message): message is Message => typeof (message as Message | undefined)?.getType === "function");
}

const stopReasons: Readonly<Record<string, AgentStopReason>> = {
  length: "max_tokens",
  max_tokens: "max_tokens",
  content_filter: "refusal",
  refusal: "refusal",
};

/**
 * Makes an agent's tools ones of LangChain: `langChainTools(turn, tools, tool)`. Their calls show themselves and ask
 * the user where the tool demands it, so name them in the options of `relayLangGraph`, too.
 */
export function langChainTools<Tool>(
  turn: AgentTurn,
  tools: readonly AgentTool[],
  make: (run: never, fields: never) => Tool,
): Tool[] {
  return tools.map((tool) => {
    const { name, description, inputSchema: schema } = tool;
    const run = async (input: unknown, { toolCall }: ToolConfig): Promise<string> =>
      (await callTool(turn, tool, input, { toolCallId: toolCall?.id })).text;
    return make(run as never, { name, description, schema } as never);
  });
}

/** The second argument of a LangChain tool. */
interface ToolConfig {
  readonly toolCall?: { readonly id?: string };
}
