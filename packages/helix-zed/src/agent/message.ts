import type { HelixZedParams } from "@editwire/helix-zed-schema";
import { type HelixZedToolCallStatus, statusWord } from "../shared/tool-call.js";

/** A message of an answer. */
export interface HelixZedMessage {
  readonly id: string;
  /** The whole text so far. */
  readonly content: string;
  /**
   * Adds to the message. A promise comes back only when the host is slow. Throws `WireError("closed")` after the turn,
   * and `too_large` beyond 10 Mi characters.
   */
  text(text: string): void | Promise<void>;
}

/** The fields of a tool call besides its text. */
export interface ToolFacts {
  title: string;
  status: HelixZedToolCallStatus;
}

interface Owner {
  readonly sessionId: string;
  readonly threadId: string;
  readonly requestId: string;
  /** Adds text to the message. */
  grow(message: AgentMessage, text: string): void | Promise<void>;
}

/** One message of an answer. Its id never changes, and its text only grows. */
export class AgentMessage implements HelixZedMessage {
  readonly id = `ai_msg_${crypto.randomUUID()}`;
  readonly tool: ToolFacts | undefined;
  content = "";
  readonly #turn: Owner;

  constructor(turn: Owner, tool?: ToolFacts) {
    this.#turn = turn;
    this.tool = tool;
  }

  text(text: string): void | Promise<void> {
    return this.#turn.grow(this, text);
  }

  /** The update that has the message as it is now. */
  update(): HelixZedParams<"message_added"> {
    const { sessionId, threadId, requestId } = this.#turn;
    const update: HelixZedParams<"message_added"> = {
      session_id: sessionId,
      acp_thread_id: threadId,
      message_id: this.id,
      role: "assistant",
      content: this.content,
      timestamp: Math.floor(Date.now() / 1_000),
      request_id: requestId,
      entry_type: this.tool === undefined ? "text" : "tool_call",
    };
    if (this.tool === undefined) return update;
    update.tool_name = this.tool.title;
    update.tool_status = statusWord(this.tool.status);
    return update;
  }
}
