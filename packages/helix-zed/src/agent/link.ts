import { type Change, connect, type Connection, isObject, isWireError, type Profile } from "@editwire/core";
import {
  type HelixZed,
  helixZed,
  helixZedEnvelope,
  type HelixZedParams,
  type HelixZedProfile,
  helixZedProfiles,
  type HelixZedTraits,
  type Usage,
} from "@editwire/helix-zed-schema";
import { taggedPeer } from "@editwire/peer";
import { Dialer, splitOptions, type SplitOptions } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import type { HelixZedAgentOptions } from "./api.js";

/** One socket to the host. */
type AgentConnection = Connection<HelixZed, "agent">;

/** How a turn ended. */
export type TurnEnd =
  | { readonly type: "completed"; readonly usage?: Usage | undefined }
  | { readonly type: "failed"; readonly error: string }
  | { readonly type: "unloadable"; readonly error: string }
  /** The agent was closed first. */
  | { readonly type: "closed"; readonly error: string };

/** The fields by which messages name their turn. */
interface ReportedTurn {
  readonly sessionId: string;
  readonly threadId: string;
  readonly requestId: string;
  readonly cost: Usage | undefined;
}

/** Called with the messages of the host, and when it is connected. */
export interface LinkEvents {
  chat(params: HelixZedParams<"chat_message">): void;
  open(params: HelixZedParams<"open_thread">): void | Promise<void>;
  cancel(params: HelixZedParams<"cancel_current_turn">): void;
  connected(): void;
}

/** The way to the host: it dials again and again, and sends what turns have to say. */
export class AgentLink {
  readonly #dialer: Dialer<AgentConnection>;
  readonly #profile: HelixZedProfile;
  readonly #options: HelixZedAgentOptions;
  readonly #split: SplitOptions;

  constructor(options: HelixZedAgentOptions) {
    const { dial, reconnect, onConnection } = options;
    this.#options = options;
    this.#split = splitOptions("createHelixZedAgent", "helixZedProfiles", options);
    this.#profile = options.profile ?? helixZedProfiles.spec;
    const names = { self: "agent", other: "host" };
    this.#dialer = new Dialer({ dial, reconnect, names, onConnection, onError: this.#split.onError });
  }

  /** The connection that is open now. */
  get connection(): AgentConnection | undefined {
    return this.#dialer.connection;
  }

  /** The abilities of the dialect. */
  get traits(): HelixZedTraits {
    return this.#profile.traits;
  }

  /** Dials until closed, or until the host refuses this agent. */
  run(events: LinkEvents): void {
    this.#dialer.run(
      (transport) => this.#open(transport, events),
      () => {
        const { sessionId, agentName = "editwire" } = this.#options;
        if (this.traits.readiness)
          this.send("agent_ready", { session_id: sessionId, agent_name: agentName, thread_id: null });
        events.connected();
      },
    );
  }

  /** Sends any message. Throws `WireError("not_connected")` when the host is not connected. */
  notify: AgentConnection["notify"] = (name, params) => this.#dialer.require(name).notify(name, params);

  close(): Promise<void> {
    return this.#dialer.close();
  }

  /** Sends if the host is connected. A promise comes back only when it is slow, and false when it is not connected. */
  send: (...message: Parameters<AgentConnection["notify"]>) => void | Promise<void> | false = (name, params) => {
    const { connection } = this;
    if (connection === undefined) return false;
    try {
      return connection.notify(name, params);
    } catch (error) {
      this.report(error, name);
      if (isWireError(error, "invalid_params")) return undefined; // it would not fit on another connection either
      void connection.close(); // what it did not take is sent on the next connection
      return false;
    }
  };

  announce({ sessionId, threadId, requestId }: ReportedTurn): void {
    if (this.traits.created === "thread_created")
      this.send("thread_created", { session_id: sessionId, acp_thread_id: threadId, request_id: requestId });
    else this.send("context_created", { session_id: sessionId, acp_thread_id: threadId, helix_session_id: sessionId });
  }

  add(update: HelixZedParams<"message_added">): Promise<void> | undefined {
    const room = this.send("message_added", update);
    return room === false || room === undefined ? undefined : room;
  }

  /**
   * Sends how a turn ended; false when the host is not connected. The specification has no message for a failure: there
   * every turn is completed, so that its host does not wait for it. A turn without a thread is completed under a new
   * thread id.
   */
  end(turn: ReportedTurn, end: TurnEnd, messageId = `ai_msg_${crypto.randomUUID()}`): boolean {
    const { sessionId: session_id, requestId: request_id, threadId } = turn;
    const acp_thread_id = threadId === "" ? crypto.randomUUID() : threadId;
    if (this.traits.errors && (end.type === "failed" || end.type === "closed"))
      return this.send("chat_response_error", { session_id, request_id, error: end.error }) !== false;
    if (this.traits.errors && end.type === "unloadable")
      return this.send("thread_load_error", { session_id, acp_thread_id, request_id, error: end.error }) !== false;
    const completed = { session_id, acp_thread_id, message_id: messageId, request_id };
    const { agentName: agent_name = "editwire" } = this.#options;
    const extra = this.traits.readiness ? { agent_name, ...(turn.cost === undefined ? {} : { usage: turn.cost }) } : {};
    return this.send("message_completed", { ...completed, ...extra }) !== false;
  }

  diagnose(id: string, method: string, message: string): void {
    this.#split.onDiagnostic({ id, method, message });
  }

  report(error: unknown, method: string | undefined): void {
    this.#split.onError(error, method);
  }

  #open(transport: Transport, events: LinkEvents): AgentConnection {
    const { sessionId, strict } = this.#options;
    const wire = { protocol: helixZed, self: "agent", envelope: helixZedEnvelope } as const;
    return connect(
      helixZed,
      "agent",
      taggedPeer(transport, wire, { ...this.#split.peer, strict }),
      {
        chat_message: (params) => events.chat(params),
        open_thread: (params) => events.open(params),
        cancel_current_turn: (params) => events.cancel(params),
      },
      { ...this.#split.connect, profile: withSession(this.#profile, sessionId) },
    );
  }
}

/** The profile with one more deviation: a chat_message that names no session belongs to the session of the dial. */
function withSession(profile: HelixZedProfile, sessionId: string): Profile {
  const named: Change = (params) =>
    isObject(params) && (params["helix_session_id"] ?? "") === "" ? { ...params, helix_session_id: sessionId } : params;
  const row = {
    id: "no-host-session",
    summary: "a chat_message that names no session, which belongs to the session of the dial",
    seen: "Helix 2025-12 and later",
    methods: ["chat_message"],
    part: "params",
    matches: (params: unknown) => isObject(params) && !("session_id" in params) && named(params) !== params,
    repair: named,
  } as const;
  return { ...profile, deviations: [...(profile.deviations ?? []), row] };
}
