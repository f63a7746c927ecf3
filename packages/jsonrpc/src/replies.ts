import { ErrorCode, RemoteError } from "@editwire/core/errors";
import { type Calls, type Reports, show } from "@editwire/engine";
import type { Incoming } from "./messages.js";

/** Settles the call that a reply belongs to; reports a reply that belongs to none. */
export function acceptReply(reply: Incoming, calls: Calls, reports: Reports): void {
  const id = unquoted(reply.id);
  const call = calls.take(id);
  if (call === undefined) {
    if (!calls.forget(id)) reportStray(reply, reports);
    return;
  }
  if (id !== reply.id) reports.diagnostic("rpc.id-type", call.method, `the reply's id is ${show(reply.id)}; ${call.key} was sent`);
  calls.settle(call, errorIn(reply, call.method, reports), reply.result ?? null);
}

/** A reply without its result still belongs to the call that it names. */
export function isReply({ id, params, result, error }: Incoming, calls: Calls): boolean {
  return result !== undefined || error !== undefined || (params === undefined && calls.expects(id));
}

/** Some peers write back the id 1 as "1". */
function unquoted(id: unknown): unknown {
  return typeof id === "string" && String(Number(id)) === id ? Number(id) : id;
}

/** What a reply says: the call's error, or `undefined` when it has a result. Reports what is not as JSON-RPC has it. */
function errorIn({ jsonrpc, result, error }: Incoming, method: string, reports: Reports): RemoteError | undefined {
  if (jsonrpc !== "2.0") reports.diagnostic("rpc.version", method, `the reply's "jsonrpc" is ${show(jsonrpc)}, not "2.0"`);
  if (result !== undefined && error !== undefined) {
    const counts = error === null ? "the result" : "the error";
    reports.diagnostic("rpc.result-and-error", method, `the reply has both a result and an error; ${counts} counts`);
  }
  if (error !== undefined && error !== null) return remoteError(error, method, reports);
  if (result === undefined) reports.diagnostic("rpc.no-result", method, "the reply has neither a result nor an error; it counts as null");
  return undefined;
}

function remoteError(error: unknown, method: string, reports: Reports): RemoteError {
  const { code, message, data } = members(error);
  if (typeof code === "number" && typeof message === "string") return new RemoteError(code, message, data);
  reports.diagnostic("rpc.error-shape", method, "the reply's error is no object with a number as code and a string as message");
  const text = [message, error].find((value) => typeof value === "string") ?? "The peer answered with a malformed error";
  return new RemoteError(typeof code === "number" ? code : ErrorCode.InternalError, text, data ?? error);
}

function reportStray({ id, error }: Incoming, reports: Reports): void {
  if (error !== undefined && (id === undefined || id === null)) {
    const { code, message } = members(error);
    reports.diagnostic("rpc.error-without-id", undefined, `an error reply names no request: ${show(code)} ${show(message)}`);
  } else {
    reports.diagnostic("rpc.unknown-response", undefined, `no call waits for the reply with the id ${show(id)}; it is ignored`);
  }
}

function members(error: unknown): Record<string, unknown> {
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
}
