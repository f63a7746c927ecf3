import type { ContentBlock, SessionUpdate, ToolCallUpdate } from "@editwire/acp";
import type { AgentEvent, AgentPlanEntry } from "../api/events.js";
import { isEnd, type AgentToolCallContent, type AgentToolCallState } from "../api/tool-call-state.js";

/** The terminals that the client has. */
export type OwnTerminals = ReadonlySet<string>;

const noTerminals: OwnTerminals = new Set();

/** The updates by which a client is shown an event; nothing for events that have none. */
export function updatesOf(event: AgentEvent): SessionUpdate[] {
  switch (event.type) {
    case "user": {
      const messageId = crypto.randomUUID();
      return event.content.map((content) => ({ sessionUpdate: "user_message_chunk", content, messageId }));
    }
    case "text":
      return [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: event.text } }];
    case "content":
      return [{ sessionUpdate: "agent_message_chunk", content: event.content }];
    case "thought":
      return [{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: event.text } }];
    case "plan":
      return [{ sessionUpdate: "plan", entries: event.entries.map(planEntryOf) }];
    case "tool_call":
      return callUpdates(event.toolCall);
    case "usage": {
      const { context, sessionCost: cost } = event.usage;
      if (context === undefined) return [];
      return [{ sessionUpdate: "usage_update", ...context, ...(cost === undefined ? {} : { cost: { ...cost } }) }];
    }
    case "mode":
      return [{ sessionUpdate: "current_mode_update", currentModeId: event.modeId }];
    case "config_options":
      return [{ sessionUpdate: "config_option_update", configOptions: [...event.configOptions] }];
    case "commands":
      return [{ sessionUpdate: "available_commands_update", availableCommands: [...event.commands] }];
    case "info":
      return [{ sessionUpdate: "session_info_update", title: event.title ?? null }];
    case "notice":
      return [{ sessionUpdate: "notice", severity: event.notice.severity, title: event.notice.text }];
    default:
      return [];
  }
}

/** A call that was not shown before. The specification has none that begins with its end. */
export function callUpdates(call: AgentToolCallState, own = noTerminals): SessionUpdate[] {
  if (!isEnd(call.status)) return [startOf(call, own)];
  const begun: AgentToolCallState = { ...call, status: "in_progress", output: undefined };
  return [startOf(begun, own), progressOf(begun, call, own)];
}

/** A call as it begins, with all that is known. */
function startOf(call: AgentToolCallState, own: OwnTerminals): SessionUpdate {
  return { sessionUpdate: "tool_call", ...toolCallOf(call, own), title: call.title, status: statusOf(call) };
}

/** The update for the changed fields of a call. */
export function progressOf(before: AgentToolCallState, call: AgentToolCallState, own: OwnTerminals): SessionUpdate {
  const [old, now] = [toolCallOf(before, own), toolCallOf(call, own)];
  const isSame = { content: same(before, call), locations: before.locations === call.locations };
  const entries = Object.entries(now).filter(([key, value]) => {
    if (key === "toolCallId" || key === "status") return true;
    if (key === "content" || key === "locations") return !isSame[key];
    return value !== old[key];
  });
  return { sessionUpdate: "tool_call_update", ...(Object.fromEntries(entries) as unknown as ToolCallUpdate) };
}

/** A call as a permission request shows it. */
export function toolCallOf(call: AgentToolCallState, own: OwnTerminals): ToolCallUpdate {
  const { toolCallId, title, name, kind, input, output, locations } = call;
  const content = contentsOf(call, own);
  return {
    toolCallId,
    title,
    status: statusOf(call),
    ...(name === undefined ? {} : { name }),
    ...(kind === undefined ? {} : { kind }),
    ...(input === undefined ? {} : { rawInput: input }),
    ...(output === undefined ? {} : { rawOutput: output }),
    ...(content.length === 0 ? {} : { content }),
    ...(locations.length === 0 ? {} : { locations: locations.map((one) => ({ ...one })) }),
  };
}

/** Two states whose content is the same. */
function same(before: AgentToolCallState, call: AgentToolCallState): boolean {
  return (
    before.contents === call.contents && (showsOutput(before) ? before.output === call.output : !showsOutput(call))
  );
}

function statusOf({ status }: AgentToolCallState): "pending" | "in_progress" | "completed" | "failed" {
  if (status === "waiting") return "pending";
  return status === "rejected" || status === "cancelled" ? "failed" : status;
}

/** Clients show `content`, and not all of them show `rawOutput`. */
function showsOutput({ output, contents }: AgentToolCallState): boolean {
  return typeof output === "string" && output !== "" && !contents.some(({ type }) => type !== "diff");
}

function contentsOf(call: AgentToolCallState, own: OwnTerminals): NonNullable<ToolCallUpdate["content"]> {
  const contents = call.contents.map((content) => contentOf(content, own));
  return showsOutput(call) ? [...contents, textContent(call.output as string)] : contents;
}

function contentOf(content: AgentToolCallContent, own: OwnTerminals): NonNullable<ToolCallUpdate["content"]>[number] {
  if (content.type === "text") return textContent(content.text);
  if (content.type === "content") return { type: "content", content: content.content };
  if (content.type === "terminal" && own.has(content.terminalId))
    return { type: "terminal", terminalId: content.terminalId };
  if (content.type === "terminal") return textContent(content.output ?? `Terminal ${content.terminalId}`);
  return { ...content };
}

function textContent(text: string): { type: "content"; content: ContentBlock } {
  return { type: "content", content: { type: "text", text } };
}

function planEntryOf({ content, status, priority = "medium" }: AgentPlanEntry) {
  return { content, status, priority };
}
