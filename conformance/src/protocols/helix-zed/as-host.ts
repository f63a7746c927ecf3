import { isObject } from "@editwire/core";
import type { Incoming, Talk } from "../../core/talk/talk.js";
import { handled, requireValid } from "../../core/talk/waits.js";
import { describePattern, matches, type Pattern, where } from "../../trace/pattern.js";
import { socketOf } from "../../packs/socket.js";

type Json = Record<string, unknown>;

/** A turn that the suite began. */
export interface TestTurn {
  /** The host's session. */
  readonly session: string;
  readonly requestId: string;
  /** The thread that the message named, or that context_created names. Agents of 2026 call it thread_created. */
  thread(): Promise<string>;
  /** Waits for an update of the answer. */
  added(params?: Pattern): Promise<Incoming>;
  /** Waits for the turn's message_completed. */
  completed(): Promise<Incoming>;
  /**
   * Waits for the end of the turn, and gives the text of each of its messages, in the order in which they were first
   * seen.
   */
  answer(): Promise<readonly string[]>;
}

/** Fields of a chat_message besides its text. */
export interface ChatFields extends Json {
  /** Default: one that no other message of this process has. */
  request_id?: string;
  /** Default: null, which asks for a new thread. */
  acp_thread_id?: string | null;
}

/** The operations of the suite as the host of an agent. */
export interface AsHost {
  /** A new session's id. */
  session(): string;
  /** Takes an id for a session's that was made elsewhere. */
  adopt(session: string): void;
  /** A new request's id. */
  request(): string;
  /** Sends a user's message. Fields of the 2026 dialect are allowed; what is wrong on purpose goes through `odd`. */
  chat(session: string, message: string, fields?: ChatFields): TestTurn;
  /** Sends the data of a chat_message as they are, whatever the specification says of them, and more beside them. */
  odd(data: Json, beside?: Json): TestTurn;
  /** Drops the connection, refuses some dials, and waits until the agent is back. False where that is not possible. */
  reconnect(refusals?: number): Promise<boolean>;
}

/** Agents wait before they dial again: a second at first. */
const REDIAL_MS = 10_000;
let requests = 0;
const sessions = new Set<string>();

/** Plays the host on a connection. */
export function asHost(talk: Talk): AsHost {
  const socket = socketOf(talk);
  const request = (): string => `req_conformance_${++requests}`;
  return {
    session() {
      const id = `ses_conformance_${sessions.size + 1}`;
      sessions.add(id);
      return id;
    },
    adopt: (id) => void sessions.add(id),
    request,
    chat(of, message, { request_id = request(), acp_thread_id = null, ...more } = {}) {
      const data = { helix_session_id: of, acp_thread_id, message, request_id, ...more };
      const turn = turnOf(talk, data);
      talk.send.notify("chat_message", data);
      return turn;
    },
    odd(data, beside = {}) {
      const turn = turnOf(talk, data);
      talk.send.invalid({ type: "chat_message", ...beside, data });
      return turn;
    },
    async reconnect(refusals = 0) {
      if (socket.reconnect === undefined || socket.refuse === undefined) return false;
      socket.refuse(refusals);
      const back = talk.expect.event("connected", { deadline: REDIAL_MS });
      void socket.reconnect();
      await back;
      return true;
    },
  };
}

function turnOf(talk: Talk, { helix_session_id, acp_thread_id, request_id }: Json): TestTurn {
  const known = typeof acp_thread_id === "string" && acp_thread_id !== "" ? acp_thread_id : undefined;
  const session = String(helix_session_id);
  const requestId = String(request_id);
  const from = talk.history().length;
  const isNew = (params: unknown): boolean =>
    talk.history().some(({ is }, at) => at >= from && is.kind === "notification" && is.params === params);
  // An event that names a session of nobody is judged for that elsewhere.
  const isOfSession = where(`of a new thread of the session ${session}`, (params: unknown) => {
    if (!isNew(params) || !isObject(params)) return false;
    const named = params["session_id"] ?? params["helix_session_id"];
    return named === session || !sessions.has(String(named));
  });
  const isOfRequest = where(
    `of the request ${requestId}`,
    (params: unknown) =>
      isObject(params) && [undefined, requestId].includes(params["request_id"] as string | undefined),
  );
  const created = async (): Promise<string> => {
    const names = [
      talk.expect.notify("context_created", isOfSession),
      talk.expect.notify("thread_created", isOfRequest),
    ];
    const { params } = await Promise.race(names);
    return threadIn(params);
  };
  let naming: Promise<string> | undefined;
  const thread = (): Promise<string> => (naming ??= known === undefined ? handled(created()) : Promise.resolve(known));
  const completed = (): Promise<Incoming> => talk.expect.notify("message_completed", { request_id: requestId });
  return {
    session,
    requestId,
    thread,
    completed,
    async added(pattern) {
      const id = await thread();
      const like = pattern === undefined ? "" : ` like ${describePattern(pattern)}`;
      const isAdded = (params: Json): boolean => threadIn(params) === id && matches(params, pattern);
      return talk.expect.notify("message_added", where(`of the thread ${id}${like}`, isAdded));
    },
    async answer() {
      const [id, end] = await Promise.all([thread(), completed()]);
      const texts = new Map<unknown, string>();
      for (const message of talk.history().slice(from)) {
        const { entry, is } = message;
        if (is.kind !== "notification" || is.method !== "message_added" || entry.seq > end.at) continue;
        requireValid(message, "message_added");
        const params = is.params as Json;
        if (threadIn(params) === id) texts.set(params["message_id"], String(params["content"]));
      }
      return [...texts.values()];
    },
  };
}

function threadIn({ acp_thread_id, context_id }: Json): string {
  return String(acp_thread_id ?? context_id);
}
