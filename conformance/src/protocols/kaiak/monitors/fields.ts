import { isObject } from "@editwire/core";
import { kaiak } from "@editwire/kaiak-schema";
import type { SeenMessage } from "../../../core/talk/monitor.js";

type Json = Record<string, unknown>;

/** A notification of a run. */
export interface Note {
  /** The part of the name after `kaiak/stream/`. */
  readonly kind: string;
  readonly session: string;
  readonly request: string;
  readonly message: unknown;
  readonly content: Json;
}

/** A notification of a run that one party sent. */
export function noteOf({ from, is }: SeenMessage, party: "suite" | "target"): Note | undefined {
  if (from !== party || is.kind !== "notification" || !is.method.startsWith("kaiak/stream/")) return undefined;
  if (!Object.hasOwn(kaiak.methods, is.method)) return undefined; // a vendor's notification need not belong to a run
  if (!isObject(is.params)) return undefined;
  const { session_id, request_id, message_id, content } = is.params;
  return {
    kind: is.method.slice("kaiak/stream/".length),
    session: String(session_id),
    request: String(request_id),
    message: message_id,
    content: isObject(content) ? content : {},
  };
}

/** A string at a field, or the empty one. */
export function textOf(value: unknown, field: string): string {
  const found = isObject(value) ? value[field] : undefined;
  return typeof found === "string" ? found : "";
}
