import type { MessageAddedParams } from "@editwire/helix-zed-schema";

/** A message of an answer. */
export interface ZedMessage {
  readonly id: string;
  /** Everything that was appended so far. */
  readonly content: string;
  /** Adds to the message. A promise comes back only when the host is slow. Throws `closed` after the turn, `too_large` beyond 10 Mi characters. */
  append(text: string): void | Promise<void>;
}

/** What a message carries beside its text. */
export interface ToolFacts {
  readonly name: string;
  status: string;
}

/** What a message needs of its turn. */
interface Owner {
  readonly sessionId: string;
  readonly threadId: string;
  readonly requestId: string;
  /** Has the message grow by this text. */
  grow(message: AgentMessage, text: string): void | Promise<void>;
}

/** One message of an answer. Its id never changes, and its text only grows. */
export class AgentMessage implements ZedMessage {
  readonly id = `ai_msg_${crypto.randomUUID()}`;
  readonly tool: ToolFacts | undefined;
  content = "";
  readonly #turn: Owner;

  constructor(turn: Owner, tool?: ToolFacts) {
    this.#turn = turn;
    this.tool = tool;
  }

  append(text: string): void | Promise<void> {
    return this.#turn.grow(this, text);
  }

  /** The update that says how the message stands now. */
  update(): MessageAddedParams {
    const { sessionId, threadId, requestId } = this.#turn;
    const update: MessageAddedParams = {
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
    update.tool_name = this.tool.name;
    update.tool_status = this.tool.status;
    return update;
  }
}
