import type { RequestId } from "@editwire/core";
import { ErrorCode } from "@editwire/core/errors";

/** The members that a JSON-RPC message may have, none of them checked yet. */
export interface Incoming {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What is to be done with a received value: handed on, answered with an error, or left alone; `note` says why. */
export type Verdict =
  | { readonly pass: object; readonly note?: Note }
  | { readonly refuse: { readonly id: RequestId | null; readonly message: string }; readonly note: Note }
  | { readonly ignore: true; readonly note: Note };

/** An oddity, as a diagnostic names it. */
export interface Note {
  readonly id: string;
  readonly message: string;
}

/** Which ids are in use, in both directions. */
export interface Ids {
  /** Requests that were sent and not answered yet. */
  readonly sent: ReadonlySet<unknown>;
  /** Requests that were received and not answered yet. */
  readonly received: ReadonlySet<unknown>;
}

/** Judges one received value as JSON-RPC 2.0 has it. */
export function judge(value: unknown, ids: Ids): Verdict {
  if (Array.isArray(value)) return refuse(null, "batches are not supported");
  if (typeof value !== "object" || value === null) return refuse(null, `a message is an object, not ${show(value)}`);
  const message: Incoming = value;
  return message.method === undefined ? judgeReply(message, ids) : judgeCall(message, ids);
}

function judgeCall(message: Incoming, ids: Ids): Verdict {
  const { id, method, params } = message;
  const fault = faultOf(message);
  if (fault !== undefined) {
    if (id !== undefined || typeof method !== "string") return refuse(id, fault);
    return { ignore: true, note: { id: "rpc.invalid-notification", message: `ignored a notification: ${fault}` } };
  }
  if (id !== undefined && ids.received.has(id)) return refuse(id, "duplicate id, the first request with it is not answered yet");
  // vscode-jsonrpc reads the id of such a message unseen, and throws where there is none.
  if (method === "$/cancelRequest" && !isRequestId(members(params).id)) {
    return { ignore: true, note: { id: "rpc.invalid-notification", message: "ignored a cancel that names no request" } };
  }
  return { pass: message };
}

function judgeReply(message: Incoming, ids: Ids): Verdict {
  const { id: wireId, params, result, error } = message;
  const id = ids.sent.has(wireId) ? wireId : unquoted(wireId);
  const isReply = result !== undefined || error !== undefined || (params === undefined && ids.sent.has(id));
  if (!isReply) return refuse(wireId, `"method" is missing`);
  if (!ids.sent.has(id)) {
    return { ignore: true, note: { id: "rpc.unknown-response", message: `no call waits for the reply with the id ${show(wireId)}; it is ignored` } };
  }
  const failed = error !== undefined && error !== null;
  const pass = failed ? { jsonrpc: "2.0", id, error: readError(error) } : { jsonrpc: "2.0", id, result: result ?? null };
  const note = noteOf(message, id, failed);
  return note === undefined ? { pass } : { pass, note };
}

/** What is odd about a reply that counts all the same. */
function noteOf({ jsonrpc, id, result, error }: Incoming, sentId: unknown, failed: boolean): Note | undefined {
  const both = `the reply has both a result and an error; ${failed ? "the error" : "the result"} counts`;
  if (jsonrpc !== "2.0") return { id: "rpc.version", message: `the reply's "jsonrpc" is ${show(jsonrpc)}, not "2.0"` };
  if (id !== sentId) return { id: "rpc.id-type", message: `the reply's id is ${show(id)}; ${String(sentId)} was sent` };
  if (result !== undefined && error !== undefined) return { id: "rpc.result-and-error", message: both };
  if (!failed && result === undefined) return { id: "rpc.no-result", message: "the reply has neither a result nor an error; it counts as null" };
  if (!failed || isError(error)) return undefined;
  return { id: "rpc.error-shape", message: "the reply's error is no object with a number as code and a string as message" };
}

function refuse(id: unknown, why: string): Verdict {
  const message = `Invalid request: ${why}`;
  return { refuse: { id: isRequestId(id) ? id : null, message }, note: { id: "rpc.invalid-request", message: `refused a message: ${why}` } };
}

/** Why a message with a method is no request or notification. */
function faultOf({ jsonrpc, id, method, params }: Incoming): string | undefined {
  if (jsonrpc !== "2.0") return `"jsonrpc" is ${show(jsonrpc)}, not "2.0"`;
  if (typeof method !== "string") return `"method" is ${show(method)}, not a string`;
  if (id !== undefined && !isRequestId(id)) return `"id" is ${show(id)}, not a string or a number`;
  if (params !== undefined && typeof params !== "object") return `"params" is ${show(params)}, not an object or an array`;
  return undefined;
}

function isError(error: unknown): boolean {
  const { code, message } = members(error);
  return typeof code === "number" && typeof message === "string";
}

/** An error that vscode-jsonrpc can make a `ResponseError` of. */
function readError(error: unknown): unknown {
  if (isError(error)) return error;
  const { code, message, data } = members(error);
  const text = [message, error].find((part) => typeof part === "string") ?? "The peer answered with a malformed error";
  return { code: typeof code === "number" ? code : ErrorCode.InternalError, message: text, data: data ?? error };
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || (typeof id === "number" && Number.isFinite(id));
}

/** Some peers write back the id 1 as "1". */
function unquoted(id: unknown): unknown {
  return typeof id === "string" && String(Number(id)) === id ? Number(id) : id;
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 100));
  return typeof value === "object" && value !== null ? (Array.isArray(value) ? "an array" : "an object") : String(value);
}
