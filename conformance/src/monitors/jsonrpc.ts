import { isObject } from "@editwire/core";
import { type Classified, type Envelope, idKey } from "../core/talk/message.js";
import { defineMonitor, type Monitor } from "../core/talk/monitor.js";

/** JSON-RPC 2.0 as an envelope. */
export const jsonRpc: Envelope = {
  request: (id, method, params) => ({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) }),
  notification: (method, params) => ({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) }),
  result: (id, result) => ({ jsonrpc: "2.0", id, result }),
  error: (id, error) => ({ jsonrpc: "2.0", id, error }),
  classify,
};

function classify(message: unknown): Classified {
  const invalid = (problem: string): Classified => ({
    kind: "invalid",
    problem,
    ...(isObject(message) && isId(message["id"]) && { id: message["id"] }),
  });
  if (Array.isArray(message)) return invalid("a batch, where one message is expected");
  if (!isObject(message))
    return invalid(`expected a JSON-RPC object, received ${message === null ? "null" : typeof message}`);
  const { jsonrpc, id, method, params, result, error } = message;
  if (jsonrpc !== "2.0") return invalid(`jsonrpc: expected "2.0", received ${JSON.stringify(jsonrpc) ?? "nothing"}`);
  if ("method" in message) {
    if (typeof method !== "string") return invalid("method: expected a string");
    if ("result" in message || "error" in message) return invalid("a message with a method and a result or an error");
    if (params !== undefined && (typeof params !== "object" || params === null))
      return invalid("params: expected an object or an array");
    if (!("id" in message)) return { kind: "notification", method, params };
    return isId(id) ? { kind: "request", id, method, params } : invalid("id: expected a string or a number");
  }
  const hasResult = "result" in message;
  if (hasResult === "error" in message)
    return invalid(
      hasResult ? "a message with both a result and an error" : "a message without method, result and error",
    );
  if (!("id" in message)) return invalid("a response without an id");
  if (hasResult) return isId(id) ? { kind: "result", id, result } : invalid("id: expected the id of a request");
  if (id !== null && !isId(id)) return invalid("id: expected the id of a request, or null");
  if (!isObject(error)) return invalid("error: expected an object");
  const { code, message: text, data } = error;
  if (!Number.isInteger(code)) return invalid("error.code: expected an integer");
  if (typeof text !== "string") return invalid("error.message: expected a string");
  return { kind: "error", id, error: { code: code as number, message: text, ...(data !== undefined && { data }) } };
}

function isId(id: unknown): boolean {
  return typeof id === "string" || typeof id === "number";
}

/** The ids that the JSON-RPC monitors judge; each protocol has rows of its own for them. */
export interface JsonRpcRequirements {
  /** Every message is a JSON-RPC 2.0 object. */
  readonly envelope: string;
  /** An error is `{code: integer, message: string}`. */
  readonly error: string;
  /** A response carries the id of a request, of the same JSON type. */
  readonly id: string;
  /** A request is answered once, and a notification never. */
  readonly once: string;
  /** A request's id is not one that is still open. */
  readonly unique: string;
  /** A request's id has no fraction. Default: nobody says so. */
  readonly whole?: string | undefined;
}

/** The monitors that hold for every JSON-RPC protocol. */
export function jsonRpcMonitors(req: JsonRpcRequirements, prefix: string): Monitor[] {
  return [envelopeMonitor(req, prefix), responseMonitor(req, prefix), requestIdMonitor(req, prefix)];
}

function envelopeMonitor({ envelope, error }: JsonRpcRequirements, prefix: string): Monitor {
  const header = {
    id: `${prefix}.rpc.envelope`,
    title: "every message is a JSON-RPC 2.0 request, notification or response",
    req: [envelope, error],
  };
  return defineMonitor(header, (api) => {
    /** The batches of the suite that are not answered. */
    let batches = 0;
    return {
      message({ from, is, entry }) {
        if (from === "suite" && isBatchOf(entry.message, ["request"])) batches += 1;
        if (from !== "target") return;
        const answersBatch = batches > 0 && isBatchOf(entry.message, ["result", "error"]);
        if (answersBatch) batches -= 1;
        const problem = is.kind === "invalid" && !answersBatch ? is.problem : undefined;
        const isError = problem?.startsWith("error") === true;
        if (problem !== undefined) {
          api.require(isError ? error : envelope, false, entry, {
            message: problem,
            expected: "a JSON-RPC 2.0 message",
            actual: entry.message,
          });
          return api.fatal(entry, problem);
        }
        api.require(envelope, true, entry);
        if (is.kind === "error") api.require(error, true, entry);
      },
    };
  });
}

/** A batch with a message of one of these kinds, and without an invalid one. */
function isBatchOf(message: unknown, kinds: readonly Classified["kind"][]): boolean {
  const found = Array.isArray(message) ? message.map((one: unknown) => classify(one).kind) : [];
  return !found.includes("invalid") && kinds.some((kind) => found.includes(kind));
}

function responseMonitor({ id, once }: JsonRpcRequirements, prefix: string): Monitor {
  const header = {
    id: `${prefix}.rpc.response`,
    title: "a request is answered once, with its own id",
    req: [id, once],
  };
  return defineMonitor(header, (api) => ({
    message({ from, is, entry, answers }) {
      if (from !== "target" || (is.kind !== "result" && is.kind !== "error")) return;
      if (answers !== undefined) {
        api.require(id, true, entry);
        api.require(once, answers.answered === 0, entry, {
          message: `a second answer to ${answers.method}`,
          expected: "one answer",
          actual: entry.message,
        });
      } else if (is.id !== null) {
        const message = `an answer with the id ${idKey(is.id)}, which no request has`;
        api.require(id, false, entry, { message, expected: "the id of a request, unchanged", actual: entry.message });
        api.fatal(entry, message);
      }
    },
  }));
}

function requestIdMonitor({ unique, whole }: JsonRpcRequirements, prefix: string): Monitor {
  const header = {
    id: `${prefix}.rpc.unique-id`,
    title: `a request has an id that is not open already${whole === undefined ? "" : ", without a fraction"}`,
    req: [unique, ...(whole === undefined ? [] : [whole])],
  };
  return defineMonitor(header, (api) => {
    const open = new Set<string>();
    return {
      message({ from, is, entry }) {
        if (from === "suite" && (is.kind === "result" || is.kind === "error")) open.delete(idKey(is.id));
        if (from !== "target" || is.kind !== "request") return;
        api.require(unique, !open.has(idKey(is.id)), entry, {
          message: `a second open request with the id ${idKey(is.id)}`,
          expected: "an id of its own",
          actual: entry.message,
        });
        open.add(idKey(is.id));
        if (whole === undefined) return;
        api.require(whole, typeof is.id !== "number" || Number.isInteger(is.id), entry, {
          message: `a request with the id ${idKey(is.id)}`,
          expected: "a number without a fraction, or a string",
          actual: entry.message,
        });
      },
    };
  });
}
