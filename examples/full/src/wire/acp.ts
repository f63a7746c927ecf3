import { cut, type Fields, fieldsOf, quoted, type Short } from "./short.js";

const silent: readonly unknown[] = [
  "usage_update",
  "current_mode_update",
  "config_option_update",
  "session_info_update",
];

const openStatuses: readonly unknown[] = ["pending", "in_progress"];

/** A message of ACP in short. */
export function shortAcp(message: unknown): Short | undefined {
  const { method, params, result, error } = fieldsOf(message);
  if (method === "session/update") return shortUpdate(fieldsOf(fieldsOf(params)["update"]));
  if (typeof method === "string") return { text: `${method} ${aboutRequest(method, fieldsOf(params))}`.trim() };
  if (error !== undefined) return { text: `↩ error: ${cut(fieldsOf(error)["message"])}` };
  const { stopReason, outcome } = fieldsOf(result);
  if (outcome !== undefined) return { text: `↩ ${cut(fieldsOf(outcome)["optionId"] ?? fieldsOf(outcome)["outcome"])}` };
  return stopReason === undefined ? undefined : { text: `↩ ${cut(stopReason)}` };
}

function aboutRequest(method: string, { prompt, toolCall, sessionId }: Fields): string {
  if (method === "session/request_permission") return quoted(fieldsOf(toolCall)["title"]);
  if (Array.isArray(prompt)) return quoted(prompt.map((block) => fieldsOf(block)["text"] ?? "").join(" "));
  return cut(sessionId, 8);
}

function shortUpdate({ sessionUpdate: kind, content, title, status, entries }: Fields): Short | undefined {
  if (silent.includes(kind)) return undefined;
  const { text } = fieldsOf(content);
  if (typeof text === "string") return { text, goesOn: String(kind) };
  if (kind === "tool_call_update" && (status === undefined || openStatuses.includes(status))) return undefined;
  if (kind === "plan" && Array.isArray(entries)) return { text: `plan of ${entries.length} steps` };
  return {
    text: [kind, title === undefined ? "" : quoted(title), cut(status)].filter((part) => part !== "").join(" "),
  };
}
