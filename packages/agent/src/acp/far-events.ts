import type { ContentBlock, AcpToolCallState, AcpUpdateEvent } from "@editwire/acp";
import type { AgentEvent } from "../api/events.js";
import type { FarCall } from "../far/far-calls.js";
import type { AgentToolCallContent, AgentToolCallState, AgentToolCallStatus } from "../api/tool-call-state.js";

/** The event for an update of an ACP agent; `undefined` for those that have none. */
export function eventOf(event: AcpUpdateEvent): AgentEvent | undefined {
  switch (event.type) {
    case "text":
      return { type: "text", text: event.text };
    case "content":
      return { type: "content", content: event.content };
    case "thought":
      return event.text === "" ? undefined : { type: "thought", text: event.text };
    case "user":
      return { type: "user", content: [event.content] };
    case "plan":
      return { type: "plan", entries: event.entries };
    case "mode":
      return { type: "mode", modeId: event.modeId };
    case "commands":
      return { type: "commands", commands: event.commands };
    case "config_options":
      return { type: "config_options", configOptions: event.configOptions };
    case "usage": {
      const { used, size, cost } = event.usage;
      return { type: "usage", usage: { context: { used, size }, sessionCost: cost } };
    }
    case "info":
      return event.title === undefined ? undefined : { type: "info", title: event.title ?? undefined };
    case "notice": {
      const { severity, title, description } = event.notice;
      const text = description === undefined ? title : `${title}\n${description}`;
      return { type: "notice", notice: { severity: severityOf(severity), text } };
    }
    case "tool_call":
      return {
        type: "tool_call",
        toolCall: { ...callOf(event.toolCall, nameIn(event.update)), status: statusOf(event.toolCall) },
      };
    default:
      return undefined;
  }
}

/**
 * Events for an ACP agent's replay: the blocks of a message of the user are one event, where the agent names its
 * messages.
 */
export function eventsOf(history: readonly AcpUpdateEvent[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  let message: string | undefined;
  for (const event of history) {
    const carried = eventOf(event);
    const last = events.at(-1);
    const before = message;
    message = event.type === "user" && "messageId" in event.update ? String(event.update.messageId) : undefined;
    if (carried === undefined) continue;
    const goesOn = message !== undefined && message === before && last?.type === "user" && carried.type === "user";
    if (goesOn) events[events.length - 1] = { ...last, content: [...last.content, ...carried.content] };
    else events.push(carried);
  }
  return events;
}

/** The parts of an ACP agent's update that have no place here. */
export function lostIn(event: AcpUpdateEvent): readonly string[] {
  if (event.type === "unknown" || event.type === "compaction") return [event.type];
  if (event.type !== "tool_call") return [];
  return event.toolCall.content
    .filter((content) => contentOf(content).length === 0)
    .map(({ type }) => `content of the type ${type}`);
}

function severityOf(severity: string): "info" | "warning" | "error" {
  return severity === "warning" || severity === "error" ? severity : "info";
}

/** The status of a call, as its agent says it. */
export function statusOf({ status }: Pick<AcpToolCallState, "status">): AgentToolCallStatus {
  return status === "waiting" ? "pending" : status;
}

/** The name for programs, which an update may have. */
export function nameIn(update: object): string | undefined {
  const { name } = update as { readonly name?: unknown };
  return typeof name === "string" ? name : undefined;
}

/** The known facts about a call. */
export function callOf(
  call: Omit<AcpToolCallState, "status">,
  name: string | undefined,
): FarCall & Pick<AgentToolCallState, "contents" | "locations"> {
  const { toolCallId, title, kind, content, locations, rawInput, rawOutput } = call;
  return {
    toolCallId,
    title,
    kind,
    ...(name === undefined ? {} : { name }),
    input: rawInput,
    output: rawOutput,
    contents: content.flatMap(contentOf),
    locations: locations.map(({ path, line }) => ({ path, line })),
  };
}

function contentOf(content: AcpToolCallState["content"][number]): AgentToolCallContent[] {
  const { type, content: block, path, oldText, newText, terminalId } = content as Fields;
  if (type === "content" && block !== undefined)
    return [
      block.type === "text" ? { type: "text", text: String(block["text"]) } : { type: "content", content: block },
    ];
  if (type === "diff" && path !== undefined && newText !== undefined)
    return [{ type: "diff", path, newText, ...(typeof oldText === "string" ? { oldText } : {}) }];
  return type === "terminal" && terminalId !== undefined ? [{ type: "terminal", terminalId }] : [];
}

interface Fields {
  readonly type?: unknown;
  readonly content?: ContentBlock;
  readonly path?: string;
  readonly oldText?: string | null;
  readonly newText?: string;
  readonly terminalId?: string;
}
