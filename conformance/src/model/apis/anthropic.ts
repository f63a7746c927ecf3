import * as z from "zod";
import { type ModelApi, sse } from "../api.js";
import { argsOf, messageOf } from "../conversation.js";
import { jsonPiecesOf, type Reply, tokensOf } from "../reply.js";
import { Text, textOf } from "./text.js";

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
});
const Tool = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.looseObject({}).optional(),
});
const Request = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(Block)]) })).min(1),
  system: Text,
  tools: z.array(Tool).nullish(),
  stream: z.boolean().nullish(),
});

/** Anthropic's messages. */
export const anthropic: ModelApi = {
  name: "anthropic",
  asks: (path) => path.endsWith("/messages"),
  read({ body }) {
    const { model, messages, system, tools, stream } = Request.parse(body);
    return {
      model,
      messages: [
        ...(system ? [messageOf("system", { text: textOf(system) })] : []),
        ...messages.map(({ role, content }) => {
          const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
          return messageOf(role === "assistant" || role === "system" ? role : "user", {
            text: blocks.flatMap(({ type, text }) => (type === "text" ? (text ?? []) : [])).join("\n"),
            calls: blocks.flatMap(({ type, id, name = "", input }) =>
              type === "tool_use" ? [{ id, name, args: argsOf(input) }] : [],
            ),
            results: blocks.flatMap(({ type, tool_use_id: id, content: result }) =>
              type === "tool_result" ? [{ id, text: textOf(Text.safeParse(result).data) }] : [],
            ),
          });
        }),
      ],
      tools: (tools ?? []).map(({ name, description = "", input_schema = {} }) => ({
        name,
        description,
        parameters: input_schema,
      })),
      stream: stream === true,
    };
  },
  whole: (reply) => messageBody(reply),
  stream(reply) {
    const event = (type: string, fields: object) => sse({ type, ...fields }, type);
    const { usage, ...message } = messageBody(reply);
    const body = [
      event("message_start", {
        message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }),
      event("ping", {}),
    ];
    for (const [index, { block, start, deltas }] of blocksOf(reply).entries()) {
      body.push(event("content_block_start", { index, content_block: { ...block, ...start } }));
      for (const delta of deltas) body.push(event("content_block_delta", { index, delta }));
      body.push(event("content_block_stop", { index }));
    }
    const end = {
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    };
    return { type: "text/event-stream", body, end: [event("message_delta", end), event("message_stop", {})] };
  },
  error(status, message) {
    const type = {
      400: "invalid_request_error",
      401: "authentication_error",
      404: "not_found_error",
      413: "request_too_large",
      429: "rate_limit_error",
    }[status];
    return { type: "error", error: { type: type ?? (status === 529 ? "overloaded_error" : "api_error"), message } };
  },
  side({ method, path, body }) {
    return method === "POST" && path.endsWith("/messages/count_tokens")
      ? { input_tokens: tokensOf(Request.parse(body).messages) }
      : undefined;
  },
};

const signature = "c2NyaXB0ZWQ=";

/** The blocks of an answer: whole, how each starts, and the pieces that fill it. */
function blocksOf({
  think,
  say,
  calls,
}: Reply): { block: Record<string, unknown>; start: object; deltas: readonly object[] }[] {
  return [
    ...(think.length === 0
      ? []
      : [
          {
            block: { type: "thinking", thinking: think.join(""), signature },
            start: { thinking: "", signature: "" },
            deltas: [
              ...think.map((thinking) => ({ type: "thinking_delta", thinking })),
              { type: "signature_delta", signature },
            ],
          },
        ]),
    ...(say.length === 0
      ? []
      : [
          {
            block: { type: "text", text: say.join(""), citations: null },
            start: { text: "" },
            deltas: say.map((text) => ({ type: "text_delta", text })),
          },
        ]),
    ...calls.map((call) => ({
      block: { type: "tool_use", id: call.id, name: call.name, input: call.args },
      start: { input: {} },
      deltas: jsonPiecesOf(call).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    })),
  ];
}

function messageBody(reply: Reply) {
  const { id, model, finish, usage } = reply;
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    content: blocksOf(reply).map(({ block }) => block),
    stop_reason: { stop: "end_turn", tool_calls: "tool_use", length: "max_tokens", content_filter: "refusal" }[finish],
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}
