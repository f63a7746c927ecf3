import type { RequestId } from "@editwire/core";
import { ErrorCode } from "@editwire/core/errors";
import { show } from "../engine/index.js";

/** The members that a JSON-RPC message may have, none of them checked yet. */
export interface Incoming {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A deviation of a message that is still accepted, as a diagnostic names it. */
export interface Oddity {
  readonly id: string;
  readonly message: string;
}

/** The error of a reply. */
export interface ReplyError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The fields of a reply. */
export interface Reply {
  /** Absent if the result is used, which is null if there is none. */
  readonly error: ReplyError | undefined;
  readonly oddities: readonly Oddity[];
}

/** True for an id that can be echoed. JSON numbers beyond the range of a double are read as infinite. */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || (typeof id === "number" && Number.isFinite(id));
}

/** True for the params that JSON-RPC allows; null is read as absent. */
export function areParams(params: unknown): boolean {
  return params === undefined || typeof params === "object";
}

/** Why a message with a method is neither a request nor a notification. */
export function faultOf({ jsonrpc, id, method, params }: Incoming): string | undefined {
  if (jsonrpc !== "2.0") return `"jsonrpc" is ${show(jsonrpc)}, not "2.0"`;
  if (typeof method !== "string") return `"method" is ${show(method)}, not a string`;
  if (id !== undefined && !isRequestId(id)) return `"id" is ${show(id)}, not a string or a number`;
  if (!areParams(params)) return `"params" is ${show(params)}, not an object or an array`;
  return undefined;
}

/** The number in a string id: some peers return the id 1 as "1". */
export function unquoted(id: unknown): unknown {
  return typeof id === "string" && String(Number(id)) === id ? Number(id) : id;
}

/** The members of an object; no members for other values. */
export function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

const usual: Reply = { error: undefined, oddities: [] };

/** Reads the reply to a request that was sent with the id `sentId`, even if it is malformed. */
export function readReply({ jsonrpc, id, result, error }: Incoming, sentId: RequestId): Reply {
  if (jsonrpc === "2.0" && id === sentId && error === undefined && result !== undefined) return usual;
  const failed = error !== undefined && error !== null;
  const oddities: Oddity[] = [];
  const note = (kind: string, message: string): void =>
    void oddities.push({ id: `rpc.${kind}`, message: `the reply${message}` });
  if (id !== sentId) note("id-type", `'s id is ${show(id)}; ${sentId} was sent`);
  if (jsonrpc !== "2.0") note("version", `'s "jsonrpc" is ${show(jsonrpc)}, not "2.0"`);
  if (result !== undefined && error !== undefined)
    note("result-and-error", ` has both a result and an error; ${failed ? "the error" : "the result"} counts`);
  if (!failed && result === undefined) note("no-result", " has neither a result nor an error; it counts as null");
  if (failed && !isReplyError(error))
    note("error-shape", "'s error is not an object with a number as code and a string as message");
  return { error: failed ? readError(error) : undefined, oddities };
}

function isReplyError(error: unknown): error is ReplyError {
  const { code, message } = members(error);
  return typeof code === "number" && typeof message === "string";
}

function readError(error: unknown): ReplyError {
  if (isReplyError(error)) return error;
  const { code, message, data } = members(error);
  const text = [message, error].find((part) => typeof part === "string") ?? "The peer answered with a malformed error";
  if (typeof code === "number") return { code, message: text, data: data ?? error };
  return { code: ErrorCode.InternalError, message: text, data: error }; // with the word that some peers have as code
}
