import { ErrorCode, RemoteError } from "@editwire/core/errors";
import type { AgentStopReason } from "../api/events.js";
import { type AgentTool, callTool } from "../tools/tool.js";
import type { AgentTurn } from "../api/session.js";

/** A piece of a streamed answer of the Chat Completions API. Servers that imitate it add fields of their own. */
export interface OpenAiChunk {
  readonly choices?: readonly OpenAiChoice[] | undefined;
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null | undefined;
}

/** The part of an answer that a chunk adds. */
export interface OpenAiChoice {
  /** Further answers, with an index above 0, are ignored. */
  readonly index?: number | undefined;
  readonly delta?: OpenAiDelta | undefined;
  readonly finish_reason?: string | null | undefined;
}

interface OpenAiDelta {
  readonly content?: string | null | undefined;
  readonly refusal?: string | null | undefined;
  /** Thoughts: DeepSeek, vLLM and others name them so, or `reasoning`. */
  readonly reasoning_content?: string | null | undefined;
  readonly reasoning?: string | null | undefined;
  readonly tool_calls?: readonly OpenAiToolCallDelta[] | null | undefined;
}

interface OpenAiToolCallDelta {
  readonly index?: number | undefined;
  readonly id?: string | null | undefined;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | undefined;
}

/** A tool call of the model, as the next request has to repeat it. */
export interface OpenAiToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message of a model, as the next request has to repeat it. */
export interface OpenAiAssistantMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: OpenAiToolCall[];
}

/** The result of a tool, for the next request. */
export interface OpenAiToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** The answer of a model. */
export interface OpenAiEnd {
  readonly stopReason: AgentStopReason;
  readonly message: OpenAiAssistantMessage;
  /** The tools that the model wants called, by `runOpenAiTools`. */
  readonly toolCalls: readonly OpenAiToolCall[];
}

/**
 * Says in a turn what a model of an OpenAI-compatible server streams, such as `await client.chat.completions.create({
 * stream: true, … })`. Ask for `stream_options: { include_usage: true }` to report the usage, too. Rejects with
 * the error of the stream, and with a `RemoteError` for one that was cut off: it has no `finish_reason`, and no usage
 * follows the answer. Some servers send only the latter.
 */
export async function relayOpenAi(turn: AgentTurn, stream: AsyncIterable<OpenAiChunk>): Promise<OpenAiEnd> {
  const calls = new CallParts();
  let content = "";
  let finish: string | undefined;
  let isCounted = false;
  for await (const chunk of stream) {
    const { choices = [], usage } = chunk;
    isCounted = isCountAlone(chunk);
    for (const { index = 0, delta = {}, finish_reason } of choices) {
      if (index !== 0) continue;
      const thought = delta.reasoning_content ?? delta.reasoning;
      const text = delta.content ?? delta.refusal;
      if (isText(thought)) await turn.thought(thought);
      if (isText(text)) {
        content += text;
        await turn.text(text);
      }
      for (const call of delta.tool_calls ?? []) calls.add(call);
      finish = finish_reason ?? finish;
    }
    const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage ?? {};
    if (inputTokens !== undefined || outputTokens !== undefined) await turn.usage({ inputTokens, outputTokens });
  }
  if (finish === undefined && !isCounted && !turn.signal.aborted)
    throw new RemoteError(ErrorCode.InternalError, "The model's answer was cut off: it has no finish_reason");
  const toolCalls = calls.all;
  const message: OpenAiAssistantMessage = { role: "assistant", content: content === "" ? null : content };
  if (toolCalls.length > 0) message.tool_calls = toolCalls;
  return { stopReason: stopReasons[finish ?? "stop"] ?? "end_turn", message, toolCalls };
}

/** Whether a chunk has the usage and adds nothing to the answer. Servers send that at its end. */
function isCountAlone({ choices = [], usage }: OpenAiChunk): boolean {
  const adds = ({ delta = {} }: OpenAiChoice): boolean =>
    [delta.content, delta.refusal, delta.reasoning_content, delta.reasoning].some(isText) ||
    (delta.tool_calls ?? []).length > 0;
  return usage !== undefined && usage !== null && !choices.some(adds);
}

const stopReasons: Readonly<Record<string, AgentStopReason>> = {
  length: "max_tokens",
  content_filter: "refusal",
};

/** A tool as a request declares it. */
export interface OpenAiTool {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** Declares an agent's tools in a request. */
export function openAiTools(tools: readonly AgentTool[]): OpenAiTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: { ...inputSchema } },
  }));
}

/**
 * Calls the tools that a model wants, in order. Returns their messages for the next request. A call of a tool that does
 * not exist, or whose arguments are not a JSON object, is shown as failed.
 */
export async function runOpenAiTools(
  turn: AgentTurn,
  tools: readonly AgentTool[],
  toolCalls: readonly OpenAiToolCall[],
): Promise<OpenAiToolMessage[]> {
  const messages: OpenAiToolMessage[] = [];
  for (const { id, function: called } of toolCalls)
    messages.push({ role: "tool", tool_call_id: id, content: await run(turn, tools, id, called) });
  return messages;
}

async function run(
  turn: AgentTurn,
  tools: readonly AgentTool[],
  toolCallId: string,
  called: OpenAiToolCall["function"],
): Promise<string> {
  if (turn.signal.aborted) return "The user cancelled the turn.";
  const tool = tools.find(({ name }) => name === called.name);
  const input = parsed(called.arguments);
  if (tool !== undefined && input !== undefined) return (await callTool(turn, tool, input, { toolCallId })).text;
  const { name, arguments: written } = called;
  const output = tool === undefined ? `The tool "${name}" does not exist.` : "The arguments are not a JSON object.";
  const call = await turn.toolCall({ title: name, name, kind: "other", input: input ?? written, toolCallId });
  await call.fail({ output });
  return output;
}

/** The arguments that a model wrote; `undefined` unless they are an object. Some models write nothing for none. */
function parsed(text: string): object | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Tool calls come in pieces, which are told apart by their index. */
class CallParts {
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();

  add({ index = 0, id, function: part }: OpenAiToolCallDelta): void {
    const call = this.#calls.get(index) ?? { id: "", name: "", arguments: "" };
    this.#calls.set(index, call);
    if (isText(id)) call.id = id;
    call.name += part?.name ?? "";
    call.arguments += part?.arguments ?? "";
  }

  get all(): OpenAiToolCall[] {
    return [...this.#calls.entries()]
      .sort(([a], [b]) => a - b)
      .map(([index, { id, name, arguments: text }]) => ({
        id: id === "" ? `call-${index}` : id,
        type: "function",
        function: { name, arguments: text },
      }));
  }
}

function isText(value: string | null | undefined): value is string {
  return typeof value === "string" && value !== "";
}
