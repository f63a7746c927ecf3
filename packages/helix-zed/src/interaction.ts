import type { ChatMessageParams } from "@editwire/helix-zed-schema";
import { WireError } from "@editwire/core";
import type { Answer } from "./answer.js";
import type { AnswerMessage, InteractionRecord, InteractionState } from "./records.js";

/**
 * One thing that happens to an interaction. A slow reader misses no message but sees fewer of its updates: each is the whole
 * text so far. `end` is the last event, whatever the interaction ended as.
 */
export type InteractionEvent =
  | { readonly type: "message"; readonly message: AnswerMessage }
  | { readonly type: "end"; readonly interaction: InteractionRecord };

type Outcome = { readonly record: InteractionRecord } | { readonly error: unknown };
type Ending = Pick<InteractionRecord, "error" | "usage"> & { readonly state: Exclude<InteractionState, "waiting"> };

/** A waiting interaction and those who read it. */
export class Interaction {
  readonly requestId: string;
  readonly answer: Answer;
  /** Sent although another one of its session waits. */
  readonly interrupt: boolean;
  /** Resolves with the ended interaction once that is durable. */
  readonly done: Promise<InteractionRecord>;
  /** The connection on which it was sent last. */
  sentOn: object | undefined;
  /** When the agent last said something about it, by the clock of `performance`. */
  heardAt = 0;
  /** Ends the timer that watches whether the agent says something. */
  stopWatching = (): void => {};
  #record: InteractionRecord;
  readonly #readers = new Set<Reader>();
  #outcome: Outcome | undefined;
  #resolve = (_record: InteractionRecord): void => {};
  #reject = (_error: unknown): void => {};

  constructor(record: InteractionRecord, answer: Answer, interrupt = false) {
    this.requestId = record.requestId;
    this.#record = record;
    this.answer = answer;
    this.interrupt = interrupt;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => {}); // whoever iterates hears of it there
    if (record.state !== "waiting") this.publish(record);
  }

  get record(): InteractionRecord {
    return { ...this.#record, messages: this.answer.messages };
  }

  /** What asks the agent for the answer. */
  chat(threadId: string | undefined): ChatMessageParams {
    const { sessionId, requestId, message, agentName } = this.#record;
    const chat: ChatMessageParams = {
      helix_session_id: sessionId,
      acp_thread_id: threadId ?? null,
      message,
      request_id: requestId,
    };
    if (agentName !== undefined) chat.agent_name = agentName;
    if (this.interrupt) chat.interrupt = true;
    return chat;
  }

  /** A message of the answer has another text. */
  changed(messageId: string): void {
    for (const reader of this.#readers) reader.changed(messageId);
  }

  /** The record of this interaction as it ends now. */
  ended({ state, error, usage }: Ending): InteractionRecord {
    const record: InteractionRecord = { ...this.record, state, endedAt: Date.now() };
    return { ...record, ...(error === undefined ? {} : { error }), ...(usage === undefined ? {} : { usage }) };
  }

  /** Tells everybody that the interaction has ended, and is durable. */
  publish(record: InteractionRecord): void {
    this.#settle({ record });
    this.#resolve(record);
  }

  /** Tells everybody that nothing more will be heard here. */
  fail(error: unknown): void {
    this.#settle({ error });
    this.#reject(error);
  }

  /** Reads the answer from its beginning. */
  async *read(): AsyncGenerator<InteractionEvent, void> {
    const reader = new Reader(this.answer.messages.map(({ id }) => id));
    this.#readers.add(reader);
    try {
      for (;;) {
        for (const id of reader.take()) {
          const message = this.answer.message(id);
          if (message !== undefined) yield { type: "message", message };
        }
        if (reader.isBehind) continue;
        if (this.#outcome !== undefined) break;
        await reader.news();
      }
    } finally {
      this.#readers.delete(reader);
    }
    if ("error" in this.#outcome) throw this.#outcome.error;
    yield { type: "end", interaction: this.#outcome.record };
  }

  #settle(outcome: Outcome): void {
    this.#outcome ??= outcome;
    for (const reader of this.#readers) reader.wake();
  }
}

/** Which messages a reader has not seen as they are now. However slow it is, it holds no more than their ids. */
class Reader {
  #unseen: Set<string>;
  #wake: (() => void) | undefined;

  constructor(ids: readonly string[]) {
    this.#unseen = new Set(ids);
  }

  get isBehind(): boolean {
    return this.#unseen.size > 0;
  }

  changed(id: string): void {
    this.#unseen.add(id);
    this.wake();
  }

  /** The first unseen message; later ones may change before their turn. */
  *take(): Generator<string> {
    for (const id of this.#unseen) {
      this.#unseen.delete(id);
      yield id;
    }
  }

  news(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

/** The error of an interaction that its host no longer follows; the store keeps it. */
export function hostClosed(): WireError {
  return new WireError(
    "closed",
    "the host was closed; the interaction is in its store, and goes on with the next host",
  );
}
