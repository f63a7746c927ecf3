import { RemoteError, WireError } from "@editwire/core/errors";
import { type Calls, type Reports, show } from "../engine/index.js";
import { type Incoming, members, readReply, unquoted } from "./incoming.js";

/** Settles the call that a reply belongs to, and reports a reply without a call. */
export function acceptReply(reply: Incoming, calls: Calls, reports: Reports): void {
  const id = unquoted(reply.id);
  const call = calls.take(id);
  if (call === undefined) {
    if (!calls.forget(id)) reportStray(reply, reports);
    return;
  }
  const { error, oddities } = readReply(reply, call.key);
  for (const oddity of oddities) reports.diagnostic(oddity.id, call.method, oddity.message);
  calls.settle(call, error && new RemoteError(error.code, error.message, error.data, call), reply.result ?? null);
}

/** Fails the call whose reply is lost, for this reason. Returns whether it is the reply to one. */
export function loseReply(reply: Incoming, why: string, calls: Calls): boolean {
  const id = unquoted(reply.id);
  const call = isReply(reply, calls) ? calls.take(id) : undefined;
  if (call === undefined) return calls.forget(id);
  calls.settle(call, new WireError("invalid_result", `${call.method}: ${why}`), undefined);
  return true;
}

/** A reply without its result still belongs to the call that it names. */
export function isReply({ id, params, result, error }: Incoming, calls: Calls): boolean {
  return result !== undefined || error !== undefined || (params === undefined && calls.expects(id));
}

function reportStray({ id, error }: Incoming, reports: Reports): void {
  if (error !== undefined && (id === undefined || id === null)) {
    const { code, message } = members(error);
    reports.diagnostic("rpc.error-without-id", undefined, `an error reply has no id: ${show(code)} ${show(message)}`);
  } else {
    reports.diagnostic(
      "rpc.unknown-response",
      undefined,
      `no call waits for the reply with the id ${show(id)}; it is ignored`,
    );
  }
}
