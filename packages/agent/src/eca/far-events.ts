import type { ContentBlock } from "@editwire/acp";
import type { EcaEntry, EcaToolCallState, EcaUpdateEvent, UsageContent } from "@editwire/eca";
import type { AgentEvent, AgentPlanEntry } from "../api/events.js";
import type { FarCall } from "../far/far-calls.js";
import { inputIn } from "../api/tool-call-state.js";
import { diffsOf } from "./far-diff.js";

/**
 * The event for an update of an ECA server; `undefined` for those that have none. Tool calls are carried by `callOf`.
 */
export function eventOf(event: EcaUpdateEvent, cwd: string): AgentEvent | undefined {
  switch (event.type) {
    case "text":
      return { type: "text", text: event.text };
    case "user":
      return { type: "user", content: [{ type: "text", text: event.text.trimEnd() }] };
    case "notice":
      return event.text.trim() === ""
        ? undefined
        : { type: "notice", notice: { severity: "info", text: event.text.trim() } };
    case "thought":
      return event.text === "" ? undefined : { type: "thought", text: event.text };
    case "usage":
      return { type: "usage", usage: usageOf(event.usage) };
    case "url":
      return { type: "content", content: { type: "resource_link", uri: event.url, name: event.title } };
    case "image":
      return { type: "content", content: imageOf(event.image.base64, event.image.mediaType) };
    case "tool_call":
      return callEvent(event.toolCall, cwd);
    case "other": {
      const { type, title } = event.content as { readonly type: string; readonly title?: unknown };
      return type === "metadata" && typeof title === "string" ? { type: "info", title } : undefined;
    }
    default:
      return undefined;
  }
}

/** The parts of an ECA server's update that have no place here. */
export function lostIn(event: EcaUpdateEvent): readonly string[] {
  switch (event.type) {
    case "other":
      return event.content.type === "metadata" ? [] : [event.content.type];
    case "usage":
      return lostOfUsage(event.usage);
    case "progress":
      return event.text === "" ? [] : ["progress"];
    case "tool_call":
      return lostOf(event.toolCall);
    default:
      return [];
  }
}

/** As `lostIn`, for what a session showed before. */
export function lostBefore(entry: EcaEntry): readonly string[] {
  if (entry.type === "tool_call") return lostOf(entry.toolCall);
  return entry.type !== "content" || entryOf(entry, "/") !== undefined ? [] : [entry.content.type];
}

/** Without the size of the context, the session's tokens are reported only as far as they are those of the message. */
function lostOfUsage(usage: UsageContent): readonly string[] {
  const { limit, sessionTokens, messageInputTokens = 0, messageOutputTokens = 0 } = usage;
  const isLost = limit === undefined && sessionTokens > messageInputTokens + messageOutputTokens;
  const others = (["autoCompactPercentage", "contextBreakdown"] as const).filter((key) => usage[key] !== undefined);
  return [...(isLost ? ["sessionTokens"] : []), ...others];
}

function lostOf({ details }: EcaToolCallState): readonly string[] {
  const isCarried = details === undefined || details.type === "fileChange" || details.type === "task";
  return isCarried ? [] : [`details of the type ${details.type}`];
}

/** The events of a session's earlier entries. */
export function eventsIn(entries: readonly EcaEntry[], cwd: string): AgentEvent[] {
  return entries.flatMap((entry) => entryOf(entry, cwd) ?? []);
}

function entryOf(entry: EcaEntry, cwd: string): AgentEvent | undefined {
  switch (entry.type) {
    case "message":
      if (entry.role === "user") return { type: "user", content: [{ type: "text", text: entry.text.trimEnd() }] };
      if (entry.role === "assistant") return { type: "text", text: entry.text };
      return { type: "notice", notice: { severity: "info", text: entry.text.trim() } };
    case "thought":
      return { type: "thought", text: entry.text };
    case "tool_call":
      return callEvent(entry.toolCall, cwd);
    case "content": {
      const { content } = entry;
      if (content.type === "url")
        return { type: "content", content: { type: "resource_link", uri: content.url, name: content.title } };
      return content.type === "image"
        ? { type: "content", content: imageOf(content.base64, content.mediaType) }
        : undefined;
    }
  }
}

const imageOf = (data: string, mimeType: string): ContentBlock => ({ type: "image", data, mimeType });

function callEvent(call: EcaToolCallState, cwd: string): AgentEvent {
  const entries = planIn(call);
  if (entries !== undefined) return { type: "plan", entries };
  const { contents = [], ...known } = callOf(call, cwd);
  return { type: "tool_call", toolCall: { ...known, contents, locations: [], status: call.status } };
}

/** The known facts about a call. */
export function callOf(
  { toolCallId, title, name, arguments: input, outputs, details }: EcaToolCallState,
  cwd: string,
): FarCall {
  const contents = diffsOf(details, cwd);
  const output = outputs.map(({ text }) => text).join("\n");
  return {
    toolCallId,
    title,
    name,
    ...(contents.length === 0 ? {} : { kind: "edit", contents }),
    input: inputIn(input ?? {}),
    ...(outputs.length === 0 ? {} : { output }),
  };
}

/** The plan that a call shows. */
export function planIn({ details }: EcaToolCallState): AgentPlanEntry[] | undefined {
  if (details?.type !== "task" || !Array.isArray(details["tasks"])) return undefined;
  const words: Readonly<Record<string, AgentPlanEntry["status"]>> = { "in-progress": "in_progress", done: "completed" };
  return (details["tasks"] as readonly { subject: string; status: string; priority: string }[]).map((task) => ({
    content: task.subject,
    status: words[task.status] ?? "pending",
    priority: task.priority === "high" || task.priority === "low" ? task.priority : "medium",
  }));
}

function usageOf(usage: UsageContent): Extract<AgentEvent, { type: "usage" }>["usage"] {
  const { messageInputTokens, messageOutputTokens, sessionTokens, lastMessageCost, sessionCost, limit } = usage;
  return {
    inputTokens: messageInputTokens,
    outputTokens: messageOutputTokens,
    ...(limit === undefined ? {} : { context: { used: sessionTokens, size: limit.context } }),
    ...costOf("cost", lastMessageCost),
    ...costOf("sessionCost", sessionCost),
  };
}

function costOf(name: "cost" | "sessionCost", text: string | undefined) {
  const amount = Number.parseFloat(text ?? "");
  return Number.isFinite(amount) ? { [name]: { amount, currency: "USD" } } : {};
}
