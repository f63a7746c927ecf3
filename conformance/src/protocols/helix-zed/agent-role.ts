import type { CaseContext } from "../../core/context.js";
import type { RoleSuite } from "../../core/protocol.js";
import type { Incoming } from "../../core/talk.js";
import type { Pattern } from "../../trace/pattern.js";
import type { WsExtras } from "../../wire/ws-link.js";

type Json = Record<string, unknown>;

/** A turn that a case began. */
export interface TestTurn {
  /** The host's session. */
  readonly session: string;
  readonly requestId: string;
  /** The thread: the one that the message named, or what context_created names. */
  thread(): Promise<string>;
  /** Waits for an update of the answer. */
  added(params?: Pattern): Promise<Incoming>;
  /** Waits for the turn's message_completed. */
  completed(): Promise<Incoming>;
  /** Waits for the end of the turn, and gives the text of each of its messages, in the order in which they were first seen. */
  answer(): Promise<readonly string[]>;
}

/** What a case says in a chat_message beside its text. */
export interface ChatFields extends Json {
  /** Default: one that no other message of this process has. */
  request_id?: string;
  /** Default: null, which asks for a new thread. */
  acp_thread_id?: string | null;
}

/** What cases for agents work with: the suite is the host, and the agent has dialled it. */
export interface AgentContext extends CaseContext {
  /** What is possible on a WebSocket alone. */
  readonly socket: WsExtras;
  /** A new session's id. */
  session(): string;
  /** Sends a user's message. Fields of today's dialect are allowed; what is wrong on purpose goes through `send.invalid`. */
  chat(session: string, message: string, fields?: ChatFields): TestTurn;
  /** Drops the connection and waits until the agent is back. */
  reconnect(): Promise<void>;
  /** Shows that the agent works on: a whole turn in a new session. */
  works(): Promise<void>;
}

/** How the suite plays the host. The agent dials, and nothing is said before the first message of a user. */
export const agentRole: RoleSuite = {
  role: "agent",
  peer: "host",
  socket: "dials",
  handshake: () => Promise.resolve({}),
  context: agentContext,
};

/** Agents wait before they dial again: a second at first. */
const REDIAL_MS = 10_000;
let sessions = 0;
let requests = 0;

function agentContext(base: CaseContext): AgentContext {
  const socket = base.extras as WsExtras;
  const session = (): string => `ses_conformance_${++sessions}`;
  const chat: AgentContext["chat"] = (of, message, fields = {}) => chatOn(base, of, message, fields);
  return {
    ...base,
    socket,
    session,
    chat,
    async reconnect() {
      if (socket.reconnect === undefined) base.blocked("this connection cannot be made again");
      const back = base.expect.event("connected", { deadline: REDIAL_MS });
      void socket.reconnect();
      await back;
    },
    works: async () => void (await chat(session(), "Do you still work?").completed()),
  };
}

function chatOn(base: CaseContext, session: string, message: string, fields: ChatFields): TestTurn {
  const { request_id: requestId = `req_conformance_${++requests}`, acp_thread_id: known = null, ...more } = fields;
  const from = base.history().length;
  base.send.notify("chat_message", { helix_session_id: session, acp_thread_id: known, message, request_id: requestId, ...more });
  let naming: Promise<string> | undefined;
  const created = async (): Promise<string> => String((await base.expect.notify("context_created", { session_id: session })).params["acp_thread_id"]);
  const thread = (): Promise<string> => (naming ??= known === null ? created() : Promise.resolve(known));
  const completed = (): Promise<Incoming> => base.expect.notify("message_completed", { request_id: requestId });
  return {
    session,
    requestId,
    thread,
    completed,
    added: async (params) => base.expect.notify("message_added", { acp_thread_id: await thread(), ...(params as Json | undefined) }),
    async answer() {
      const [id] = await Promise.all([thread(), completed()]);
      const texts = new Map<unknown, string>();
      for (const { is } of base.history().slice(from)) {
        if (is.kind !== "notification" || is.method !== "message_added") continue;
        const { acp_thread_id, message_id, content } = is.params as Json;
        if (acp_thread_id === id) texts.set(message_id, String(content));
      }
      return [...texts.values()];
    },
  };
}
