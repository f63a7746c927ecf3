import { isWireError, RemoteError } from "@editwire/core";
import { type Listeners, safeListeners } from "@editwire/session";
import type { AgentDefinition } from "../api/definition.js";
import type { AgentSession, AgentTurn } from "../api/session.js";
import { asking, type Closable, FarConnection, farLost } from "./far-connection.js";
import { farCancelGraceMs, type GatewayOptions, NotCarried } from "./far-options.js";
import { type FarSession, FarSessions } from "./far-sessions.js";

/** The far agent of a gateway: its connection, and what its sessions and turns are here. */
export class FarAgent<Client extends Closable, Remote extends object, Turn = never> {
  /** The part of a definition that all gateways have. */
  readonly definition: Omit<AgentDefinition, "prompt">;
  readonly connection: FarConnection<Client>;
  readonly sessions = new FarSessions<Client, Remote>();
  /** The session here of each far one. */
  readonly here = new WeakMap<Remote, AgentSession>();
  /** The turn that each far session runs. */
  readonly turns = new WeakMap<Remote, Turn>();
  readonly onError: Listeners["onError"];
  /** For the clients of this agent. */
  readonly onDiagnostic: Listeners["onDiagnostic"];
  readonly notCarried: NotCarried;
  /** True after a cancel that the agent has not answered in its time, until it sends something. */
  #isDeaf = false;
  /** That the agent is gone is reported by its connection. */
  readonly #onAskError: Listeners["onError"] = (error, place) => {
    if (!isWireError(error, "closed")) this.onError(error, place);
  };

  constructor({ lingerMs = 1_000, ...options }: GatewayOptions, open: (signal: AbortSignal) => Promise<Client>) {
    const { onDiagnostic, onError } = safeListeners(options);
    this.onError = onError;
    this.onDiagnostic = (diagnostic) => {
      if (diagnostic.id === "cancel-unanswered") this.#isDeaf = true;
      onDiagnostic(diagnostic);
    };
    this.notCarried = new NotCarried(onDiagnostic);
    this.connection = new FarConnection((signal) => {
      this.#isDeaf = false;
      return open(signal);
    }, onError);
    this.definition = {
      cancelGraceMs: farCancelGraceMs + 1_000,
      ...options,
      idle: () => this.connection.release(lingerMs),
      close: () => this.connection.close(),
    };
  }

  /** The far session of a session here: the one that it has, or the one that `load` brings back at a new connection. */
  async session(
    session: AgentSession,
    client: Client,
    load: (farId: string) => Promise<FarSession<Client, Remote> | undefined>,
  ): Promise<FarSession<Client, Remote>> {
    const held = this.sessions.get(session);
    if (held?.client === client) return held;
    const far = await load(this.sessions.farId(session.id));
    if (far === undefined)
      throw new RemoteError(
        farLost,
        "The agent behind the gateway has ended, and cannot load this session again; begin a new one",
      );
    this.sessions.set(session, far);
    this.here.set(far.remote, session);
    return far;
  }

  /** Begins a turn: says in it that the agent may not answer, where it did not end an earlier prompt. */
  async begin(turn: AgentTurn): Promise<void> {
    if (this.#isDeaf)
      await turn.notice("The agent has not ended an earlier prompt; it may not answer this one", "warning");
  }

  /** Called with the events of the agent's turns. */
  heard({ type }: { readonly type: string }): void {
    if (type !== "stop") this.#isDeaf = false;
  }

  /** Runs what asks the far agent. Rejects with an error for the editor. */
  ask<T>(ask: () => Promise<T>, where: string): Promise<T> {
    return asking(ask, this.#onAskError, where);
  }
}
