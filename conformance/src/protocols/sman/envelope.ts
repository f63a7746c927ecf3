import { isObject } from "@editwire/core";
import type { Classified, Envelope } from "../../core/talk/message.js";

/**
 * The two envelopes: a `TOOL_CALL` has its fields at the root, a `TOOL_RESULT` and every message that the
 * specification lacks has them in `data`. A `TOOL_CALL` is a request, and its `TOOL_RESULT` is the result.
 */
export const envelope: Envelope = {
  id: (number) => `conformance-${number}`,
  request: (toolCallId, type, params) => ({ type, toolCallId, ...(isObject(params) ? params : { params }) }),
  result: (toolCallId, result) => ({ type: "TOOL_RESULT", data: { toolCallId, ...(isObject(result) && result) } }),
  error: (toolCallId, { message }) => ({
    type: "TOOL_RESULT",
    data: { toolCallId, success: false, error: message },
  }),
  notification: (type, data) => ({ type, data }),
  classify,
};

/** The id in the answer to a call without an id. */
export const noId = "";

function classify(message: unknown): Classified {
  if (!isObject(message)) {
    const type = Array.isArray(message) ? "an array" : message === null ? "null" : typeof message;
    return { kind: "invalid", problem: `expected an object, received ${type}` };
  }
  const problem = typeProblem(message);
  if (problem !== undefined) return { kind: "invalid", problem };
  const { type, data, ...root } = message;
  if (type === "TOOL_CALL") return callOf(root);
  if (type === "TOOL_RESULT") return resultOf(data);
  return { kind: "notification", method: String(type), params: isObject(data) ? data : {} };
}

/**
 * The fault in the type of a message: it has none, it is another spelling of one, or the message has the fields of a
 * call or of a result. A message of a type that the specification does not have is right.
 */
export function typeProblem({ type, data, ...root }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof type !== "string") return "type: expected a string";
  if (type === "TOOL_CALL" || type === "TOOL_RESULT") return undefined;
  const isCall = "toolCallId" in root && "toolName" in root && "params" in root;
  const isResult = isObject(data) && "toolCallId" in data && typeof data["success"] === "boolean";
  const said = `received ${JSON.stringify(type)}`;
  if (isCall || isSpelling(type, "TOOL_CALL")) return `type: expected TOOL_CALL, ${said}`;
  return isResult || isSpelling(type, "TOOL_RESULT") ? `type: expected TOOL_RESULT, ${said}` : undefined;
}

/** Whether a name is another one apart from its case and its separators. */
export function isSpelling(name: string, of: string): boolean {
  const letters = (text: string): string => text.replace(/[^A-Za-z]/g, "").toLowerCase();
  return letters(name) === letters(of);
}

function callOf({ toolCallId: id, ...params }: Record<string, unknown>): Classified {
  const problem = "toolCallId: expected a string at the root";
  if (typeof id !== "string" || id === noId) return { kind: "invalid", problem, id: noId };
  return { kind: "request", id, method: "TOOL_CALL", params };
}

function resultOf(data: unknown): Classified {
  if (!isObject(data)) return { kind: "invalid", problem: "data: expected an object" };
  const { toolCallId: id, ...result } = data;
  if (id === undefined) return { kind: "invalid", problem: "data.toolCallId: expected a string" };
  return { kind: "result", id, result };
}
