import { randomUUID } from "node:crypto";
import { isObject } from "@editwire/core";
import type { Incoming, Talk } from "../../core/talk/talk.js";

type Json = Record<string, unknown>;

/** A message that the host sent for its user, and that the suite answers. */
export interface HostTurn {
  readonly session: string;
  readonly requestId: string;
  /** The chat_message. */
  readonly ask: Incoming;
  /** Settles with the interaction as it ended; an `ExpectationError` when the host says that it could not send. */
  readonly done: Promise<unknown>;
  /** The thread of what follows: the message's own, or the one that `created` made. */
  readonly thread: string;
  /**
   * Sends context_created for a new thread, or for a thread that the case names; a thread is a UUID. Agents of 2026
   * call it thread_created.
   */
  created(thread?: string, name?: "context_created" | "thread_created"): void;
  /** Sends message_added. Default message: the first. */
  added(content: string, messageId?: string): void;
  /** Sends message_completed. */
  completed(): void;
  /** The whole of it: a thread if there is none, one update, the end. */
  answer(content: string): void;
}

/** The operations of the suite as the agent of a host. */
export interface AsAgent {
  /** A new session's id. Its agent is this connection. */
  session(): string;
  /** Sends one event of the agent: any event of the specification or of the 2026 dialect. */
  event(name: string, params: Json): void;
  /** Makes the turn of a session out of its chat_message. */
  turn(session: string, ask: Incoming, done: Promise<unknown>): HostTurn;
}

/** A host may remember what runs before this one said. */
const run = randomUUID().slice(0, 8);
let sessions = 0;

/** The session of a chat_message; hosts of 2026 name it in another field. */
export function sessionOf(data: unknown): unknown {
  return isObject(data) ? (data["helix_session_id"] ?? data["session_id"]) : undefined;
}

/** Plays the agent on a connection. */
export function asAgent(talk: Talk): AsAgent {
  const mapped = new Map<string, string>();
  const event = (name: string, params: Json): void => talk.send.notify(name, params);
  return {
    session: () => `ses_user_${run}_${++sessions}`,
    event,
    turn(of, ask, done) {
      const requestId = String(ask.params["request_id"]);
      const ids = { session_id: of };
      const turn: HostTurn = {
        session: of,
        requestId,
        ask,
        done,
        get thread() {
          const given = ask.params["acp_thread_id"];
          return mapped.get(of) ?? (typeof given === "string" && given !== "" ? given : "no-thread");
        },
        created(thread = randomUUID(), name = "context_created") {
          mapped.set(of, thread);
          event(name, {
            ...ids,
            acp_thread_id: thread,
            ...(name === "context_created" ? { helix_session_id: of } : { request_id: requestId }),
          });
        },
        added: (content, messageId = `ai_msg_${requestId}`) =>
          event("message_added", {
            ...ids,
            acp_thread_id: turn.thread,
            message_id: messageId,
            role: "assistant",
            content,
            timestamp: Math.floor(Date.now() / 1_000),
          }),
        completed: () =>
          event("message_completed", {
            ...ids,
            acp_thread_id: turn.thread,
            message_id: `ai_msg_${requestId}`,
            request_id: requestId,
          }),
        answer(content) {
          if (turn.thread === "no-thread") turn.created();
          turn.added(content);
          turn.completed();
        },
      };
      return turn;
    },
  };
}
