import type { ChatContent, ChatHistoryContent, ChatRole } from "@editwire/eca";
import type { AgentEvent } from "../api/events.js";
import { inputObject, isEnd, type AgentToolCallState } from "../api/tool-call-state.js";
import { textOf } from "../shared/prompt.js";
import { fileChangeOf } from "./file-change.js";
import { answeredText, noticeText, planText } from "../shared/texts.js";
import { nameOf, outputsOf, taskDetails, textIn } from "./tool-calls.js";

/** The messages of a session, as an ECA client is shown them again. */
export function contentsOf(events: readonly AgentEvent[]): ChatHistoryContent[] {
  return events.flatMap(contentOf);
}

function contentOf(event: AgentEvent): ChatHistoryContent[] {
  switch (event.type) {
    case "user":
      return as("user", { type: "text", text: `${textOf(event.content)}\n`, contentId: crypto.randomUUID() });
    case "text":
      return as("assistant", { type: "text", text: event.text });
    case "content":
      return partOf(event.content).flatMap((content) => as("assistant", content));
    case "thought": {
      const id = crypto.randomUUID();
      return as(
        "assistant",
        { type: "reasonStarted", id },
        { type: "reasonText", id, text: event.text },
        { type: "reasonFinished", id },
      );
    }
    case "tool_call":
      return as("assistant", ...callContents(event.toolCall));
    case "plan":
      return as("assistant", ...planContents(event.entries));
    case "question":
      return as("system", { type: "text", text: `${answeredText(event)}\n` });
    case "notice":
      return as("system", { type: "text", text: `${noticeText(event.notice)}\n` });
    default:
      return [];
  }
}

function as(role: ChatRole, ...contents: readonly ChatContent[]): ChatHistoryContent[] {
  return contents.map((content) => ({ role, content }));
}

/** A part of an answer that is not text, as far as clients show it. */
export function partOf(content: Extract<AgentEvent, { type: "content" }>["content"]): ChatContent[] {
  const { type, uri, name, data, mimeType } = content as Readonly<Record<string, unknown>>;
  if (type === "image" && typeof data === "string")
    return [{ type: "image", mediaType: String(mimeType), base64: data }];
  if (type === "resource_link" && typeof uri === "string")
    return [{ type: "url", title: typeof name === "string" ? name : uri, url: uri }];
  return textIn(content).map((text) => ({ type: "text", text }));
}

function callContents(call: AgentToolCallState): ChatContent[] {
  const details = fileChangeOf(call);
  const base = {
    origin: "native" as const,
    server: "eca",
    id: call.toolCallId,
    name: nameOf(call),
    summary: call.title,
    ...(details && { details }),
  };
  const input = inputObject(call);
  const argumentsText = JSON.stringify(input);
  const begun: ChatContent[] = [
    { ...base, type: "toolCallPrepare", argumentsText, manualApproval: false },
    { ...base, type: "toolCallRun", arguments: input, manualApproval: false },
  ];
  if (!isEnd(call.status)) return begun;
  if (call.status === "rejected" || call.status === "cancelled")
    return [...begun, { ...base, type: "toolCallRejected", arguments: input, reason: "user" }];
  const outputs = outputsOf(call).map((output) => ({ ...output, text: "text" in output ? output.text : "" }));
  return [...begun, { ...base, type: "toolCalled", arguments: input, error: call.status === "failed", outputs }];
}

function planContents(entries: Extract<AgentEvent, { type: "plan" }>["entries"]): ChatContent[] {
  const base = {
    origin: "native" as const,
    server: "eca",
    id: crypto.randomUUID(),
    name: "plan",
    details: taskDetails(entries),
  };
  const outputs = [{ type: "text" as const, text: planText(entries) }];
  return [
    { ...base, type: "toolCallPrepare", argumentsText: "{}", manualApproval: false },
    { ...base, type: "toolCallRun", arguments: {}, manualApproval: false },
    { ...base, type: "toolCalled", arguments: {}, error: false, outputs },
  ];
}
