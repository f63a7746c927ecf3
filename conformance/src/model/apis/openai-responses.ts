import * as z from "zod";
import { type ModelApi, sse } from "../api.js";
import { argsOf, messageOf, type ModelMessage } from "../conversation.js";
import { jsonPiecesOf, type Reply } from "../reply.js";
import { openAiError } from "./openai.js";
import { Text, textOf } from "./text.js";

const Item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: Text,
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  output: Text,
});
const Tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  description: z.string().nullish(),
  parameters: z.looseObject({}).nullish(),
});
const Request = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(Item)]),
  instructions: z.string().nullish(),
  tools: z.array(Tool).nullish(),
  stream: z.boolean().nullish(),
  previous_response_id: z.null("The server keeps no responses: send the whole conversation as input").optional(),
});

/** OpenAI's responses. Nothing is kept from one to the next. */
export const openAiResponses: ModelApi = {
  name: "openai-responses",
  asks: (path) => path.endsWith("/responses"),
  read({ body }) {
    const { model, input, instructions, tools, stream } = Request.parse(body);
    const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
    return {
      model,
      messages: [...(instructions ? [messageOf("system", { text: instructions })] : []), ...items.flatMap(messagesOf)],
      tools: (tools ?? []).flatMap(({ type, name, description, parameters }) =>
        type === "function" && name !== undefined
          ? [{ name, description: description ?? "", parameters: parameters ?? {} }]
          : [],
      ),
      stream: stream === true,
    };
  },
  whole: (reply) => responseOf(reply),
  stream(reply) {
    let number = 0;
    const event = (type: string, fields: object) => sse({ type, sequence_number: number++, ...fields }, type);
    const begun = { ...responseOf(reply), status: "in_progress", output: [], usage: null, incomplete_details: null };
    const body = [event("response.created", { response: begun }), event("response.in_progress", { response: begun })];
    for (const [output_index, item] of itemsOf(reply).entries()) {
      const at = { output_index, item_id: item.id };
      body.push(event("response.output_item.added", { output_index, item: { ...item, ...empty(item.type) } }));
      if (item.type === "function_call") {
        for (const delta of item.pieces) body.push(event("response.function_call_arguments.delta", { ...at, delta }));
        body.push(
          event("response.function_call_arguments.done", { ...at, name: item.name, arguments: item.arguments }),
        );
      } else {
        const [kind, place, part] =
          item.type === "message"
            ? ([
                "output_text",
                { ...at, content_index: 0 },
                { type: "output_text", annotations: [], logprobs: [] },
              ] as const)
            : (["reasoning_summary_text", { ...at, summary_index: 0 }, { type: "summary_text" }] as const);
        const partKind = item.type === "message" ? "content_part" : "reasoning_summary_part";
        const logprobs = item.type === "message" ? { logprobs: [] } : {};
        body.push(event(`response.${partKind}.added`, { ...place, part: { ...part, text: "" } }));
        for (const delta of item.pieces) body.push(event(`response.${kind}.delta`, { ...place, delta, ...logprobs }));
        const text = item.pieces.join("");
        body.push(event(`response.${kind}.done`, { ...place, text, ...logprobs }));
        body.push(event(`response.${partKind}.done`, { ...place, part: { ...part, text } }));
      }
      body.push(event("response.output_item.done", { output_index, item: withoutPieces(item) }));
    }
    const response = responseOf(reply);
    return { type: "text/event-stream", body, end: [event(`response.${response.status}`, { response })] };
  },
  error: openAiError,
  side: () => undefined,
};

function messagesOf({
  type = "message",
  role,
  content,
  call_id: id,
  name = "",
  arguments: json,
  output,
}: z.infer<typeof Item>): ModelMessage[] {
  if (type === "function_call") return [messageOf("assistant", { calls: [{ id, name, args: argsOf(json) }] })];
  if (type === "function_call_output") return [messageOf("tool", { results: [{ id, text: textOf(output) }] })];
  if (type !== "message") return [];
  const as = role === "assistant" || role === "system" ? role : role === "developer" ? "system" : "user";
  return [messageOf(as, { text: textOf(content) })];
}

/** The items of an answer; `pieces` is how a stream cuts what they hold. */
function itemsOf({ id, think, say, calls }: Reply) {
  const reasoning = {
    type: "reasoning" as const,
    id: `rs_${id}`,
    summary: [{ type: "summary_text", text: think.join("") }],
    pieces: think,
  };
  const content = [{ type: "output_text", text: say.join(""), annotations: [], logprobs: [] }];
  const message = {
    type: "message" as const,
    id: `msg_${id}`,
    role: "assistant",
    status: "completed",
    content,
    pieces: say,
  };
  return [
    ...(think.length > 0 ? [reasoning] : []),
    ...(say.length > 0 ? [message] : []),
    ...calls.map((call) => ({
      type: "function_call" as const,
      id: `fc_${call.id}`,
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.args),
      status: "completed",
      pieces: jsonPiecesOf(call),
    })),
  ];
}

function withoutPieces(item: object): object {
  return { ...item, pieces: undefined };
}

/** The state of an item when it is announced. */
function empty(type: "reasoning" | "message" | "function_call"): object {
  const nothing = { pieces: undefined };
  if (type === "reasoning") return { ...nothing, summary: [] };
  return { ...nothing, status: "in_progress", ...(type === "message" ? { content: [] } : { arguments: "" }) };
}

function responseOf(reply: Reply) {
  const { id, created, model, finish, usage } = reply;
  const reason = finish === "length" ? "max_output_tokens" : finish === "content_filter" ? "content_filter" : undefined;
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: created,
    status: reason === undefined ? "completed" : "incomplete",
    model,
    output: itemsOf(reply).map(withoutPieces),
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    temperature: 1,
    top_p: 1,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
  };
}
