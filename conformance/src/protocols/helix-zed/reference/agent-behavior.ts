import { randomUUID } from "node:crypto";
import { isObject } from "@editwire/core";
import type { WebSocket } from "ws";
import { accept } from "../accept.js";
import { takesParams } from "../samples.js";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** One message of an answer. */
export interface AgentMessage {
  readonly id: string;
  content: string;
  /** The text that was reported to the host. */
  shown: string | undefined;
}

/** A message of the user, and the answer to it. */
export interface AgentTurn {
  readonly session: unknown;
  readonly requestId: string;
  readonly text: string;
  readonly thread: string;
  readonly messages: AgentMessage[];
  readonly abort: AbortController;
  ended: boolean;
}

/** A message of a user whose turn began before. */
export interface PastMessage {
  readonly thread: string;
  readonly text: string;
}

/** An oddity that a host may send and an agent must survive. */
export type Oddity = "no-json" | "no-object" | "unknown-type" | "bad-data" | "more-fields" | "ping" | "second-ping";

/** An event as it goes over the wire. */
export function event(session_id: unknown, event_type: string, data: Json): Json {
  return { session_id, event_type, data };
}

const specified = new Set(["helix_session_id", "acp_thread_id", "message", "request_id", "interrupt"]);

/** Says whether a `chat_message` has fields that the specification does not have. */
export function hasMore(data: Json): boolean {
  return Object.keys(data).some((key) => !specified.has(key));
}

/**
 * Every decision of the reference agent, as the specification wants it. A mutant replaces one of them; the functions
 * take what they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightAgent = {
  /** Where it dials, given where it should. */
  url: (url: string): string => url,
  headers: (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` }),
  /** The data of the pong that answers a ping; `undefined`: none. */
  pong: (data: Buffer): Buffer | undefined => data,
  /** Milliseconds before it dials again, by the number of dials that failed in a row; `undefined`: it never does. */
  redialMs: (failures: number): number | undefined => Math.min(20 * 4 ** failures, 30_000),
  /** The messages sent on every new connection, from the connection's id and everything that was sent before. */
  hello: (_id: string, _said: readonly Json[]): readonly Json[] => [],
  /** Whether messages that are sent while there is no connection are sent on the next one. */
  keepsUnsent: true,
  /** Whether threads outlive the connection on which they were created. */
  keepsThreads: true,
  /** Whether their messages do. */
  keepsPast: true,
  /** The earlier messages that a turn remembers, from its thread and from others. */
  past: (said: readonly PastMessage[], thread: string): readonly string[] =>
    said.flatMap((one) => (one.thread === thread ? [one.text] : [])),
  /** Last chance to change, drop or repeat an event. */
  outgoing: (said: Json): readonly unknown[] => [said],
  encode: (said: unknown): string | Uint8Array => JSON.stringify(said),
  write: (socket: WebSocket, data: string | Uint8Array): void => socket.send(data),

  /** Whether it lives on. */
  survives: (_what: Oddity): boolean => true,
  /** Whether a `chat_message` can be answered. */
  isChat: (data: Json): boolean => takesParams("chat_message", accept("chat_message", "params", data)),
  /** The session of a message, given the session of the dial. */
  sessionOf: ({ helix_session_id }: Json, _id: string): unknown => helix_session_id,
  /** The thread that a message names; `undefined`: it asks for a new one. */
  threadOf: ({ acp_thread_id }: Json): string | undefined =>
    typeof acp_thread_id === "string" && acp_thread_id !== "" ? acp_thread_id : undefined,
  /** The id of the n-th thread. */
  threadId: (_count: number): string => randomUUID(),
  /** Whether a request that came before is answered once more. */
  answersAgain: false,
  /** Turns of the same lane run one after another. */
  lane: ({ thread }: AgentTurn): string => thread,
  /** The messages sent when a turn has to wait. */
  queued: (_turn: AgentTurn): readonly Json[] => [],
  /** Whether a message with `interrupt` ends the turn that runs. */
  interrupts: false,
  /** The messages sent for an unknown thread, in place of a turn. */
  unknownThread: (_turn: AgentTurn): readonly Json[] | undefined => undefined,
  /** The messages sent for a `cancel_current_turn`; if there are any, the turn is ended. */
  cancelled: (_turn: AgentTurn | undefined, _requestId: unknown, _id: string): readonly Json[] => [],

  /** The messages sent for a new thread. */
  created: ({ session, thread }: AgentTurn): readonly Json[] => [
    event(session, "context_created", { acp_thread_id: thread, helix_session_id: session }),
  ],
  /** The id of a turn's n-th message. */
  messageId: (_turn: AgentTurn, _count: number): string => `ai_msg_${randomUUID()}`,
  /** Whether additions to an answer are sent at once; else they are sent at the end of the turn. */
  showsAtOnce: (_behavior: string): boolean => true,
  /** The messages sent when a message has grown. */
  added: ({ session, thread }: AgentTurn, { id, content }: AgentMessage): readonly Json[] => [
    event(session, "message_added", {
      acp_thread_id: thread,
      message_id: id,
      role: "assistant",
      content,
      timestamp: Math.floor(Date.now() / 1_000),
    }),
  ],
  /** The messages sent at the end of a turn. */
  finished: ({ session, thread, messages, requestId }: AgentTurn, _failed: boolean): readonly Json[] => [
    event(session, "message_completed", {
      acp_thread_id: thread,
      message_id: messages.at(-1)?.id ?? `ai_msg_${randomUUID()}`,
      request_id: requestId,
    }),
  ],
};

/** The reference agent's switches. */
export type AgentBehavior = typeof rightAgent;

const failure = "The model cannot be reached";

/** The decisions with which the reference agent does what agents of 2026 added. */
export const v2026Agent = {
  hello: (id: string): readonly Json[] => [event(id, "agent_ready", { agent_name: "reference", thread_id: null })],
  interrupts: true,
  created: (turn: AgentTurn): readonly Json[] => [
    ...rightAgent.created(turn),
    event(turn.session, "thread_created", { acp_thread_id: turn.thread, request_id: turn.requestId }),
  ],
  unknownThread: ({ session, thread, requestId }: AgentTurn): readonly Json[] => [
    event(session, "thread_load_error", {
      acp_thread_id: thread,
      request_id: requestId,
      error: "Unknown thread",
    }),
  ],
  cancelled: (turn: AgentTurn | undefined, requestId: unknown, id: string): readonly Json[] => [
    event(turn?.session ?? id, "turn_cancelled", {
      request_id: requestId,
      status: turn === undefined ? "noop" : "cancelled",
    }),
  ],
  finished: (turn: AgentTurn, failed: boolean): readonly Json[] =>
    failed
      ? [event(turn.session, "chat_response_error", { request_id: turn.requestId, error: failure })]
      : rightAgent.finished(turn, failed).map((said) => ({
          ...said,
          data: {
            ...(isObject(said["data"]) ? said["data"] : {}),
            agent_name: "reference",
            usage: { total_tokens: 15 },
          },
        })),
} satisfies Partial<AgentBehavior>;
