import type {
  ChatContent,
  ChatContentReceivedParams,
  ImageContent,
  OpenEnum,
  UsageContent,
} from "@editwire/eca-schema";
import { toolCallIn } from "./chat-entries.js";
import type { ChatState } from "./chat-state.js";
import type { ToolCallState } from "./chat-tool-call.js";

/** One `chat/contentReceived`, read for a view. `received` is the message as it came. */
export type ChatEvent =
  /** Text of the model, verbatim. */
  | { readonly type: "text"; readonly text: string; readonly received: ChatContentReceivedParams }
  /** The prompt, as the server repeats it. */
  | { readonly type: "user"; readonly text: string; readonly received: ChatContentReceivedParams }
  /** Text of the server itself, such as an error. */
  | { readonly type: "notice"; readonly text: string; readonly received: ChatContentReceivedParams }
  /** What the model thinks; `ended` with the last, empty piece. */
  | {
      readonly type: "thought";
      readonly id: string;
      readonly text: string;
      readonly ended: boolean;
      readonly received: ChatContentReceivedParams;
    }
  | { readonly type: "tool_call"; readonly toolCall: ToolCallState; readonly received: ChatContentReceivedParams }
  | { readonly type: "progress"; readonly text: string; readonly received: ChatContentReceivedParams }
  | { readonly type: "usage"; readonly usage: UsageContent; readonly received: ChatContentReceivedParams }
  | { readonly type: "url"; readonly title: string; readonly url: string; readonly received: ChatContentReceivedParams }
  | { readonly type: "image"; readonly image: ImageContent; readonly received: ChatContentReceivedParams }
  /** Hooks, flags, titles, and what this version does not know. */
  | { readonly type: "other"; readonly content: ChatContent; readonly received: ChatContentReceivedParams };

/**
 * How a turn ended: `finished`, `stopped` by this side, or with the server's status for a prompt that it did not run,
 * such as `login` or `error`.
 */
export type StopReason = OpenEnum<"finished" | "stopped" | "login" | "error">;

/** What a turn yields: what is received in it, then exactly one `stop`. */
export type TurnEvent = ChatEvent | { readonly type: "stop"; readonly stopReason: StopReason };

/** Reads one content; `state` is the chat's after it. */
export function readEvent(received: ChatContentReceivedParams, { entries }: ChatState): ChatEvent {
  const { content, role } = received;
  switch (content.type) {
    case "text":
      return { type: textTypes[role] ?? "notice", text: content.text, received };
    case "reasonStarted":
      return { type: "thought", id: content.id, text: "", ended: false, received };
    case "reasonText":
      return { type: "thought", id: content.id, text: content.text, ended: false, received };
    case "reasonFinished":
      return { type: "thought", id: content.id, text: "", ended: true, received };
    case "toolCallPrepare":
    case "toolCallRun":
    case "toolCallRunning":
    case "toolCalled":
    case "toolCallRejected": {
      const toolCall = toolCallIn(entries, content.id);
      return toolCall === undefined ? { type: "other", content, received } : { type: "tool_call", toolCall, received };
    }
    case "progress":
      return { type: "progress", text: content.text ?? "", received };
    case "usage":
      return { type: "usage", usage: content, received };
    case "url":
      return { type: "url", title: content.title, url: content.url, received };
    case "image":
      return { type: "image", image: content, received };
    default:
      return { type: "other", content, received };
  }
}

const textTypes: Readonly<Record<string, "text" | "user" | "notice">> = { assistant: "text", user: "user" };
