import { isObject } from "@editwire/core";
import type { Envelope } from "../../core/talk/message.js";
import { jsonRpc } from "../../monitors/jsonrpc.js";

/** The request in which commands travel. */
export const carrier = "workspace/executeCommand";

/** Commands, and names that look like one; the notifications of a run travel by themselves. */
export const isCommand = (method: string): boolean =>
  method.startsWith("kaiak/") && !method.startsWith("kaiak/stream/");

function wrapped(method: string, params: unknown): readonly [method: string, params: unknown] {
  if (!isCommand(method)) return [method, params];
  return [carrier, { command: method, arguments: params === undefined ? [] : [params] }];
}

/** JSON-RPC 2.0, with commands inside of `workspace/executeCommand`: everybody else sees commands as methods. */
export const envelope: Envelope = {
  ...jsonRpc,
  request: (id, method, params) => jsonRpc.request(id, ...wrapped(method, params)),
  notification: (method, params) => jsonRpc.notification(...wrapped(method, params)),
  classify(message) {
    const is = jsonRpc.classify(message);
    if (is.kind !== "request" && is.kind !== "notification") return is;
    const found = is.method === carrier ? commandIn(is.params) : undefined;
    return found === undefined ? is : { ...is, ...found };
  },
};

/** The command that travels in params, with its argument. */
function commandIn(params: unknown): { readonly method: string; readonly params: unknown } | undefined {
  if (!isObject(params)) return undefined;
  const { command, arguments: list } = params;
  return typeof command === "string" && Array.isArray(list) ? { method: command, params: list[0] } : undefined;
}
