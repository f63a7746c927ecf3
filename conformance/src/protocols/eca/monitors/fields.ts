import { isObject } from "@editwire/core";
import type { SeenMessage } from "../../../core/talk/monitor.js";

/** A content that the server sent. */
export interface SeenContent {
  readonly chatId: string;
  readonly role: unknown;
  readonly requestId: unknown;
  readonly content: Record<string, unknown>;
}

/** A string at a field, or the empty one. */
export function textOf(value: unknown, field: string): string {
  const found = isObject(value) ? value[field] : undefined;
  return typeof found === "string" ? found : "";
}

/** The content of a `chat/contentReceived` of one party. */
export function contentOf({ from, is }: SeenMessage, party: "suite" | "target"): SeenContent | undefined {
  if (
    from !== party ||
    is.kind !== "notification" ||
    is.method !== "chat/contentReceived" ||
    !isObject(is.params) ||
    !isObject(is.params["content"])
  )
    return undefined;
  const { chatId, role, requestId, content } = is.params;
  return { chatId: String(chatId), role, requestId, content: content as Record<string, unknown> };
}
