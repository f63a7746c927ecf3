import type { ChatCompletion, ChatCompletionChunk } from "openai/resources/chat/completions";
import type { ChatRequest } from "./chat-request.js";
import type { Answer, ToolRequest } from "./script.js";

type Delta = ChatCompletionChunk.Choice.Delta & { reasoning_content?: string };

/** Writes an answer as the chunks of a stream. */
export function chunksOf(request: ChatRequest, answer: Answer): ChatCompletionChunk[] {
  const head = { ...headOf(request), object: "chat.completion.chunk" as const };
  const chunk = (delta: Delta, finish_reason: Finish | null = null): ChatCompletionChunk => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
  });
  const chunks = [
    chunk({ role: "assistant", content: "" }),
    ...wordsOf(answer.think ?? "").map((reasoning_content) => chunk({ reasoning_content })),
    ...wordsOf(answer.say ?? "").map((content) => chunk({ content })),
    ...(answer.calls ?? []).flatMap((call, index) => [
      chunk({ tool_calls: [{ index, id: callId(request, index), type: "function", function: { name: call.name, arguments: "" } }] }),
      ...piecesOf(JSON.stringify(call.args)).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
  ];
  if (answer.cut === true) return chunks;
  chunks.push(chunk({}, finishOf(answer)));
  if (request.stream_options?.include_usage === true) chunks.push({ ...head, choices: [], usage: usageOf(request, answer) });
  return chunks;
}

/** Writes an answer as one completion. */
export function completionOf(request: ChatRequest, answer: Answer): ChatCompletion {
  const toolCall = (call: ToolRequest, index: number) => ({
    id: callId(request, index),
    type: "function" as const,
    function: { name: call.name, arguments: JSON.stringify(call.args) },
  });
  const message = {
    role: "assistant" as const,
    content: answer.say ?? null,
    refusal: null,
    ...(answer.think === undefined ? {} : { reasoning_content: answer.think }),
    ...(answer.calls === undefined ? {} : { tool_calls: answer.calls.map(toolCall) }),
  };
  return {
    ...headOf(request),
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finishOf(answer), logprobs: null }],
    usage: usageOf(request, answer),
  };
}

/** Splits text the way a model's tokens do: short pieces, whitespace in front. The pieces join to the text. */
export function wordsOf(text: string): string[] {
  return text.match(/\s*\S{1,12}|\s+$/gu) ?? [];
}

function piecesOf(json: string): string[] {
  return json.match(/[\s\S]{1,12}/gu) ?? [];
}

type Finish = NonNullable<Answer["finish"]>;

function finishOf({ finish, calls = [] }: Answer): Finish {
  return finish ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function headOf({ model, messages }: ChatRequest) {
  return { id: `chatcmpl-${messages.length}`, created: Math.floor(Date.now() / 1000), model };
}

/** The same conversation always gets the same ids, and no two calls of one conversation share theirs. */
function callId({ messages }: ChatRequest, index: number): string {
  return `call_${messages.length}_${index}`;
}

/** Four characters count as a token. */
function usageOf({ messages }: ChatRequest, { think = "", say = "", calls = [] }: Answer) {
  const prompt_tokens = Math.ceil(JSON.stringify(messages).length / 4);
  const completion_tokens = Math.ceil((think + say + (calls.length > 0 ? JSON.stringify(calls) : "")).length / 4);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
