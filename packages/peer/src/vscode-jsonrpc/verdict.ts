import type { RequestId } from "@editwire/core";
import { show } from "../engine/index.js";
import {
  faultOf,
  type Incoming,
  isRequestId,
  members,
  type Oddity,
  readReply,
  unquoted,
} from "../json-rpc/incoming.js";

/**
 * The decision about a received value: pass it on, answer it with an error, or ignore it. The notes describe its
 * deviations.
 */
export type Verdict = { readonly notes: readonly Oddity[] } & (
  | { readonly pass: object }
  | { readonly refuse: { readonly id: RequestId | null; readonly message: string } }
  | { readonly ignore: true }
);

/** The ids in use, in both directions. */
export interface Ids {
  /** Requests that were sent and not answered yet. */
  readonly sent: ReadonlySet<unknown>;
  /** Requests that were received and not answered yet. */
  readonly received: ReadonlySet<unknown>;
}

/** Judges one received value by JSON-RPC 2.0. */
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
    const isNotification = id === undefined && typeof method === "string";
    return isNotification ? ignore("invalid-notification", `ignored a notification: ${fault}`) : refuse(id, fault);
  }
  if (id !== undefined && ids.received.has(id))
    return refuse(id, "duplicate id, the first request with it is not answered yet");
  // vscode-jsonrpc reads the id of such a message unseen, and throws where there is none.
  if (method === "$/cancelRequest" && !isRequestId(members(params)["id"]))
    return ignore("invalid-notification", "ignored a cancel without an id");
  return { pass: message, notes: [] };
}

function judgeReply(message: Incoming, ids: Ids): Verdict {
  const { id: wireId, params, result, error } = message;
  const id = ids.sent.has(wireId) ? wireId : unquoted(wireId);
  const isReply = result !== undefined || error !== undefined || (params === undefined && ids.sent.has(id));
  if (!isReply) return refuse(wireId, `"method" is missing`);
  if (!ids.sent.has(id))
    return ignore("unknown-response", `no call waits for the reply with the id ${show(wireId)}; it is ignored`);
  const reply = readReply(message, id as RequestId);
  const said = reply.error === undefined ? { result: result ?? null } : { error: reply.error };
  return { pass: { jsonrpc: "2.0", id, ...said }, notes: reply.oddities };
}

function refuse(id: unknown, why: string): Verdict {
  const notes = [{ id: "rpc.invalid-request", message: `refused a message: ${why}` }];
  return { refuse: { id: isRequestId(id) ? id : null, message: `Invalid request: ${why}` }, notes };
}

function ignore(kind: string, message: string): Verdict {
  return { ignore: true, notes: [{ id: `rpc.${kind}`, message }] };
}
