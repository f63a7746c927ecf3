import type { HelixZedParams } from "@editwire/helix-zed-schema";
import { WireError } from "@editwire/core";
import { type Answer, AnswerReader } from "./answer.js";
import { chatFields } from "./prompt-fields.js";
import type { HelixZedAnswerMessage, HelixZedInteraction, HelixZedInteractionState } from "./records.js";
import { type HelixZedToolCallState, toolCallIn } from "../shared/tool-call.js";

/** How a turn ended: as `complete`, `interrupted` or `error`. */
export type HelixZedStopReason = "end_turn" | "cancelled" | "error";

/**
 * One event of a turn. A slow reader misses no message but sees fewer of its updates: each has the whole text so far.
 * `stop` is the last event.
 */
export type HelixZedTurnEvent =
  | { readonly type: "message"; readonly message: HelixZedAnswerMessage }
  /** 2026: a tool call began or changed. */
  | { readonly type: "tool_call"; readonly toolCall: HelixZedToolCallState }
  /** The request was sent again, and the answer begins again: the messages so far are void. */
  | { readonly type: "restart" }
  | { readonly type: "stop"; readonly stopReason: HelixZedStopReason; readonly interaction: HelixZedInteraction };

/** How an interaction ends. */
export type Ending = Pick<HelixZedInteraction, "error" | "usage"> & {
  readonly state: Exclude<HelixZedInteractionState, "waiting">;
};

type Outcome = { readonly record: HelixZedInteraction } | { readonly error: unknown };

/** A waiting interaction and its readers. */
export class Interaction {
  readonly requestId: string;
  readonly answer: Answer;
  /** It is sent although another one of its session waits. */
  readonly interrupt: boolean;
  /** Resolves with the ended interaction once that is durable. */
  readonly done: Promise<HelixZedInteraction>;
  /** The connection on which it was sent last. `send` sets it. */
  sentOn: object | undefined;
  /** The connection from which the answer comes. */
  answeredOn: object | undefined;
  /** The agent may have it already: a host, this one or an earlier one, may have sent it before. */
  mayBeKnown = false;
  /** The agent's error about a copy of it. It ends the interaction only if the agent says nothing further. */
  refusal: string | undefined;
  /** This side asked the agent to end it early. */
  isCancelled = false;
  /** How it ended, before that is durable. */
  ending: HelixZedInteraction | undefined;
  /** When the last event about it arrived, by the clock of `performance`. */
  activeAt = 0;
  /** Ends the timer that watches whether the agent says something. */
  stopWatching = (): void => {};
  /** Ends the timer of the next save. */
  stopSaving: (() => void) | undefined;
  #record: HelixZedInteraction;
  readonly #readers = new Set<AnswerReader>();
  /** It was sent to an agent that may have had it, and that has not refused this copy. */
  #isCopy = false;
  /** The messages that an earlier connection brought. */
  #earlier: readonly HelixZedAnswerMessage[] = [];
  #outcome: Outcome | undefined;
  #resolve = (_record: HelixZedInteraction): void => {};
  #reject = (_error: unknown): void => {};

  constructor(record: HelixZedInteraction, answer: Answer, interrupt = false) {
    this.requestId = record.requestId;
    this.#record = record;
    this.answer = answer;
    this.interrupt = interrupt;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => {}); // a reader gets the error from its iteration
    if (record.state !== "waiting") this.publish(record);
  }

  /** The interaction as it is now. */
  get record(): HelixZedInteraction {
    return this.ending ?? { ...this.#record, messages: this.answer.messages };
  }

  get message(): string {
    return this.#record.message;
  }

  /** The message that asks the agent for the answer. */
  chat(threadId: string | undefined): HelixZedParams<"chat_message"> {
    const { sessionId, requestId, message, fromQueue } = this.#record;
    const chat: HelixZedParams<"chat_message"> = {
      helix_session_id: sessionId,
      acp_thread_id: threadId ?? null,
      message,
      request_id: requestId,
      ...chatFields(this.#record),
    };
    if (fromQueue === true) chat.from_queue = true;
    if (this.interrupt) chat.interrupt = true;
    return chat;
  }

  /** The user's message has another text, which the agent sent. */
  reword(message: string): void {
    this.#record = { ...this.#record, message };
  }

  /** Takes note that it goes out on this connection. */
  send(connection: object): void {
    this.sentOn = connection;
    this.#isCopy = this.mayBeKnown;
    this.mayBeKnown = true;
    this.refusal = undefined;
  }

  /**
   * Takes an agent's error as the refusal of the copy that it got on this connection, and keeps the messages of the
   * connection before: the turn that they belong to may go on. False for an error that can only be that of the turn:
   * the agent got no copy, or has refused it already.
   */
  refuse(connection: object, error: string): boolean {
    if (!this.#isCopy) return false;
    this.#isCopy = false;
    this.refusal = error;
    this.answeredOn = connection;
    this.answer.prepend(this.#earlier);
    for (const { id } of this.#earlier) this.changed(id);
    return true;
  }

  /** Takes note that the answer comes from this connection; one that came from another begins again. */
  answeredFrom(connection: object): void {
    this.refusal = undefined;
    if (this.answeredOn === connection) return;
    this.answeredOn = connection;
    this.#earlier = this.answer.messages;
    if (!this.answer.clear()) return;
    for (const reader of this.#readers) reader.restart();
  }

  /** A message of the answer has another text. */
  changed(messageId: string): void {
    for (const reader of this.#readers) reader.changed(messageId);
  }

  /** Ends it, before that is durable. */
  end({ state, error, usage }: Ending): HelixZedInteraction {
    const record: HelixZedInteraction = { ...this.record, state, endedAt: Date.now() };
    this.stop();
    this.ending = { ...record, ...(error === undefined ? {} : { error }), ...(usage === undefined ? {} : { usage }) };
    return this.ending;
  }

  /** Ends its timers. */
  stop(): void {
    this.stopWatching();
    this.stopSaving?.();
    this.stopSaving = undefined;
  }

  /** Gives its readers the end, which is durable. */
  publish(record: HelixZedInteraction): void {
    this.#settle({ record });
    this.#resolve(record);
  }

  /** Gives its readers the error for which this host no longer follows it. */
  fail(error: unknown): void {
    this.stop();
    this.#settle({ error });
    this.#reject(error);
  }

  /** Reads the answer from its beginning. */
  async *read(): AsyncGenerator<HelixZedTurnEvent, void> {
    const reader = new AnswerReader(this.answer.messages.map(({ id }) => id));
    this.#readers.add(reader);
    try {
      for (;;) {
        for (const event of reader.take()) {
          if (event === "restart") yield { type: "restart" };
          const message = event === "restart" ? undefined : this.answer.message(event.id);
          if (message !== undefined) yield eventOf(message);
        }
        if (reader.isBehind) continue;
        if (this.#outcome !== undefined) break;
        await reader.news();
      }
    } finally {
      this.#readers.delete(reader);
    }
    if ("error" in this.#outcome) throw this.#outcome.error;
    const { record } = this.#outcome;
    yield { type: "stop", stopReason: stopReasonOf(record), interaction: record };
  }

  #settle(outcome: Outcome): void {
    this.#outcome ??= outcome;
    for (const reader of this.#readers) reader.wake();
  }
}

/** How the turn of an ended interaction ended. */
export function stopReasonOf({ state }: HelixZedInteraction): HelixZedStopReason {
  if (state === "error") return "error";
  return state === "interrupted" ? "cancelled" : "end_turn";
}

function eventOf(message: HelixZedAnswerMessage): HelixZedTurnEvent {
  const toolCall = toolCallIn(message);
  return toolCall === undefined ? { type: "message", message } : { type: "tool_call", toolCall };
}

/** The error of an interaction that its host no longer follows; the store keeps it. */
export function hostClosed(): WireError {
  return new WireError("closed", "the host is closed; the interaction is in its store, and the next host continues it");
}
