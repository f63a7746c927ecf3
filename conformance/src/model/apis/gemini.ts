import * as z from "zod";
import { type ModelApi, sse } from "../api.js";
import { argsOf, messageOf } from "../conversation.js";
import { SCRIPTED_MODEL } from "../name.js";
import { type Reply, tokensOf } from "../reply.js";

const Part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.looseObject({ id: z.string().optional(), name: z.string(), args: z.unknown().optional() }).optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string(), response: z.unknown().optional() })
    .optional(),
});
const Content = z.looseObject({ role: z.string().optional(), parts: z.array(Part).optional() });
const Declaration = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.looseObject({}).optional(),
  parametersJsonSchema: z.looseObject({}).optional(),
});
const Request = z.looseObject({
  contents: z.array(Content).min(1),
  systemInstruction: Content.optional(),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(Declaration).optional() })).optional(),
});

const asked = /\/models\/([^/]+):(generateContent|streamGenerateContent)$/;

/** Gemini's generateContent and streamGenerateContent, the latter as server-sent events or as one JSON array. */
export const gemini: ModelApi = {
  name: "gemini",
  asks: (path) => asked.test(path),
  read({ path, body }) {
    const { contents, systemInstruction, tools = [] } = Request.parse(body);
    const [, model = "", action] = asked.exec(path) ?? [];
    return {
      model,
      messages: [
        ...(systemInstruction === undefined ? [] : [messageOf("system", { text: textOf(systemInstruction) })]),
        ...contents.map((content) => {
          const { role, parts = [] } = content;
          return messageOf(role === "model" ? "assistant" : "user", {
            text: textOf(content),
            calls: parts.flatMap(({ functionCall: call }) =>
              call === undefined ? [] : [{ id: call.id, name: call.name, args: argsOf(call.args) }],
            ),
            results: parts.flatMap(({ functionResponse: result }) =>
              result === undefined ? [] : [{ id: result.id, name: result.name, text: outputOf(result.response) }],
            ),
          });
        }),
      ],
      tools: tools.flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name, description = "", parameters, parametersJsonSchema }) => ({
          name,
          description,
          parameters: parametersJsonSchema ?? parameters ?? {},
        })),
      ),
      stream: action === "streamGenerateContent",
    };
  },
  whole: (reply) =>
    response(
      reply,
      partsOf(reply, (pieces) => [pieces.join("")]),
      true,
    ),
  stream(reply, { query }) {
    const body = partsOf(reply, (pieces) => pieces).map((part) => response(reply, [part], false));
    const end = response(reply, [{ text: "" }], true);
    if (query.get("alt") === "sse")
      return { type: "text/event-stream", body: body.map((one) => sse(one)), end: [sse(end)] };
    return {
      type: "application/json",
      body: ["[", ...body.map((one) => `${JSON.stringify(one)},\n`)],
      end: [`${JSON.stringify(end)}]`],
    };
  },
  error(status, message) {
    const names: Readonly<Record<number, string>> = {
      400: "INVALID_ARGUMENT",
      401: "UNAUTHENTICATED",
      403: "PERMISSION_DENIED",
      404: "NOT_FOUND",
      429: "RESOURCE_EXHAUSTED",
      503: "UNAVAILABLE",
    };
    return {
      error: { code: status, message, status: names[status] ?? (status >= 500 ? "INTERNAL" : "FAILED_PRECONDITION") },
    };
  },
  side({ method, path, body }) {
    if (method === "POST" && path.endsWith(":countTokens")) return { totalTokens: tokensOf(body) };
    if (method !== "GET" || !/\/v1beta\/models(\/[^/]+)?$/.test(path)) return undefined;
    const supportedGenerationMethods = ["generateContent", "streamGenerateContent", "countTokens"];
    const model = {
      name: `models/${SCRIPTED_MODEL}`,
      displayName: SCRIPTED_MODEL,
      inputTokenLimit: 1_000_000,
      outputTokenLimit: 1_000_000,
      supportedGenerationMethods,
    };
    return path.endsWith("/models") ? { models: [model] } : model;
  },
};

function textOf({ parts = [] }: z.infer<typeof Content>): string {
  return parts.flatMap(({ text, thought }) => (thought === true ? [] : (text ?? []))).join("\n");
}

/** A tool's answer is an object; the text stands in it under `output`, by custom. */
function outputOf(response: unknown): string {
  const { output, error, result } = argsOf(response);
  const text = output ?? error ?? result ?? response;
  return typeof text === "string" ? text : JSON.stringify(text ?? "");
}

function partsOf({ think, say, calls }: Reply, cut: (pieces: readonly string[]) => readonly string[]): object[] {
  return [
    ...(think.length > 0 ? cut(think).map((text) => ({ text, thought: true })) : []),
    ...(say.length > 0 ? cut(say).map((text) => ({ text })) : []),
    ...calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
  ];
}

function response({ id, model, finish, usage }: Reply, parts: readonly object[], last: boolean) {
  const finishReason = { stop: "STOP", tool_calls: "STOP", length: "MAX_TOKENS", content_filter: "SAFETY" }[finish];
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...(last && { finishReason }) }],
    ...(last && {
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
    }),
    modelVersion: model,
    responseId: `response-${id}`,
  };
}
