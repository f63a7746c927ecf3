import type { AcpResult, ContentBlock, SessionUpdate } from "@editwire/acp-schema";
import type { V2ContentBlock, V2SessionUpdate } from "@editwire/acp-schema/v2";
import { ErrorCode, isRemoteError } from "@editwire/core";
import { UpdateWriter } from "./agent-updates.js";

/** Sends an update of a session. */
type Send = (update: V2SessionUpdate) => void | Promise<void>;

/** The work in the foreground of one session of an agent, as its client sees it. */
export class ServedSession {
  readonly writer = new UpdateWriter();
  readonly #send: Send;
  #state: "idle" | "running" | "requires_action" = "idle";
  /** The prompts that were inserted and are not answered by the agent's handler. */
  #prompts = 0;
  /** The questions to the user that are open. */
  #questions = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  update(update: SessionUpdate): void | Promise<void> {
    return this.#send(this.writer.write(update));
  }

  /** A prompt is in the conversation, and its turn begins. */
  insert(prompt: readonly ContentBlock[], messageId: string): void {
    this.#prompts++;
    this.writer.endMessage();
    void this.#send({ sessionUpdate: "user_message", messageId, content: [...prompt] as V2ContentBlock[] });
    if (this.#state === "idle") void this.#report("running");
  }

  /** The handler has answered an inserted prompt. The last one ends the work. */
  end({ stopReason }: AcpResult<"session/prompt">): void {
    this.#leave({ stopReason });
  }

  /** The handler of an inserted prompt has failed. The text of an error that is not meant for the client stays here. */
  fail(error: unknown): void {
    const { code, message, data } = isRemoteError(error)
      ? error
      : { code: ErrorCode.InternalError, message: "Internal error", data: undefined };
    this.#leave({ stopReason: "error", error: { code, message, ...(data === undefined ? {} : { data }) } });
  }

  /** Runs a question to the user, for which the work waits. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    this.#questions++;
    if (this.#state === "running") void this.#report("requires_action");
    try {
      return await question();
    } finally {
      this.#questions--;
      if (this.#questions === 0 && this.#state === "requires_action") void this.#report("running");
    }
  }

  /** Says again how far the work is. */
  repeat(): void | Promise<void> {
    return this.#report(this.#state);
  }

  #leave(end: object): void {
    this.#prompts--;
    if (this.#prompts === 0) void this.#report("idle", end);
  }

  #report(state: "idle" | "running" | "requires_action", more: object = {}): void | Promise<void> {
    this.#state = state;
    return this.#send({ sessionUpdate: "state_update", state, ...more } as V2SessionUpdate);
  }
}
