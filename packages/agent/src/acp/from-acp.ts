import {
  type AcpClient,
  type AcpClientOptions,
  type AcpSession,
  type AuthMethod,
  formElicitation,
  isAuthRequired,
  isSessionNotFound,
  type AcpUpdateEvent,
} from "@editwire/acp";
import { type Agent, createAgent } from "../hub/agent.js";
import type { AgentDefinition, AgentLoadedSession, AgentOpenedSession, SessionSummary } from "../api/definition.js";
import type { AgentStopReason } from "../api/events.js";
import { FarAgent } from "../far/far-agent.js";
import { checkGateway, farCancelGraceMs, gatewayKinds, type GatewayOptions } from "../far/far-options.js";
import type { FarSession } from "../far/far-sessions.js";
import { isRemoteError } from "@editwire/core";
import { readPages } from "@editwire/session";
import type { AgentSession, AgentTurn, SessionStart } from "../api/session.js";
import { eventOf, eventsOf, lostIn } from "./far-events.js";
import { FarEditor } from "./far-editor.js";
import { lostInForm } from "./far-form.js";
import { FarAcpTurn } from "./far-turn.js";

/** The handlers that `open` passes on to the function that opens the client. */
export type FarAcpHandlers = Pick<
  AcpClientOptions,
  | "permission"
  | "elicitation"
  | "fs"
  | "terminals"
  | "clientCapabilities"
  | "onUpdate"
  | "onDiagnostic"
  | "onError"
  | "cancelGraceMs"
  | "signal"
>;

/**
 * An agent that is a client of an ACP agent. `open` opens the client with the given handlers, such as
 * `(handlers) => spawnAcp(["codex-acp"], handlers)`; it may replace services such as `fs`. The connection is opened
 * when an editor needs it, shared by all, and opened again after the far agent has ended. Its sessions are then loaded
 * again, where the far agent can. The handlers lend it the files and terminals of the editors that were there when it
 * was opened: in a turn, those of the editor that prompted.
 */
export function fromAcp(open: (handlers: FarAcpHandlers) => Promise<AcpClient>, options: GatewayOptions = {}): Agent {
  checkGateway("fromAcp", open, options, gatewayKinds);
  return createAgent(new AcpGateway(open, options).definition);
}

type Far = FarSession<AcpClient, AcpSession>;

/** The definition of an agent over an ACP client. */
class AcpGateway {
  readonly definition: AgentDefinition;
  readonly #far: FarAgent<AcpClient, AcpSession, FarAcpTurn>;
  /** The far sessions by their id, for what names only that. */
  readonly #remotes = new Map<string, AcpSession>();
  readonly #editor: FarEditor;
  #spare: { readonly start: SessionStart; readonly far: Far } | undefined;

  constructor(open: (handlers: FarAcpHandlers) => Promise<AcpClient>, options: GatewayOptions) {
    this.#far = new FarAgent(options, (signal) => open({ ...this.#handlers(), signal }));
    this.#editor = new FarEditor((farId) => this.#turnOf(farId), this.#far.notCarried);
    this.definition = {
      ...this.#far.definition,
      ready: (start, editor) => {
        this.#editor.connected(editor, this.#far.connection.isOpen);
        return this.#ready(start);
      },
      newSession: (start) => this.#newSession(start),
      opened: (session) => this.#bind(session),
      loadSession: (id, start) => this.#loadSession(id, start),
      listSessions: () => this.#list(),
      deleteSession: (id) => this.#delete(id),
      authenticate: (methodId) => this.#authenticate(methodId),
      setMode: async (session, modeId) => {
        const { remote } = await this.#farOf(session);
        await this.#far.ask(() => remote.setMode(modeId), "session/set_mode");
      },
      setConfigOption: async (session, id, value) => {
        const { remote } = await this.#farOf(session);
        await this.#far.ask(() => remote.setConfigOption(id, value), "session/set_config_option");
        return remote.configOptions;
      },
      prompt: (turn) => this.#prompt(turn),
    };
  }

  #handlers(): FarAcpHandlers {
    const ask = formElicitation(async (form) => {
      const turn = this.#turnOf(form.question.sessionId ?? "");
      this.#far.notCarried.report("acp", ...lostInForm(form));
      return turn === undefined ? "decline" : turn.form(form);
    });
    return {
      permission: async (question) => {
        const turn = this.#turnOf(question.sessionId);
        return turn === undefined ? "cancelled" : turn.permission(question);
      },
      elicitation: { form: ask },
      ...this.#editor.services(),
      clientCapabilities: { session: { notices: {}, configOptions: { boolean: {} } } },
      onUpdate: (event, remote) => this.#outside(event, remote),
      cancelGraceMs: farCancelGraceMs,
      onDiagnostic: this.#far.onDiagnostic,
      onError: (error, method) => this.#far.onError(error, method),
    };
  }

  #turnOf(farId: string): FarAcpTurn | undefined {
    const remote = this.#remotes.get(farId);
    return remote && this.#far.turns.get(remote);
  }

  /** Finds out what the far agent is; with a start, also what its sessions offer: a session is opened for that. */
  async #ready(start: SessionStart | undefined): Promise<void> {
    await this.#client();
    if (start === undefined) return;
    try {
      const far = await this.#open(start);
      this.#spare = { start, far };
      this.#offer(far.remote);
    } catch (error) {
      if (!isAuthRequired(error)) throw error; // the user signs in before the first session
    }
  }

  /** Offers what the sessions of the far agent have, before there is one here. */
  #offer(remote: AcpSession): void {
    const { modes, configOptions, commands } = offerOf(remote);
    Object.assign(this.definition, { modes, configOptions, commands });
  }

  /** The client. The definition takes over the capabilities of its agent. */
  async #client(): Promise<AcpClient> {
    const client = await this.#far.connection.client();
    const { agentInfo, agentCapabilities, authMethods } = client.info;
    const needsSignIn = authMethods !== undefined && authMethods.length > 0;
    this.definition.authMethods = needsSignIn ? authMethods.filter((method) => this.#canSignIn(method)) : undefined;
    const { image, audio, embeddedContext } = agentCapabilities?.promptCapabilities ?? {};
    const { http, sse } = agentCapabilities?.mcpCapabilities ?? {};
    this.definition.info ??= agentInfo;
    this.definition.accepts = [
      ...(image === true ? ["image" as const] : []),
      ...(audio === true ? ["audio" as const] : []),
      ...(embeddedContext === true ? ["resource" as const] : []),
    ];
    this.definition.mcpTypes = [...(http === true ? ["http" as const] : []), ...(sse === true ? ["sse" as const] : [])];
    return client;
  }

  /** The program of a terminal is the far agent's; the variables of the environment go on to it. */
  #canSignIn({ type = "agent" }: AuthMethod): boolean {
    const isCarried = type === "agent" || type === "env_var";
    if (!isCarried) this.#far.notCarried.report("acp", `the way to sign in of the type "${type}"`);
    return isCarried;
  }

  /** Without ways to sign in, an agent takes any as done. */
  async #authenticate(methodId: string): Promise<void> {
    const client = await this.#far.connection.client();
    if ((client.info.authMethods ?? []).length === 0) return;
    await this.#far.ask(() => client.authenticate(methodId), "authenticate");
  }

  async #newSession(start: SessionStart): Promise<AgentOpenedSession> {
    const far = this.#takeSpare(start) ?? (await this.#open(start));
    const sessionId = start.sessionId ?? far.remote.id;
    this.#far.sessions.expect(sessionId, far.remote.id, far);
    return { sessionId: far.remote.id, ...offerOf(far.remote) };
  }

  #takeSpare(start: SessionStart): Far | undefined {
    const spare = this.#spare;
    if (spare === undefined || spare.start.cwd !== start.cwd || (start.mcpServers ?? []).length > 0) return undefined;
    this.#spare = undefined;
    return this.#remotes.has(spare.far.remote.id) ? spare.far : undefined;
  }

  async #open(start: SessionStart): Promise<Far> {
    const client = await this.#client();
    const remote = await this.#far.ask(() => client.newSession(setupOf(client, start)), "session/new");
    return this.#hold(client, remote);
  }

  async #load(farId: string, start: SessionStart): Promise<Far | undefined> {
    const client = await this.#far.connection.client();
    if (client.info.agentCapabilities?.loadSession !== true) return undefined;
    try {
      const remote = await client.loadSession({ ...setupOf(client, start), sessionId: farId });
      return this.#hold(client, remote);
    } catch (error) {
      if (isSessionNotFound(error)) return undefined;
      return this.#far.ask(() => Promise.reject(error), "session/load");
    }
  }

  #hold(client: AcpClient, remote: AcpSession): Far {
    this.#remotes.set(remote.id, remote);
    void client.closed.then(() => this.#remotes.get(remote.id) === remote && this.#remotes.delete(remote.id));
    return { client, remote };
  }

  #bind(session: AgentSession): void {
    this.#far.sessions.bind(session);
    const far = this.#far.sessions.get(session);
    if (far !== undefined) this.#far.here.set(far.remote, session);
  }

  async #loadSession(sessionId: string, start: SessionStart): Promise<AgentLoadedSession | undefined> {
    const cwd =
      start.cwd === "/" ? ((await this.#list()).find((one) => one.sessionId === sessionId)?.cwd ?? "/") : start.cwd;
    const farId = this.#far.sessions.farId(sessionId);
    if (this.#far.sessions.isHidden(farId)) return undefined;
    const far = await this.#load(farId, { ...start, cwd });
    if (far === undefined) return undefined;
    this.#far.sessions.expect(sessionId, far.remote.id, far);
    const { history } = far.remote;
    for (const event of history) this.#far.notCarried.report("acp", ...lostIn(event));
    return { ...offerOf(far.remote), events: eventsOf(history) };
  }

  async #farOf(session: AgentSession): Promise<Far> {
    const client = await this.#far.connection.client();
    return this.#far.session(session, client, (farId) => this.#load(farId, session));
  }

  async #prompt(turn: AgentTurn): Promise<AgentStopReason> {
    const { client, remote } = await this.#farOf(turn.session);
    const carried = new FarAcpTurn(turn);
    this.#far.turns.set(remote, carried);
    await this.#far.begin(turn);
    turn.onSteer(() => this.#steer(turn, client, remote.id));
    return this.#far.ask(async () => {
      const { prompt, signal, meta } = turn;
      for await (const event of remote.prompt(prompt, { signal, joinTexts: true, ...(meta && { _meta: meta }) })) {
        this.#far.heard(event);
        if (event.type === "stop") return event.stopReason;
        this.#far.notCarried.report("acp", ...lostIn(event));
        await carried.update(event);
      }
      return "end_turn";
    }, "session/prompt");
  }

  /** Prompts again during the turn. An agent that takes one prompt at a time refuses it, and is prompted afterwards. */
  #steer(turn: AgentTurn, client: AcpClient, sessionId: string): void {
    for (const { content, meta } of turn.takeSteers()) {
      const params = { sessionId, prompt: [...content], ...(meta && { _meta: meta }) };
      const asked = client.connection.request("session/prompt", params, { streams: true });
      const otherwise = async (error: unknown): Promise<void> => {
        if (!isRemoteError(error)) throw error;
        this.#far.notCarried.report("acp", "a message for the running turn, which is prompted after it,");
        await turn.session.prompt(content, { meta, whenBusy: "queue" });
      };
      asked.then(() => {}, otherwise).catch((error: unknown) => this.#far.onError(error, "session/prompt"));
    }
  }

  #outside(event: AcpUpdateEvent, remote: AcpSession): void {
    if (event.type === "tool_call" && event.toolCall.status === "waiting") return; // nobody is asked outside of a turn
    this.#far.notCarried.report("acp", ...lostIn(event));
    if (remote === this.#spare?.far.remote) this.#offer(remote);
    const carried = eventOf(event);
    if (carried !== undefined) void this.#far.here.get(remote)?.send(carried);
  }

  async #list(): Promise<SessionSummary[]> {
    const client = await this.#far.connection.client();
    if (client.info.agentCapabilities?.sessionCapabilities?.list === undefined) return [];
    const found = await readPages(
      async (cursor) => {
        const { sessions, nextCursor } = await this.#far.ask(() => client.listSessions({ cursor }), "session/list");
        return { items: sessions, nextCursor };
      },
      ({ sessionId }) => sessionId,
    );
    return found
      .filter(({ sessionId }) => !this.#far.sessions.isRenamed(sessionId) && !this.#far.sessions.isHidden(sessionId))
      .map(({ sessionId, cwd, title, updatedAt }) => {
        return { sessionId, cwd, title, updatedAt: updatedAt === undefined ? undefined : Date.parse(updatedAt) };
      });
  }

  async #delete(sessionId: string): Promise<void> {
    const client = await this.#far.connection.client();
    if (client.info.agentCapabilities?.sessionCapabilities?.delete === undefined) {
      this.#far.sessions.hide(sessionId);
      return this.#far.notCarried.report("acp", "the deletion of a session");
    }
    await this.#far.ask(() => client.deleteSession(this.#far.sessions.farId(sessionId)), "session/delete");
  }
}

function setupOf({ info }: AcpClient, { cwd, mcpServers = [], roots = [], meta }: SessionStart) {
  const takesRoots = info.agentCapabilities?.sessionCapabilities?.additionalDirectories !== undefined;
  return {
    cwd,
    mcpServers: [...mcpServers],
    ...(takesRoots && roots.length > 0 ? { additionalDirectories: roots } : {}),
    ...(meta && { _meta: meta }),
  };
}

function offerOf({ modes, configOptions, state }: AcpSession) {
  return { modes, configOptions, commands: state.commands, title: state.title };
}
