import * as z from "zod";
import type { ModelApi } from "../api.js";
import { argsOf, messageOf } from "../conversation.js";
import { SCRIPTED_MODEL } from "../name.js";
import type { Reply } from "../reply.js";

const Message = z.looseObject({
  role: z.string(),
  content: z.string().nullish(),
  tool_calls: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }) }))
    .nullish(),
  tool_name: z.string().optional(),
});
const Tool = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.looseObject({}).optional(),
  }),
});
const Request = z.looseObject({
  model: z.string(),
  messages: z.array(Message),
  tools: z.array(Tool).nullish(),
  stream: z.boolean().nullish(),
});

/** Ollama's chat API. It streams by default. */
export const ollama: ModelApi = {
  name: "ollama",
  asks: (path) => path.endsWith("/api/chat"),
  read({ body }) {
    const { model, messages, tools, stream } = Request.parse(body);
    return {
      model,
      messages: messages.map(({ role, content, tool_calls, tool_name: name }) =>
        messageOf(role === "system" || role === "assistant" ? role : "user", {
          text: content ?? "",
          calls: (tool_calls ?? []).map(({ function: call }) => ({ name: call.name, args: argsOf(call.arguments) })),
          results: role === "tool" ? [{ name, text: content ?? "" }] : [],
        }),
      ),
      tools: (tools ?? []).map(({ function: { name, description = "", parameters = {} } }) => ({
        name,
        description,
        parameters,
      })),
      stream: stream !== false,
    };
  },
  whole(reply) {
    const { think, say, calls } = reply;
    const message = {
      content: say.join(""),
      ...(think.length > 0 && { thinking: think.join("") }),
      ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
    };
    return { ...lineOf(reply, message), ...endOf(reply) };
  },
  stream(reply) {
    const line = (value: object) => `${JSON.stringify(value)}\n`;
    return {
      type: "application/x-ndjson",
      body: [
        ...reply.think.map((thinking) => line(lineOf(reply, { content: "", thinking }))),
        ...reply.say.map((content) => line(lineOf(reply, { content }))),
        ...reply.calls.map((call) => line(lineOf(reply, { content: "", tool_calls: [callOf(call)] }))),
      ],
      end: [line({ ...lineOf(reply, { content: "" }), ...endOf(reply) })],
    };
  },
  error: (_status, message) => ({ error: message }),
  side({ method, path }) {
    const details = {
      family: SCRIPTED_MODEL,
      families: [SCRIPTED_MODEL],
      format: "gguf",
      parameter_size: "0B",
      quantization_level: "none",
      parent_model: "",
    };
    if (method === "GET" && path.endsWith("/api/version")) return { version: "0.12.0" };
    if (method === "GET" && path.endsWith("/api/tags")) {
      return {
        models: [
          {
            name: SCRIPTED_MODEL,
            model: SCRIPTED_MODEL,
            modified_at: "1970-01-01T00:00:00Z",
            size: 0,
            digest: "",
            details,
          },
        ],
      };
    }
    if (method === "POST" && path.endsWith("/api/show"))
      return { details, model_info: {}, capabilities: ["completion", "tools", "thinking"] };
    return undefined;
  },
};

function callOf({ name, args }: Reply["calls"][number]) {
  return { function: { name, arguments: args } };
}

function lineOf({ model, created }: Reply, message: object) {
  return {
    model,
    created_at: new Date(created * 1000).toISOString(),
    message: { role: "assistant", ...message },
    done: false,
  };
}

function endOf({ finish, usage }: Reply) {
  return {
    done: true,
    done_reason: finish === "length" ? "length" : "stop",
    total_duration: 1,
    load_duration: 1,
    prompt_eval_count: usage.input,
    prompt_eval_duration: 1,
    eval_count: usage.output,
    eval_duration: 1,
  };
}
