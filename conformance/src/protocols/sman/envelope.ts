import { isObject } from "@editwire/core";
import type { Classified, Envelope } from "../../core/message.js";

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
  const { type, data, ...root } = message;
  if (typeof type !== "string") return { kind: "invalid", problem: "type: expected a string" };
  if (type === "TOOL_CALL") return callOf(root);
  if (type === "TOOL_RESULT") return resultOf(data);
  return { kind: "notification", method: type, params: isObject(data) ? data : {} };
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
