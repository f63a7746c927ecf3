import { ErrorCode, isWireError, type WireError } from "@editwire/core/errors";
import { type Incoming, isRequestId, members } from "./incoming.js";

/** The `data` of the transport's error about bytes that are not a message. */
export interface Loss {
  /** `glued`, `quoted`, `outline` or `binary`; see `TransportEvents.malformed`. */
  readonly found: unknown;
  /** The beginning of the text; without a text, the error's message. */
  readonly excerpt: string;
  /** The message is in another charset. Its sender receives an answer even if other bytes are noise. */
  readonly isForeign: boolean;
  readonly isTooLarge: boolean;
}

/** An error reply of JSON-RPC. */
export interface ErrorReply {
  readonly jsonrpc: "2.0";
  readonly id: string | number;
  readonly error: { readonly code: number; readonly message: string };
}

/** Reads an error of `TransportEvents.malformed`. */
export function lossOf(error: WireError): Loss {
  const { found, excerpt, charset } = members(error.data);
  return {
    found,
    excerpt: typeof excerpt === "string" && excerpt !== "" ? excerpt : error.message,
    isForeign: charset !== undefined,
    isTooLarge: isWireError(error, "too_large"),
  };
}

/** True for what can be read of a lost message if that was a reply. */
export function isLostReply(message: Incoming, { found }: Loss): boolean {
  const { id, method, result, error } = message;
  if (method !== undefined || !isRequestId(id) || found === "quoted") return false;
  // A message that is cut before its result may be a request.
  return found !== "outline" || result !== undefined || error !== undefined;
}

/** Says why a reply is lost, behind the name of its call. */
export function unreadable(error: WireError): string {
  return `the answer cannot be read: ${error.message}`;
}

/**
 * The error reply to use in place of a reply that a transport could not read, so that its call fails at once.
 * `undefined` if the arguments of `TransportEvents.malformed` do not show such a reply.
 */
export function replyForLost(error: WireError, value: unknown): ErrorReply | undefined {
  const message: Incoming = members(value);
  if (!isRequestId(message.id) || !isLostReply(message, lossOf(error))) return undefined;
  return { jsonrpc: "2.0", id: message.id, error: { code: ErrorCode.ParseError, message: unreadable(error) } };
}

/**
 * The error reply to send to the caller of a request that a transport could not read, so that its call fails at once.
 * `undefined` if the arguments of `TransportEvents.malformed` do not show such a request.
 */
export function answerToLost(error: WireError, value: unknown): ErrorReply | undefined {
  const { id, method }: Incoming = members(value);
  const loss = lossOf(error);
  if (!isRequestId(id) || typeof method !== "string" || loss.found === "quoted" || loss.found === "binary")
    return undefined;
  const [code, name] = loss.isTooLarge
    ? [ErrorCode.InvalidRequest, "Invalid request"]
    : [ErrorCode.ParseError, "Parse error"];
  return { jsonrpc: "2.0", id, error: { code, message: `${name}: ${error.message}` } };
}
