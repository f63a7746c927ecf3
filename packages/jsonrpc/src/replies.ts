import { ErrorCode, RemoteError } from "@editwire/core/errors";
import { type Incoming, show } from "./messages.js";
import type { Reports } from "./reports.js";

/** What a reply says: the call's error, or `undefined` when it has a result. Reports what is not as JSON-RPC has it. */
export function errorIn({ jsonrpc, result, error }: Incoming, method: string, reports: Reports): RemoteError | undefined {
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

/** Reports a reply that no call waits for. */
export function reportStray({ id, error }: Incoming, reports: Reports): void {
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
