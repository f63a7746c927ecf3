import type { Meta, SessionUpdate, ToolCallContent, ToolCallLocation, ToolCallUpdate } from "@editwire/acp-schema";

/** A tool call to announce. */
export interface AcpNewToolCall {
  /** Default: a new UUID. */
  toolCallId?: string | undefined;
  title: string;
  /** Such as `read`, `edit`, `execute`, `search`. */
  kind?: string | undefined;
  locations?: ToolCallLocation[] | undefined;
  rawInput?: Record<string, unknown> | undefined;
  content?: ToolCallContent[] | undefined;
  /** Sent with the tool call. */
  _meta?: Meta | undefined;
}

/** The changed fields of a tool call; a field left out stays as it was. */
export interface AcpToolCallChange {
  title?: string | undefined;
  content?: ToolCallContent[] | undefined;
  locations?: ToolCallLocation[] | undefined;
  rawOutput?: unknown;
  /** Sent with the change. */
  _meta?: Meta | undefined;
}

/** An announced tool call. It ends once, by `complete` or `fail`; later changes are ignored. */
export interface AcpToolCall {
  readonly toolCallId: string;
  /** Sends what changed while the call runs. */
  update(change: AcpToolCallChange): void | Promise<void>;
  /** Ends it as `completed`. */
  complete(change?: AcpToolCallChange): void | Promise<void>;
  /** Ends it as `failed`. */
  fail(change?: AcpToolCallChange): void | Promise<void>;
}

/** An `AcpToolCall` with the part that its turn uses. */
export class AgentToolCall implements AcpToolCall {
  readonly toolCallId: string;
  readonly #call: AcpNewToolCall;
  readonly #send: (update: SessionUpdate) => void | Promise<void>;
  readonly #onEnd: () => void;
  readonly #check: () => void;
  #ended = false;

  /** `check` throws when the turn is over. */
  constructor(
    call: AcpNewToolCall,
    send: (update: SessionUpdate) => void | Promise<void>,
    onEnd: () => void,
    check: () => void,
  ) {
    this.toolCallId = call.toolCallId ?? crypto.randomUUID();
    this.#call = call;
    this.#send = send;
    this.#onEnd = onEnd;
    this.#check = check;
  }

  announce(): void | Promise<void> {
    return this.#send({
      sessionUpdate: "tool_call",
      ...this.#call,
      toolCallId: this.toolCallId,
      status: "in_progress",
    });
  }

  update(change: AcpToolCallChange): void | Promise<void> {
    if (this.#ended) return;
    this.#check();
    return this.#change("in_progress", change);
  }

  complete(change: AcpToolCallChange = {}): void | Promise<void> {
    if (!this.#ended) this.#check();
    return this.#end("completed", change);
  }

  fail(change: AcpToolCallChange = {}): void | Promise<void> {
    if (!this.#ended) this.#check();
    return this.#end("failed", change);
  }

  /** Ends it as `failed` with its turn. */
  abandon(): void | Promise<void> {
    return this.#end("failed", {});
  }

  /** The call as a permission request shows it (6.1). */
  forPermission(): ToolCallUpdate {
    return { ...this.#call, toolCallId: this.toolCallId, status: "pending" };
  }

  #end(status: "completed" | "failed", change: AcpToolCallChange): void | Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd();
    return this.#change(status, change);
  }

  #change(status: "in_progress" | "completed" | "failed", change: AcpToolCallChange): void | Promise<void> {
    return this.#send({
      sessionUpdate: "tool_call_update",
      toolCallId: this.toolCallId,
      status,
      kind: this.#call.kind,
      ...change,
    });
  }
}
