import { isObject, methodOf } from "@editwire/core";
import { HarnessError } from "../../core/errors.js";
import type { Classified, Envelope } from "../../core/talk/message.js";
import { table } from "./table.js";

/**
 * The two envelopes: `{type, data}` of the host, `{session_id, event_type, data}` of the agent, whose `session_id` is
 * read as one of the params. There are no requests, so nothing is answered.
 */
export const envelope: Envelope = {
  request: () => never("request"),
  result: () => never("result"),
  error: () => never("error"),
  reactions: { chat_message: "context_created" },
  notification(method, params) {
    const fields = isObject(params) ? params : {};
    const from = methodOf(table, method)?.from;
    if (from === "host" || (from === undefined && fields["session_id"] === undefined))
      return { type: method, data: fields };
    const { session_id, ...data } = fields;
    return { session_id, event_type: method, data };
  },
  classify,
};

function classify(message: unknown): Classified {
  const invalid = (problem: string): Classified => ({ kind: "invalid", problem });
  if (!isObject(message)) {
    const type = Array.isArray(message) ? "an array" : message === null ? "null" : typeof message;
    return invalid(`expected an object, received ${type}`);
  }
  const { type, event_type, session_id, data } = message;
  const name = event_type ?? type;
  if (typeof name !== "string") return invalid("expected a string in event_type (of an agent) or type (of a host)");
  if (!isObject(data)) return invalid("data: expected an object");
  const fromAgent = event_type !== undefined && session_id !== undefined;
  return { kind: "notification", method: name, params: fromAgent ? { ...data, session_id } : data };
}

function never(kind: string): never {
  throw new HarnessError(`there is no ${kind} in this protocol`);
}
