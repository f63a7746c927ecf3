import { randomUUID } from "node:crypto";
import { isObject } from "@editwire/core";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** The reference host's reaction to an event: it takes it, ignores it, or gives up the connection. */
export type Reaction = "take" | "drop" | "die";

/** A message of the user, and its answer. */
export interface HostInteraction {
  requestId: string;
  readonly message: string;
  state: string;
  /** Ids and contents, in the order in which they are shown. */
  messages: readonly (readonly [id: unknown, content: string])[];
  error?: unknown;
  /** The connection on which it was sent last. */
  sentOn?: object | undefined;
}

/** A conversation of the reference host. */
export interface HostSession {
  readonly id: string;
  /** The id under which its agent dials. */
  readonly agent: string;
  thread: string | null;
  readonly interactions: HostInteraction[];
}

/** An event as the reference host reads it. */
export interface HostEvent {
  readonly name: string;
  /** The session that it names at its root. */
  readonly session: unknown;
  readonly thread: unknown;
  readonly data: Json;
  /** All of it. */
  readonly message: Json;
}

/** Says whether an interaction is not over. */
export const waits = ({ state }: HostInteraction): boolean => state === "waiting";

/**
 * Every decision of the reference host, as the spec wants it. A mutant replaces one of them; the functions take what
 * they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightHost = {
  /** The status that an agent is refused with; `undefined` lets it in. */
  refuses: (authorization: string | undefined, token: string): number | undefined =>
    authorization === `Bearer ${token}` ? undefined : 401,
  /** The data of the pong that answers a ping. */
  pong: (data: Buffer): Buffer => data,
  /** Whether connections are pinged, and dropped when they do not answer. */
  pings: true,
  dropsSilent: true,
  /** Whether the connection before is closed when the agent dials again. */
  closesOlder: true,
  /** Which of the open connections of an agent, oldest first, is spoken on. */
  speaksOn: <T>(open: readonly T[]): T | undefined => open.at(-1),
  /** Which agents a message for one of them is sent to; `all` have dialed, in this order. */
  hearers: (agent: string, _all: readonly string[]): readonly string[] => [agent],
  /** The first messages on a new connection, for each session. */
  greeting: (_session: HostSession): readonly Json[] => [],
  /** The thread that a session has after its agent dialed again. */
  keptThread: (thread: string | null): string | null => thread,
  /** The request ids under which a message that waits is sent once more on a new connection. */
  again: (requestId: string): readonly string[] => [requestId],
  /** How long the host waits for an agent to be ready, in milliseconds, and whether `agent_ready` ends the wait. */
  readyMs: (ms: number): number => ms,
  heedsReady: true,

  outgoing: (message: Json): readonly unknown[] => [message],
  encode: (message: unknown): string | Uint8Array => JSON.stringify(message),
  requestId: (_session: HostSession): string => `req_${randomUUID()}`,
  chat: ({ id, thread }: HostSession, { message, requestId }: HostInteraction): Json => ({
    helix_session_id: id,
    acp_thread_id: thread,
    message,
    request_id: requestId,
  }),
  cancel: (requestId: string): Json => ({ request_id: requestId }),
  /** Which interactions of a session should be with the agent now. */
  due: ({ interactions }: HostSession, _all: readonly HostSession[]): readonly HostInteraction[] =>
    interactions.filter(waits).slice(0, 1),

  /** Handles bytes as they come, before they are parsed. */
  bytes: (_chunk: Uint8Array): Reaction => "take",
  /** Runs the work for a frame. */
  schedule: (work: () => void): void => work(),
  /** Reads a frame. Throws for a wrong frame. */
  read: (bytes: Uint8Array, _isBinary: boolean): unknown => JSON.parse(Buffer.from(bytes).toString("utf8")),
  /** The reaction to a wrong frame; `sessions` are those of the agent that sent it. */
  badFrame: (_bytes: Uint8Array, _sessions: readonly HostSession[]): Reaction => "drop",
  onEvent: (_event: HostEvent): Reaction => "take",
  unknownEvent: (_name: string): Reaction => "drop",
  eventName: (name: unknown): unknown => (name === "thread_created" ? "context_created" : name),
  threadOf: (data: Json): unknown => data["acp_thread_id"] ?? data["context_id"],
  /** The session that an event is about: by its request, by its thread, by its name. */
  sessionOf: ({ data, thread, session }: HostEvent, all: readonly HostSession[]): HostSession | undefined =>
    all.find(({ interactions }) => interactions.some(({ requestId }) => requestId === data["request_id"])) ??
    all.find((one) => thread !== undefined && one.thread === thread) ??
    all.find(({ id }) => id === session),
  /** The interaction of an event: the one whose request the event names, or else the one that waits for an answer. */
  interactionOf: ({ data }: HostEvent, { interactions }: HostSession): HostInteraction | undefined =>
    isId(data["request_id"])
      ? interactions.find(({ requestId }) => requestId === data["request_id"])
      : interactions.find((one) => waits(one) && one.sentOn !== undefined),
  created(session: HostSession, thread: string): void {
    session.thread = thread;
  },
  /** Whether an interaction takes updates. */
  grows: (interaction: HostInteraction): boolean => waits(interaction),
  /** The messages of an answer after an update. */
  updated(messages: HostInteraction["messages"], id: unknown, content: string): HostInteraction["messages"] {
    if (!messages.some(([known]) => known === id)) return [...messages, [id, content]];
    return messages.map((one) => (one[0] === id ? [id, content] : one));
  },
  /** Whether what a role says is part of the answer. */
  isAnswer: (role: unknown): boolean => role === undefined || role === "assistant",
  /** The state of an interaction after an event about it. */
  stateAfter({ state }: HostInteraction, { name, data }: HostEvent): string {
    if (state !== "waiting") return state;
    if (name === "message_completed") return "complete";
    if (name === "chat_response_error" || name === "thread_load_error") return "error";
    return name === "turn_cancelled" && data["status"] === "cancelled" ? "interrupted" : state;
  },
  errorOf: ({ error }: Json): unknown => error,

  /** The session as the user sees it. */
  report: ({ thread, interactions }: HostSession): Json => ({
    thread,
    interactions: interactions.map(({ requestId, message, state, messages, error }) => ({
      request_id: requestId,
      message,
      state,
      response: messages.map(([, content]) => content).join("\n\n"),
      ...(error !== undefined && { error }),
    })),
  }),
};

/** The reference host's switches. */
export type HostBehavior = typeof rightHost;

/** Reads the envelope of an event; `undefined` when it is not one. */
export function eventOf(message: unknown, { eventName, threadOf }: HostBehavior): HostEvent | undefined {
  if (!isObject(message) || !isObject(message["data"])) return undefined;
  const { data, session_id: session } = message;
  const name = eventName(message["event_type"]);
  return typeof name === "string" ? { name, session, thread: threadOf(data), data, message } : undefined;
}

/** True for a text that says something. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
