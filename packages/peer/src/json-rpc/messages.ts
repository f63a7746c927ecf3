import type { RequestId } from "@editwire/core";
import { ErrorCode, WireError } from "@editwire/core/errors";
import { type Answers, toJson } from "../engine/index.js";
import { areParams } from "./incoming.js";

const maxHeads = 1_024;
const heads = new Map<string, string>();

/** The constant start of a method's messages, kept for the methods seen first. */
function headOf(method: string): string {
  let head = heads.get(method);
  if (head === undefined) {
    head = `{"jsonrpc":"2.0","method":${JSON.stringify(method)}`;
    if (heads.size < maxHeads) heads.set(method, head);
  }
  return head;
}

/**
 * The JSON text of a request, or of a notification when the id is `undefined`. Throws `invalid_params` for what JSON
 * cannot hold.
 */
export function encodeMessage(id: number | undefined, method: string, params: unknown): string {
  const head = headOf(method);
  return id === undefined
    ? `${head}${encodeParams(method, params)}}`
    : `${head},"id":${id}${encodeParams(method, params)}}`;
}

function encodeParams(method: string, params: unknown): string {
  if (params === undefined) return "";
  if (!areParams(params))
    throw new WireError(
      "invalid_params",
      `${method}: expected params to be an object or an array, received a ${typeof params}`,
    );
  return `,"params":${toJson("invalid_params", method, "params", params)}`;
}

/** How JSON-RPC writes its answers; a result that is `undefined` is answered as null. */
export const answers: Answers = {
  result(id, method, result) {
    const json = result === undefined ? "null" : toJson("invalid_result", method, "result", result);
    return `{"jsonrpc":"2.0","id":${encodeId(id)},"result":${json}}`;
  },
  error: (id, _method, { code, message, data }) => encodeError(id, code, message, data),
  duplicate: (id) =>
    encodeError(
      id,
      ErrorCode.InvalidRequest,
      "Invalid request: duplicate id, the first request with it is not answered yet",
    ),
};

/** The JSON text of an error answer. Throws `invalid_result` for `data` that JSON cannot hold. */
export function encodeError(id: RequestId | null, code: number, message: string, data?: unknown): string {
  const known = Number.isInteger(code) ? code : ErrorCode.InternalError;
  const rest = data === undefined ? "" : `,"data":${toJson("invalid_result", String(id), "error data", data)}`;
  const text = toJson("invalid_result", String(id), "error message", String(message));
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"error":{"code":${known},"message":${text}${rest}}}`;
}

function encodeId(id: RequestId | null): string {
  return typeof id === "string" ? JSON.stringify(id) : String(id);
}
