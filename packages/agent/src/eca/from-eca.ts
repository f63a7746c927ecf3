import type { EcaClient, EcaClientOptions, EcaSession, EcaUpdateEvent } from "@editwire/eca";
import { ErrorCode, isRemoteError, RemoteError } from "@editwire/core";
import { type Agent, createAgent } from "../hub/agent.js";
import type { AgentDefinition, AgentLoadedSession, AgentOpenedSession, SessionSummary } from "../api/definition.js";
import type { AgentStopReason } from "../api/events.js";
import { FarAgent } from "../far/far-agent.js";
import { farLost } from "../far/far-connection.js";
import { checkGateway, farCancelGraceMs, gatewayKinds, type GatewayOptions } from "../far/far-options.js";
import type { FarSession } from "../far/far-sessions.js";
import type { AgentSession, AgentTurn, SessionStart } from "../api/session.js";
import { eventOf, eventsIn, lostBefore, lostIn } from "./far-events.js";
import { commandsOf, followSelection, offered, offerOf, StartTasks } from "./far-offer.js";
import { isCarried, messageOf } from "./far-prompt.js";
import { FarEcaTurn } from "./far-turn.js";
import { fileUri } from "../shared/file-uri.js";

/** The handlers that `open` passes on to the function that opens the client. */
export type FarEcaHandlers = Pick<
  EcaClientOptions,
  | "workspaceFolders"
  | "permission"
  | "question"
  | "methods"
  | "onUpdate"
  | "onMessage"
  | "onDiagnostic"
  | "onError"
  | "cancelGraceMs"
  | "signal"
>;

/**
 * An agent that is a client of an ECA server. `open` opens the client with the given handlers, such as
 * `(handlers) => spawnEca(["eca", "server"], handlers)`. The server is started for the first session, with its folders,
 * shared by all, and started again after it has ended. Its sessions are then loaded again, where it can.
 */
export function fromEca(open: (handlers: FarEcaHandlers) => Promise<EcaClient>, options: GatewayOptions = {}): Agent {
  checkGateway("fromEca", open, options, gatewayKinds);
  return createAgent(new EcaGateway(open, options).definition);
}

type Far = FarSession<EcaClient, EcaSession>;

/** The definition of an agent over an ECA client. */
class EcaGateway {
  readonly definition: AgentDefinition;
  readonly #far: FarAgent<EcaClient, EcaSession, FarEcaTurn>;
  /** The sessions in which the server has started a turn by itself. */
  readonly #startedThere = new Set<EcaSession>();
  /** The folders that the server has. */
  #folders: string[] = [];
  #tasks = new StartTasks();

  constructor(open: (handlers: FarEcaHandlers) => Promise<EcaClient>, options: GatewayOptions) {
    this.#far = new FarAgent(options, (signal) => open({ ...this.#handlers(), signal }));
    this.definition = {
      info: { name: "eca", version: "unknown" }, // servers do not say theirs
      accepts: ["image", "resource"],
      ...this.#far.definition,
      ready: (start) => this.#ready(start),
      newSession: (start) => this.#newSession(start),
      opened: (session) => this.#bind(session),
      loadSession: (id, start) => this.#loadSession(id, start),
      listSessions: () => this.#list(),
      deleteSession: async (id) => this.#delete(id),
      setMode: async (session, modeId) => (await this.#farOf(session)).remote.agents.select(modeId),
      setConfigOption: async (session, _, value) => (await this.#farOf(session)).remote.models.select(String(value)),
      prompt: (turn) => this.#prompt(turn),
    };
  }

  #handlers(): FarEcaHandlers {
    const tasks = (this.#tasks = new StartTasks());
    return {
      methods: { "$/progress": (progress) => tasks.report(progress) },
      workspaceFolders: this.#folders.map((path) => ({ name: path.split(/[\\/]/).at(-1) ?? path, uri: fileUri(path) })),
      permission: async (call, { session }) => (await this.#far.turns.get(session)?.permission(call)) ?? "reject_once",
      question: async (question, { session }) => session && this.#far.turns.get(session)?.question(question),
      onUpdate: (event, remote) => this.#outside(event, remote),
      onMessage: (type, text) => this.#far.notCarried.report("eca", `the message "${type}: ${text}"`),
      cancelGraceMs: farCancelGraceMs,
      onDiagnostic: this.#far.onDiagnostic,
      onError: (error, method) => this.#far.onError(error, method),
    };
  }

  async #ready(start: SessionStart | undefined): Promise<void> {
    if (start !== undefined) Object.assign(this.definition, offerOf(await this.#client(start)));
  }

  /** The client of a server that has the folders of a session. */
  async #client(start: SessionStart): Promise<EcaClient> {
    const missing = [start.cwd, ...(start.roots ?? [])].filter((path) => !this.#folders.includes(path));
    const isOpen = this.#far.connection.isOpen;
    this.#folders.push(...missing);
    const client = await this.#far.connection.client();
    if (isOpen && missing.length > 0) await this.#addFolders(client, missing);
    if (!isOpen) await offered(client, this.#tasks);
    return client;
  }

  async #addFolders(client: EcaClient, paths: readonly string[]): Promise<void> {
    const added = paths.map((path) => ({ name: path, uri: fileUri(path) }));
    await this.#far.ask(() => client.changeWorkspaceFolders({ added }), "workspace/didChangeWorkspaceFolders");
  }

  async #newSession(start: SessionStart): Promise<AgentOpenedSession> {
    const client = await this.#client(start);
    // The same id on both sides, so that the session is found again in a later process.
    const named = client.profile.traits.clientNamesChats ? { sessionId: start.sessionId } : {};
    const remote = client.newSession({ ...named, contexts: [{ type: "repoMap" }] });
    const sessionId = start.sessionId ?? remote.id ?? crypto.randomUUID();
    this.#far.sessions.expect(sessionId, remote.id, { client, remote });
    return { sessionId, ...offerOf(remote), commands: await commandsOf(remote) };
  }

  async #loadSession(sessionId: string, start: SessionStart): Promise<AgentLoadedSession | undefined> {
    const far = await this.#load(this.#far.sessions.farId(sessionId), start);
    if (far === undefined) return undefined;
    this.#far.sessions.expect(sessionId, far.remote.id, far);
    const { entries, title } = far.remote.state;
    for (const entry of entries) this.#far.notCarried.report("eca", ...lostBefore(entry));
    return {
      ...offerOf(far.remote),
      title,
      commands: await commandsOf(far.remote),
      events: eventsIn(entries, start.cwd),
    };
  }

  async #load(farId: string, start: SessionStart): Promise<Far | undefined> {
    const client = await this.#client(start);
    const remote = await this.#far.ask(() => known(client.loadSession({ sessionId: farId }), undefined), "chat/open");
    return remote && { client, remote };
  }

  #bind(session: AgentSession): void {
    this.#far.notCarried.mcpServers("eca", session);
    this.#far.sessions.bind(session);
    const far = this.#far.sessions.get(session);
    if (far === undefined) return;
    this.#far.here.set(far.remote, session);
    followSelection(far.client, far.remote, session);
  }

  async #farOf(session: AgentSession): Promise<Far> {
    return this.#far.session(session, await this.#client(session), async (farId) => {
      const far = await this.#load(farId, session);
      if (far !== undefined) followSelection(far.client, far.remote, session);
      return far;
    });
  }

  async #prompt(turn: AgentTurn): Promise<AgentStopReason> {
    const { client, remote } = await this.#farOf(turn.session);
    if (this.#startedThere.delete(remote)) await idle(client, remote, turn.signal);
    const carried = new FarEcaTurn(turn);
    this.#far.turns.set(remote, carried);
    await this.#far.begin(turn);
    turn.onSteer(() => this.#steer(turn, remote));
    this.#far.notCarried.prompt("eca", turn.prompt, isCarried);
    return this.#far.ask(async () => {
      const { message, contexts } = messageOf(turn.prompt);
      // Without contexts of its own, the prompt has those of the session; to read them here makes a whole state.
      const own = contexts.length === 0 ? {} : { contexts: [...remote.state.contexts, ...contexts] };
      const prompt = remote.prompt(message, { signal: turn.signal, joinTexts: true, ...own });
      for await (const event of prompt) {
        this.#far.heard(event);
        if (event.type === "stop") return stopReasonOf(event.stopReason);
        if (remote.id !== undefined) this.#far.sessions.rename(turn.session.id, remote.id);
        this.#far.notCarried.report("eca", ...lostIn(event));
        await carried.update(event);
      }
      return "end_turn";
    }, "chat/prompt");
  }

  #steer(turn: AgentTurn, remote: EcaSession): void {
    for (const { text, content } of turn.takeSteers()) {
      this.#far.notCarried.prompt("eca", content, ({ type }) => type === "text");
      remote.steer(text).catch((error: unknown) => this.#far.onError(error, "chat/promptSteer"));
    }
  }

  #outside(event: EcaUpdateEvent, remote: EcaSession): void {
    if (event.type === "progress") this.#startedThere.add(remote);
    this.#far.notCarried.report("eca", ...lostIn(event));
    const session = this.#far.here.get(remote);
    const carried = session && eventOf(event, session.cwd);
    if (carried !== undefined) void session?.send(carried);
  }

  async #list(): Promise<SessionSummary[]> {
    if (!this.#far.connection.isOpen) return [];
    const client = await this.#far.connection.client();
    const chats = await this.#far.ask(() => known(client.listSessions(), []), "chat/list");
    return chats
      .filter(({ id }) => !this.#far.sessions.isRenamed(id))
      .map(({ id: sessionId, title, createdAt, updatedAt, messageCount: messages }) => {
        const [cwd = "/"] = this.#folders;
        return { sessionId, cwd, title, createdAt, updatedAt, messages };
      });
  }

  async #delete(sessionId: string): Promise<void> {
    const client = await this.#far.connection.client();
    const remote = client.newSession({ sessionId: this.#far.sessions.farId(sessionId) });
    await this.#far.ask(() => remote.delete(), "chat/delete");
  }
}

/** Returns `otherwise` for a request that a server of 2025 does not have. */
async function known<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (isRemoteError(error, ErrorCode.MethodNotFound)) return otherwise;
    throw error;
  }
}

/** Resolves when no turn of the server's own runs: it takes no prompt before. */
function idle({ closed }: EcaClient, remote: EcaSession, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      resolve();
    };
    const stop = remote.subscribe(({ progress }) => progress === undefined && done());
    signal.addEventListener("abort", done, { once: true });
    void closed.then(done);
    if (remote.state.progress === undefined) done();
  });
}

function stopReasonOf(reason: string): AgentStopReason {
  if (reason === "end_turn" || reason === "cancelled") return reason;
  if (reason === "login") return "end_turn"; // the server has asked for something, and the next prompt is the answer
  throw new RemoteError(farLost, `The server did not run the prompt: ${reason}`);
}
