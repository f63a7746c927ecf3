import * as z from "zod";
import { type ModelApi, sse } from "../api.js";
import { argsOf, messageOf } from "../conversation.js";
import { jsonPiecesOf, type Reply } from "../reply.js";
import { openAiError, openAiModels } from "./openai.js";
import { Text, textOf } from "./text.js";

const ToolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const Message = z.looseObject({
  role: z.string(),
  content: Text,
  tool_calls: z.array(ToolCall).nullish(),
  tool_call_id: z.string().optional(),
});
const Tool = z.looseObject({
  function: z
    .looseObject({ name: z.string(), description: z.string().optional(), parameters: z.looseObject({}).optional() })
    .optional(),
});
const Request = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  tools: z.array(Tool).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

/** OpenAI's chat completions, and everything that is compatible with them. */
export const openAiChat: ModelApi = {
  name: "openai-chat",
  asks: (path) => path.endsWith("/chat/completions"),
  read({ body }) {
    const { model, messages, tools, stream } = Request.parse(body);
    return {
      model,
      messages: messages.map((message) =>
        messageOf(roleOf(message.role), {
          text: textOf(message.content),
          calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
            id,
            name,
            args: argsOf(json),
          })),
          results: message.role === "tool" ? [{ id: message.tool_call_id, text: textOf(message.content) }] : [],
        }),
      ),
      tools: (tools ?? []).flatMap(({ function: tool }) =>
        tool === undefined
          ? []
          : [{ name: tool.name, description: tool.description ?? "", parameters: tool.parameters ?? {} }],
      ),
      stream: stream === true,
    };
  },
  whole(reply) {
    const message = {
      role: "assistant",
      content: reply.say.length === 0 ? null : reply.say.join(""),
      refusal: null,
      ...(reply.think.length > 0 && { reasoning_content: reply.think.join("") }),
      ...(reply.calls.length > 0 && {
        tool_calls: reply.calls.map(({ id, name, args }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(args) },
        })),
      }),
    };
    const choice = { index: 0, message, finish_reason: reply.finish, logprobs: null };
    return { ...headOf(reply), object: "chat.completion", choices: [choice], usage: usageOf(reply) };
  },
  stream(reply, { body }) {
    const head = { ...headOf(reply), object: "chat.completion.chunk" };
    const chunk = (delta: object, finish_reason: string | null = null) =>
      sse({ ...head, choices: [{ index: 0, delta, finish_reason, logprobs: null }] });
    const usage = Request.parse(body).stream_options?.include_usage === true;
    return {
      type: "text/event-stream",
      body: [
        chunk({ role: "assistant", content: "" }),
        ...reply.think.map((reasoning_content) => chunk({ reasoning_content })),
        ...reply.say.map((content) => chunk({ content })),
        ...reply.calls.flatMap((call, index) => [
          chunk({
            tool_calls: [{ index, id: call.id, type: "function", function: { name: call.name, arguments: "" } }],
          }),
          ...jsonPiecesOf(call).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
        ]),
      ],
      end: [
        chunk({}, reply.finish),
        ...(usage ? [sse({ ...head, choices: [], usage: usageOf(reply) })] : []),
        "data: [DONE]\n\n",
      ],
    };
  },
  error: openAiError,
  side: openAiModels,
};

function roleOf(role: string): "system" | "user" | "assistant" | "tool" {
  if (role === "developer") return "system";
  return role === "system" || role === "assistant" || role === "tool" ? role : "user";
}

function headOf({ id, created, model }: Reply) {
  return { id: `chatcmpl-${id}`, created, model };
}

function usageOf({ usage: { input, output } }: Reply) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
