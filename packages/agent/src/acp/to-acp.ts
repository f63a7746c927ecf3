import {
  type AcpAgent,
  type AcpAgentSession,
  type AcpParams,
  type AcpPrompt,
  type AcpResult,
  type AgentCapabilities,
  type McpServer,
  type Meta,
  RemoteError,
  type StopReason,
} from "@editwire/acp";
import type { Agent } from "../hub/agent.js";
import { checkFront, frontKinds, type FrontOptions, reportsOf, stopReasonOf } from "../shared/front.js";
import { acpMapping } from "../mapping/acp.js";
import type { MappingReports } from "../mapping/reports.js";
import type { AgentSession, SessionStart } from "../api/session.js";
import { AcpView } from "./acp-view.js";

/** Sessions on one page of a list. */
const pageSize = 100;

/** Serves an agent over ACP: every function of `@editwire/acp` that serves an agent takes the result. */
export function toAcp(agent: Agent, options: FrontOptions = {}): AcpAgent {
  checkFront("toAcp", agent, options, frontKinds);
  const front = new AcpFront(agent, reportsOf(agent, "acp", acpMapping, options));
  return {
    get info() {
      return agent.definition.info;
    },
    get capabilities() {
      return capabilitiesOf(agent);
    },
    get authMethods() {
      return agent.definition.authMethods;
    },
    authenticate: (methodId) => agent.definition.authenticate?.(methodId),
    ...(agent.definition.logout && { logout: () => agent.definition.logout?.() }),
    replaysOnLoad: true,
    initialize: ({ clientCapabilities }) => agent.connected(undefined, clientCapabilities),
    disconnected: () => front.disconnected(),
    openSession: (params, { caller }) => front.open(startOf(params, caller)),
    newSession: (client) => front.viewOf(client).then((view) => view.announce()),
    loadSession: ({ sessionId, ...params }, { caller }) => front.load(sessionId, startOf(params, caller)),
    restoreSession: (client) => front.restore(client),
    listSessions: (params, { caller }) => front.list(params, caller),
    closeSession: (client) => front.close(client),
    deleteSession: (sessionId, { caller }) => agent.deleteSession(sessionId, caller),
    setMode: (client, modeId) => front.change(client, "mode", (session) => session.setMode(modeId)),
    setConfigOption: (client, id, value) => front.setConfigOption(client, id, value),
    prompt: { answer: (prompt) => front.answer(prompt) },
  };
}

/** A client's session, and the view that shows it. */
interface Shown {
  readonly session: AgentSession;
  readonly view: AcpView;
}

/** The connections of one `toAcp`. */
class AcpFront {
  readonly #agent: Agent;
  readonly #reports: MappingReports;
  readonly #shown = new Map<AcpAgentSession, Shown>();

  constructor(agent: Agent, reports: MappingReports) {
    this.#agent = agent;
    this.#reports = reports;
  }

  async open(start: SessionStart) {
    const { id: sessionId, modes, configOptions } = await this.#agent.newSession(start);
    return { sessionId, modes, configOptions };
  }

  /** The history comes from `restore`. */
  async load(sessionId: string, start: SessionStart) {
    const session = await this.#agent.loadSession(sessionId, start);
    if (session === undefined) return undefined;
    const { modes, configOptions } = session;
    return { history: [], modes, configOptions };
  }

  async restore(client: AcpAgentSession) {
    const { session, view } = await this.#show(client);
    const history = view.history(); // in the task in which the view is attached
    session.attach(view);
    view.announce();
    return history;
  }

  async viewOf(client: AcpAgentSession): Promise<AcpView> {
    const { session, view } = await this.#show(client);
    session.attach(view);
    return view;
  }

  async answer({ session: client, content, signal, meta, client: editor }: AcpPrompt): Promise<StopReason> {
    const { session, view } = await this.#show(client);
    view.said(content);
    return stopReasonOf(await session.prompt(content, { view, signal, meta, editor: view.editorOf(editor) }));
  }

  /** Stops showing sessions to clients that are gone. One that comes back loads its session, or prompts. */
  async disconnected(): Promise<void> {
    for (const client of this.#shown.keys()) if (!client.connected) this.close(client);
    await this.#agent.disconnected();
  }

  close(client: AcpAgentSession): void {
    const shown = this.#shown.get(client);
    if (shown !== undefined) shown.session.attach(shown.view)();
    this.#shown.delete(client);
  }

  /** Runs a change that the client asks for. It gets an answer, and updates of what else changes with it. */
  async change(
    client: AcpAgentSession,
    what: AcpView["changing"],
    change: (session: AgentSession) => Promise<void>,
  ): Promise<void> {
    const { session, view } = await this.#show(client);
    view.changing = what;
    try {
      await change(session);
    } finally {
      view.changing = undefined;
    }
  }

  async setConfigOption(client: AcpAgentSession, configId: string, value: string | boolean) {
    await this.change(client, "config_options", (session) => session.setConfigOption(configId, value));
    return (await this.#show(client)).session.configOptions;
  }

  async list(
    { cwd, cursor = "0" }: AcpParams<"session/list">,
    caller: string | undefined,
  ): Promise<AcpResult<"session/list">> {
    const all = await this.#agent.listSessions(caller);
    const found = cwd === undefined ? all : all.filter((session) => session.cwd === cwd);
    const from = Number(cursor);
    if (!Number.isSafeInteger(from) || from < 0) throw RemoteError.invalidParams("unknown cursor", { cursor });
    const sessions = found.slice(from, from + pageSize).map(({ sessionId, cwd: folder, title, updatedAt }) => ({
      sessionId,
      cwd: folder,
      ...(title === undefined ? {} : { title }),
      ...(updatedAt === undefined ? {} : { updatedAt: new Date(updatedAt).toISOString() }),
    }));
    const next = from + pageSize;
    return { sessions, ...(next < found.length ? { nextCursor: String(next) } : {}) };
  }

  /** The agent's session, which may have been forgotten meanwhile. */
  async #show(client: AcpAgentSession): Promise<Shown> {
    const { id, caller } = client;
    const session = this.#agent.session(id, caller) ?? (await this.#agent.loadSession(id, startOf(client, caller)));
    if (session === undefined) throw RemoteError.invalidParams("session not found", { sessionId: id });
    const known = this.#shown.get(client);
    if (known?.session === session) return known;
    const view = new AcpView(client, session, this.#reports);
    const shown = { session, view };
    this.#shown.set(client, shown);
    client.signal.addEventListener("abort", () => this.close(client), { once: true });
    return shown;
  }
}

function startOf(params: StartParams, caller: string | undefined): SessionStart {
  const { cwd, mcpServers = [], additionalDirectories: roots = [], meta, _meta = meta } = params;
  return { cwd, mcpServers, roots, caller, meta: _meta };
}

/** The params that open a session. */
interface StartParams {
  readonly cwd: string;
  readonly mcpServers?: readonly McpServer[] | undefined;
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly meta?: Meta | undefined;
  readonly _meta?: Meta | undefined;
}

function capabilitiesOf({ definition: { accepts = [], mcpTypes = [] } }: Agent): AgentCapabilities {
  const takes = (kind: (typeof accepts)[number]): boolean => accepts.includes(kind);
  return {
    promptCapabilities: { image: takes("image"), audio: takes("audio"), embeddedContext: takes("resource") },
    mcpCapabilities: { http: mcpTypes.includes("http"), sse: mcpTypes.includes("sse") },
    sessionCapabilities: { additionalDirectories: {}, resume: {} },
  };
}
