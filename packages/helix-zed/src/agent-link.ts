import { connect, type Connection, isWireError } from "@editwire/core";
import {
  type ChatMessageParams,
  type CancelCurrentTurnParams,
  type HelixZed,
  helixZed,
  helixZedEnvelope,
  type HelixZedProfile,
  helixZedProfiles,
  type HelixZedTraits,
  type MessageAddedParams,
  type OpenThreadParams,
  type Usage,
} from "@editwire/helix-zed-schema";
import { taggedPeer } from "@editwire/peer";
import type { Transport } from "@editwire/transport";
import type { ZedAgentOptions } from "./agent-options.js";
import type { AgentTurn, TurnEnd } from "./agent-turn.js";
import { backoff } from "./backoff.js";

/** One socket to the host. */
type AgentConnection = Connection<HelixZed, "agent">;

/** What the host says, and when it is there. */
export interface LinkEvents {
  chat(params: ChatMessageParams): void;
  open(params: OpenThreadParams): void | Promise<void>;
  cancel(params: CancelCurrentTurnParams): void;
  connected(): void;
}

/** The way to the host: it dials again and again, and writes what turns have to say. */
export class AgentLink {
  /** What the dialect can say. */
  readonly traits: HelixZedTraits;
  /** The connection that is open now. */
  connection: AgentConnection | undefined;
  readonly #profile: HelixZedProfile;
  readonly #options: ZedAgentOptions;
  readonly #closing = new AbortController();

  constructor(options: ZedAgentOptions) {
    this.#options = options;
    this.#profile = options.profile ?? helixZedProfiles.spec;
    this.traits = this.#profile.traits;
  }

  /** Dials until closed. */
  async run(events: LinkEvents): Promise<void> {
    const { reconnect = {}, onConnection } = this.#options;
    const { stableMs = 5_000 } = reconnect;
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted; failures += 1) {
      let reason: unknown;
      try {
        const transport = await this.#dial();
        const openedAt = performance.now();
        reason = await this.#serve(transport, events);
        if (performance.now() - openedAt >= stableMs) failures = 0;
      } catch (error) {
        reason = error;
      }
      this.connection = undefined;
      if (signal.aborted) return;
      const waitMs = backoff(failures, reconnect);
      this.#guard(() => onConnection?.({ connected: false, reason: reason as Error, retryMs: waitMs }));
      await pause(waitMs, signal);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.connection?.close();
  }

  /** Sends if the host is there; a promise comes back only when it is slow. False when nobody is there. */
  send: (...message: Parameters<AgentConnection["notify"]>) => void | Promise<void> | false = (name, params) => {
    const { connection } = this;
    if (connection === undefined) return false;
    try {
      return connection.notify(name, params);
    } catch (error) {
      this.report(error, name);
      if (isWireError(error, "invalid_params")) return undefined; // on another connection it would be no better
      void connection.close(); // what it did not take is sent on the next connection
      return false;
    }
  };

  announce({ sessionId, threadId, requestId }: AgentTurn): void {
    if (this.traits.created === "thread_created")
      this.send("thread_created", { session_id: sessionId, acp_thread_id: threadId, request_id: requestId });
    else this.send("context_created", { session_id: sessionId, acp_thread_id: threadId, helix_session_id: sessionId });
  }

  add(update: MessageAddedParams): Promise<void> | undefined {
    const room = this.send("message_added", update);
    return room === false || room === undefined ? undefined : room;
  }

  /**
   * Says how a turn ended; false when nobody is there. The specification has no word for a failure: there a turn that failed is
   * completed like any other, and one that has no thread ends in silence.
   */
  end(
    { sessionId: session_id, threadId: acp_thread_id, requestId: request_id }: AgentTurn,
    end: TurnEnd,
    messageId = `ai_msg_${crypto.randomUUID()}`,
  ): boolean {
    if (this.traits.errors && end.type === "failed")
      return this.send("chat_response_error", { session_id, request_id, error: end.error }) !== false;
    if (this.traits.errors && end.type === "unloadable")
      return this.send("thread_load_error", { session_id, acp_thread_id, request_id, error: end.error }) !== false;
    return (
      this.isSilent(acp_thread_id, end) ||
      this.send("message_completed", {
        session_id,
        acp_thread_id,
        message_id: messageId,
        request_id,
        ...this.#extra(end),
      }) !== false
    );
  }

  /** True for an end that the dialect has no word for. */
  isSilent(threadId: string, { type }: TurnEnd): boolean {
    return this.traits.errors ? threadId === "" && type === "completed" : threadId === "" || type === "unloadable";
  }

  diagnose(id: string, method: string, message: string): void {
    this.#guard(() => this.#options.onDiagnostic?.({ id, method, message }));
  }

  report(error: unknown, method: string | undefined): void {
    this.#guard(() => this.#options.onError?.(error, method));
  }

  /** Dials; one that is closed meanwhile does not wait for a host that may never answer. */
  #dial(): Promise<Transport> {
    const { signal } = this.#closing;
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
      const dialled = async (): Promise<void> => {
        const transport = await this.#options.dial();
        if (signal.aborted) return transport.close();
        resolve(transport);
      };
      dialled()
        .catch(reject)
        .finally(() => signal.removeEventListener("abort", stop));
    });
  }

  async #serve(transport: Transport, events: LinkEvents): Promise<Error> {
    const { strict, onDiagnostic, onError, onConnection, sessionId, agentName = "editwire" } = this.#options;
    const peer = taggedPeer(transport, { protocol: helixZed, self: "agent", envelope: helixZedEnvelope }, { strict });
    const connection = connect(
      helixZed,
      "agent",
      peer,
      {
        chat_message: (params) => events.chat(params),
        open_thread: (params) => events.open(params),
        cancel_current_turn: (params) => events.cancel(params),
      },
      { profile: this.#profile, strict, onDiagnostic, onError },
    );
    if (this.#closing.signal.aborted) await connection.close();
    else {
      this.connection = connection;
      this.#guard(() => onConnection?.({ connected: true }));
      if (this.traits.readiness)
        this.send("agent_ready", { session_id: sessionId, agent_name: agentName, thread_id: null });
      events.connected();
    }
    return connection.closed;
  }

  #extra(end: TurnEnd): { agent_name?: string; usage?: Usage } {
    if (!this.traits.readiness) return {};
    const { agentName = "editwire" } = this.#options;
    return end.type !== "completed" || end.usage === undefined
      ? { agent_name: agentName }
      : { agent_name: agentName, usage: end.usage };
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch {
      // A listener looks on; it may not break the connection.
    }
  }
}

/** Waits; unlike other timers this one keeps the process: an agent without its host still has something to do. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
