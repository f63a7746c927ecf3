import type { ChatContent, EcaParams, ImageContent, OpenEnum, UsageContent } from "@editwire/eca-schema";
import type { EcaToolCallState } from "./tool-call.js";

/** One `chat/contentReceived`, read for a view. `received` is the unchanged message. */
export type EcaUpdateEvent =
  /** Text of the model, verbatim. */
  | { readonly type: "text"; readonly text: string; readonly received: EcaParams<"chat/contentReceived"> }
  /** The prompt, repeated by the server. */
  | { readonly type: "user"; readonly text: string; readonly received: EcaParams<"chat/contentReceived"> }
  /** Text of the server itself, such as an error message. */
  | { readonly type: "notice"; readonly text: string; readonly received: EcaParams<"chat/contentReceived"> }
  /** A piece of a thought of the model; `ended` is true for the last piece, which is empty. */
  | {
      readonly type: "thought";
      readonly id: string;
      readonly text: string;
      readonly ended: boolean;
      readonly received: EcaParams<"chat/contentReceived">;
    }
  | {
      readonly type: "tool_call";
      readonly toolCall: EcaToolCallState;
      readonly received: EcaParams<"chat/contentReceived">;
    }
  | { readonly type: "progress"; readonly text: string; readonly received: EcaParams<"chat/contentReceived"> }
  | { readonly type: "usage"; readonly usage: UsageContent; readonly received: EcaParams<"chat/contentReceived"> }
  | {
      readonly type: "url";
      readonly title: string;
      readonly url: string;
      readonly received: EcaParams<"chat/contentReceived">;
    }
  | { readonly type: "image"; readonly image: ImageContent; readonly received: EcaParams<"chat/contentReceived"> }
  /** Hooks, flags, titles, and content that this version does not know. */
  | { readonly type: "other"; readonly content: ChatContent; readonly received: EcaParams<"chat/contentReceived"> };

/**
 * How a turn ended: `end_turn` normally, `cancelled` by this side, or the server's status for a prompt that it did not
 * run, such as `login` or `error`.
 */
export type EcaStopReason = OpenEnum<"end_turn" | "cancelled" | "login" | "error">;

/** An event of a turn: its updates, then exactly one `stop`. */
export type EcaTurnEvent = EcaUpdateEvent | { readonly type: "stop"; readonly stopReason: EcaStopReason };

/** Reads one content. `toolCallOf` finds a tool call as it is after that content. */
export function readEvent(
  received: EcaParams<"chat/contentReceived">,
  toolCallOf: (id: string) => EcaToolCallState | undefined,
): EcaUpdateEvent {
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
      const toolCall = toolCallOf(content.id);
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
