import OpenAI from "openai";
import type { ChatCompletionChunk, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { type ModelEndpoint, modelError } from "./model-error.js";
import type { ToolRequest } from "./run-tool.js";

/** Receives an answer while it streams. A returned promise slows the stream down. */
export interface ReplyListener {
  text(text: string): void | Promise<void>;
  thought(text: string): void | Promise<void>;
}

/** The size of an answer, in tokens. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** A whole answer of the model, or its part before it was cancelled. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolRequest[];
  readonly end: "done" | "length" | "refused" | "cancelled";
  /** Absent where the endpoint does not count. */
  readonly usage?: TokenUsage | undefined;
}

/** A tool as the model sees it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A request to a model. */
export interface Question {
  readonly messages: readonly ChatCompletionMessageParam[];
  readonly tools: readonly OfferedTool[];
}

/** A language model behind an OpenAI-compatible endpoint. */
export interface Model {
  /** Streams one answer. Throws a `RemoteError` for the user when the model fails; a cancel is not an error. */
  reply(question: Question, listener: ReplyListener, signal: AbortSignal): Promise<Reply>;
}

/** Opens a model. `maxRetries` counts the tries after a failed request. Default 2. */
export function openModel(
  endpoint: ModelEndpoint,
  { maxRetries = 2 }: { maxRetries?: number | undefined } = {},
): Model {
  const client = new OpenAI({ baseURL: endpoint.baseUrl, apiKey: endpoint.apiKey, maxRetries, logLevel: "off" });
  return {
    async reply({ messages, tools }, listener, signal) {
      const draft = newDraft();
      try {
        const stream = await client.chat.completions.create(
          {
            model: endpoint.model,
            stream: true,
            stream_options: { include_usage: true },
            messages: [...messages],
            ...(tools.length === 0 ? {} : { tools: tools.map(asFunction) }),
          },
          // The client leaves a listener on its signal, so it gets a signal of its own.
          { signal: AbortSignal.any([signal]) },
        );
        for await (const { choices, usage } of stream) {
          const choice = choices[0];
          if (usage) draft.count({ input: usage.prompt_tokens, output: usage.completion_tokens });
          if (choice !== undefined) await draft.add(choice, listener);
        }
      } catch (error) {
        if (!signal.aborted) throw modelError(error, endpoint);
      }
      const reply = draft.reply(signal.aborted);
      if (reply === undefined) throw modelError(undefined, endpoint);
      return reply;
    },
  };
}

function asFunction({ name, description, parameters }: OfferedTool) {
  return { type: "function" as const, function: { name, description, parameters: { ...parameters } } };
}

/** An answer that is still coming. */
function newDraft() {
  const calls: { id: string; name: string; arguments: string }[] = [];
  const byIndex = new Map<number, { id: string; name: string; arguments: string }>();
  let text = "";
  let refused = false;
  let finish: ChatCompletionChunk.Choice["finish_reason"] = null;
  let usage: TokenUsage | undefined;
  return {
    count(counted: TokenUsage): void {
      usage = counted;
    },
    async add({ delta, finish_reason }: ChatCompletionChunk.Choice, listener: ReplyListener): Promise<void> {
      finish = finish_reason ?? finish;
      for (const { index, id, function: part } of delta.tool_calls ?? []) {
        let call = byIndex.get(index);
        // Some endpoints give every call the same index, and tell them apart by id alone.
        if (call === undefined || (id && call.id && id !== call.id)) {
          call = { id: id ?? "", name: "", arguments: "" };
          calls.push(call);
          byIndex.set(index, call);
        }
        call.id ||= id ?? "";
        call.name += part?.name ?? "";
        call.arguments += part?.arguments ?? "";
      }
      const thought = "reasoning_content" in delta ? delta.reasoning_content : undefined;
      if (typeof thought === "string" && thought !== "") await listener.thought(thought);
      const said = (delta.content ?? "") + (delta.refusal ?? "");
      refused ||= Boolean(delta.refusal);
      text += said;
      if (said !== "") await listener.text(said);
    },
    /** The answer; `undefined` when the stream ended before it did. */
    reply(cancelled: boolean): Reply | undefined {
      if (cancelled) return { text, calls: [], end: "cancelled", usage };
      if (finish === null) return undefined;
      if (refused || finish === "content_filter") return { text, calls: [], end: "refused", usage };
      if (finish === "length") return { text, calls: [], end: "length", usage };
      return {
        text,
        calls: calls.map((call) => ({ ...call, id: call.id || crypto.randomUUID() })),
        end: "done",
        usage,
      };
    },
  };
}
