import type { MessageAddedParams } from "@editwire/helix-zed-schema";

/** What a message carries beside its text. */
export interface ToolFacts {
  readonly name: string;
  status: string;
}

/** One message of an answer. Its id never changes, and its text only grows. */
export class AgentMessage {
  readonly id = `ai_msg_${crypto.randomUUID()}`;
  readonly tool: ToolFacts | undefined;
  content = "";
  /** Counts the changes. */
  version = 0;
  /** The connection that has the text of `sentVersion`. */
  sentOn: object | undefined;
  sentVersion = 0;

  constructor(tool?: ToolFacts) {
    this.tool = tool;
  }

  /** Whether a connection has to be told of this message. */
  isNewTo(connection: object): boolean {
    return this.version > 0 && (this.sentOn !== connection || this.sentVersion !== this.version);
  }

  /** The fields of an update. */
  fields(): Pick<MessageAddedParams, "message_id" | "role" | "content" | "timestamp" | "entry_type" | "tool_name" | "tool_status"> {
    const text = { message_id: this.id, role: "assistant" as const, content: this.content, timestamp: Math.floor(Date.now() / 1_000) };
    if (this.tool === undefined) return { ...text, entry_type: "text" };
    return { ...text, entry_type: "tool_call", tool_name: this.tool.name, tool_status: this.tool.status };
  }
}
