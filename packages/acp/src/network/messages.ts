import { acp } from "@editwire/acp-schema";
import { ErrorCode, isObject, methodOf, validatorOf, type WireError } from "@editwire/core";

/** The headers of the official Streamable HTTP transport. */
export const remoteHeaders = { connection: "Acp-Connection-Id", stream: "Acp-Session-Id" } as const;
/** Why a peer that uses this transport speaks the dialect `v1`, for the diagnostic. */
export const remoteReason = "it uses the Streamable HTTP transport of the official protocol";

/** The parts of a message that decide which event stream it belongs to. */
export interface RoutedMessage {
  readonly method: string | undefined;
  /** Undefined for a notification. */
  readonly id: string | undefined;
  /** The session in its params, or in its result. */
  readonly sessionId: string | undefined;
  /** It answers with an error. */
  readonly failed: boolean;
}

/** Reads those parts; the id is its JSON text, because 1 and "1" are two ids. */
export function routedMessage(message: unknown): RoutedMessage {
  const { method, id, params, result, error } = isObject(message) ? message : ({} as Record<string, unknown>);
  const body = method === undefined ? result : params;
  const sessionId = isObject(body) ? body["sessionId"] : undefined;
  return {
    method: typeof method === "string" ? method : undefined,
    id: typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : undefined,
    sessionId: typeof sessionId === "string" ? sessionId : undefined,
    failed: error !== undefined,
  };
}

/** True for a request `initialize`, valid or not. */
export function asksToInitialize(message: unknown): boolean {
  const { method, id } = routedMessage(message);
  return method === "initialize" && id !== undefined;
}

/** True for a valid `initialize`, after which a client keeps its slot. */
export function isInitialize(message: unknown): boolean {
  const params = methodOf(acp, "initialize")?.params;
  if (!isObject(message) || message["method"] !== "initialize" || params === undefined) return false;
  return validatorOf(params).fits(message["params"]);
}

/** The stream on which the official transport answers a request: the connection's for `session/load`. */
export function answerStream(method: string, sessionId: string): string {
  return method === "session/load" ? "" : sessionId;
}

/** Cancels, which turns send again anyway. */
const cancels = new Set(["session/cancel", "$/cancel_request"]);

/** True for a message that does no harm if it arrives twice: a cancel, and an answer, which its request takes once. */
export function mayArriveTwice(message: unknown): boolean {
  const { method } = routedMessage(message);
  return method === undefined || cancels.has(method);
}

/** The answer to a request whose POST failed; `undefined` for another message. */
export function refusedAnswer(message: unknown, { message: why, data }: WireError): unknown {
  const { method, id } = routedMessage(message);
  if (!isObject(message) || method === undefined || id === undefined) return undefined;
  return { jsonrpc: "2.0", id: message["id"], error: { code: ErrorCode.InternalError, message: why, data } };
}
