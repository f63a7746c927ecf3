import { isObject } from "@editwire/core";
import type { SeenMessage } from "../../../core/talk/monitor.js";
import { restoresSession } from "../samples.js";

/** A field of an object as text, `""` when it is not text. */
export function textOf(value: unknown, field: string): string {
  const text = isObject(value) ? value[field] : undefined;
  return typeof text === "string" ? text : "";
}

/** Says whether a path is absolute, on any system. */
export const isAbsolute = (path: unknown): boolean =>
  typeof path === "string" && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);

/** The update of a `session/update` of the target, with its session. */
export function updateOf({
  from,
  is,
}: SeenMessage): { sessionId: string; update: Record<string, unknown> } | undefined {
  if (from !== "target" || is.kind !== "notification" || is.method !== "session/update" || !isObject(is.params))
    return undefined;
  const { update } = is.params;
  return isObject(update) ? { sessionId: textOf(is.params, "sessionId"), update } : undefined;
}

/** The session that a finished request opened or resumed, from either side. */
export function openedSession({ is, answers }: SeenMessage): string | undefined {
  if (is.kind !== "result") return undefined;
  if (answers?.method === "session/new") return textOf(is.result, "sessionId");
  return restoresSession(answers?.method) ? textOf(answers?.params, "sessionId") : undefined;
}
