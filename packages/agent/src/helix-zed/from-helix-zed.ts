import type { HelixZedHost, HelixZedSession, HelixZedTurn } from "@editwire/helix-zed";
import { isWireError, RemoteError } from "@editwire/core";
import { checkOptions, safeListeners, shown } from "@editwire/session";
import { type Agent, createAgent } from "../hub/agent.js";
import type { AgentDefinition, AgentLoadedSession, SessionSummary } from "../api/definition.js";
import type { AgentStopReason } from "../api/events.js";
import { asking, farLost } from "../far/far-connection.js";
import { farCancelGraceMs, gatewayKinds, type GatewayOptions, NotCarried } from "../far/far-options.js";
import type { AgentSession, AgentTurn } from "../api/session.js";
import { blockText, isTextual } from "../shared/texts.js";
import { eventsOf, FarHelixZedTurn } from "./far-turn.js";

/** How an agent that dials becomes an agent here. */
export interface HelixZedGatewayOptions extends Omit<GatewayOptions, "lingerMs"> {
  /** The id under which the agent dials. */
  agent: string;
}

/** The folder of sessions of which the host does not know it. */
const unknownFolder = "/";

/**
 * An agent that dials a host of this process, such as one of `listenHelixZed`. Sessions are those of the host, with the
 * same ids; a prompt waits until the agent is connected. Folders and MCP servers are not carried: the protocol has
 * none. `close` leaves the host open.
 */
export function fromHelixZed(host: HelixZedHost, options: HelixZedGatewayOptions): Agent {
  const name = "fromHelixZed";
  if (typeof (host as HelixZedHost | undefined)?.session !== "function")
    throw new TypeError(`${name}: expected a host, such as listenHelixZed returns, received ${shown(host)}`);
  const { lingerMs: _, ...kinds } = gatewayKinds;
  checkOptions(name, options, { ...kinds, agent: "text" });
  if (options.agent === undefined) throw new TypeError(`${name}: expected { agent: "id" }, received no agent`);
  return createAgent(new HelixZedGateway(host, options).definition);
}

/** The definition of an agent over a host. */
class HelixZedGateway {
  readonly definition: AgentDefinition;
  readonly #host: HelixZedHost;
  readonly #agent: string;
  readonly #onError;
  readonly #notCarried: NotCarried;
  readonly #sessions = new WeakMap<AgentSession, HelixZedSession>();
  readonly #stops = new Map<string, () => void>();

  constructor(host: HelixZedHost, { agent, ...options }: HelixZedGatewayOptions) {
    this.#host = host;
    this.#agent = agent;
    const { onDiagnostic, onError } = safeListeners(options);
    this.#onError = onError;
    this.#notCarried = new NotCarried(onDiagnostic);
    this.definition = {
      info: { name: agent, version: "unknown" },
      cancelGraceMs: farCancelGraceMs,
      ...options,
      opened: (session) => this.#opened(session),
      loadSession: (sessionId) => this.#load(sessionId),
      listSessions: () => this.#list(),
      deleteSession: (sessionId) => this.#delete(sessionId),
      prompt: (turn) => this.#prompt(turn),
      close: () => this.#stopAll(),
    };
  }

  async #opened(session: AgentSession): Promise<void> {
    this.#notCarried.mcpServers("helix-zed", session);
    const remote = await this.#ask(() => this.#host.session(session.id, { agent: this.#agent }), "session");
    this.#sessions.set(session, remote);
    this.#stops.get(session.id)?.();
    let { title } = remote.state;
    const stop = remote.subscribe((state) => {
      if (state.title === title) return;
      title = state.title;
      void session.send({ type: "info", title });
    });
    this.#stops.set(session.id, stop);
  }

  async #load(sessionId: string): Promise<AgentLoadedSession | undefined> {
    if (!(await this.#list()).some((one) => one.sessionId === sessionId)) return undefined;
    const { state } = await this.#ask(() => this.#host.session(sessionId), "session");
    return { title: state.title, events: eventsOf(state.entries) };
  }

  async #list(): Promise<SessionSummary[]> {
    const sessions = await this.#ask(() => this.#host.listSessions({ agent: this.#agent }), "listSessions");
    return sessions.map(({ id, title }) => ({ sessionId: id, cwd: unknownFolder, title }));
  }

  async #delete(sessionId: string): Promise<void> {
    this.#stops.get(sessionId)?.();
    this.#stops.delete(sessionId);
    await this.#ask(() => this.#host.deleteSession(sessionId), "deleteSession");
  }

  async #prompt(turn: AgentTurn): Promise<AgentStopReason> {
    const remote = this.#sessions.get(turn.session);
    if (remote === undefined) throw new RemoteError(farLost, "The session is not open");
    const { connected, running } = remote.state;
    if (!connected) await turn.notice("The agent is not connected; the prompt waits until it dials");
    else if (running)
      await turn.notice("The agent has not ended an earlier prompt; this one waits for that", "warning");
    this.#notCarried.prompt("helix-zed", turn.prompt, isTextual);
    const far = new FarHelixZedTurn(turn);
    return this.#ask(async () => {
      const answer = remote.prompt(messageOf(turn), { signal: turn.signal });
      const stop = this.#watch(remote, turn, answer);
      try {
        for await (const event of answer) {
          if (event.type === "stop") return await far.end(event.interaction);
          await far.update(event);
        }
        return "end_turn";
      } finally {
        stop();
      }
    }, "chat_message");
  }

  /** Says when the agent goes and comes during an answer. One that was cancelled ends when its agent has gone. */
  #watch(remote: HelixZedSession, turn: AgentTurn, answer: HelixZedTurn): () => void {
    let { connected } = remote.state;
    return remote.subscribe((state) => {
      if (state.connected === connected) return;
      connected = state.connected;
      if (turn.signal.aborted)
        return connected ? undefined : void answer.cancel().catch((error: unknown) => this.#onError(error, "cancel"));
      if (connected) void turn.notice("The agent is connected again");
      else void turn.notice("The agent is no longer connected; the turn goes on when it dials again", "warning");
    });
  }

  #stopAll(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }

  async #ask<T>(ask: () => Promise<T>, where: string): Promise<T> {
    try {
      return await asking(ask, this.#onError, where);
    } catch (error) {
      if (!isWireError(error, "aborted")) throw error;
      throw new RemoteError(farLost, "The session was deleted");
    }
  }
}

/** A prompt as a message: its text, and what is not text by its name. */
function messageOf({ prompt }: AgentTurn): string {
  return prompt.map(blockText).join("\n\n");
}
