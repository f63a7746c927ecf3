import {
  type Acp,
  type AcpParams,
  type AcpResult,
  type AcpTraits,
  type AgentCapabilities,
  type AuthMethod,
  type ClientCapabilities,
  type ContentBlock,
  type Meta,
  protocolVersion,
  type SessionConfigOption,
  unsupportedMode,
} from "@editwire/acp-schema";
import { type HandlerContext, type Handlers, RemoteError } from "@editwire/core";
import type { AcpAgent } from "./api.js";
import { booleanOptions } from "./client.js";
import { withConfigValue } from "./settings.js";
import { AgentOpenings, type OpeningParts } from "./openings.js";
import { PendingLoads } from "./pending-loads.js";
import { AgentPrompts } from "./prompts.js";
import { type AcpRequestContext, requestContext } from "./request.js";
import type { AgentSession } from "./session.js";
import type { AcpTurnHandler } from "./turn.js";
import { type AcpAnswer, answerOf } from "../shared/confirmation.js";
import { capabilityOf, isDeclared } from "../shared/capabilities.js";
import { signInKind } from "../shared/sign-in.js";
import type { BaselineHandlers } from "../v2/agent-driver.js";

/** The parts of one connection that its methods use. */
export interface AgentParts extends OpeningParts {
  readonly cancelGraceMs: number;
  readonly maxQueuedPrompts: number;
}

/** Answers the client's methods by the agent's handlers, for one connection. */
export class AgentMethods {
  /** The capabilities that the client declared; none before `initialize`. */
  clientCapabilities: ClientCapabilities = {};
  /** For `connect`. */
  readonly handlers: Handlers<Acp, "agent">;
  /** The handlers that every agent has in version 2, whatever it declares in version 1. */
  readonly baseline: BaselineHandlers = {
    "session/list": (params, request) => this.openings.list(params, this.#context(params, request)),
    "session/load": (params, request) => this.#open("session/load", params, request),
    "session/resume": (params, request) => this.#resume(params, request),
    "session/close": (params, request) => this.openings.close(params, this.#context(params, request)),
    logout: (params, request) => this.#logout(params, request),
  };
  readonly parts: AgentParts;
  readonly openings: AgentOpenings;
  readonly #prompts: AgentPrompts;
  readonly #loads = new PendingLoads();
  #initialized = false;
  /** The client's first `initialize`, unless it was refused. */
  #welcome: Promise<void | AcpAnswer> | undefined;

  constructor(parts: AgentParts) {
    const { agent, cancelGraceMs, maxQueuedPrompts, onError } = parts;
    this.parts = parts;
    this.openings = new AgentOpenings(parts);
    this.#prompts = new AgentPrompts({
      handler: typeof agent.prompt === "function" ? (turn) => (agent.prompt as AcpTurnHandler)(turn) : agent.prompt,
      whenBusy: agent.whenBusy ?? "reject",
      maxQueuedPrompts,
      cancelGraceMs,
      onError,
    });
    this.handlers = this.#handlersOf(parts);
  }

  #handlersOf({ agent }: AgentParts): Handlers<Acp, "agent"> {
    const declared = capabilitiesOf(agent);
    const declares = (path: string): boolean => isDeclared(declared, path);
    const { baseline } = this;
    const lists = agent.listSessions !== undefined || agent.sessions !== undefined;
    const openings = this.openings;
    return {
      initialize: (params) => this.#initialize(params),
      authenticate: (params, context) => this.#authenticate(params, context),
      "session/new": (params, context) => this.#newSession(params, context),
      "session/load": baseline["session/load"],
      "session/resume": declares("sessionCapabilities.resume") ? baseline["session/resume"] : undefined,
      "session/close": declares("sessionCapabilities.close") ? baseline["session/close"] : undefined,
      "session/delete": declares("sessionCapabilities.delete")
        ? (params, request) => openings.delete(params, this.#context(params, request))
        : undefined,
      "session/set_config_option": (params, context) => this.#setConfigOption(params, context),
      logout: declares("auth.logout") ? baseline.logout : undefined,
      "session/list": lists ? baseline["session/list"] : undefined,
      "session/prompt": (params, context) => this.#prompt(params, context),
      "session/cancel": ({ sessionId }) => {
        const session = this.#loads.cancel(sessionId) ? undefined : openings.find(sessionId);
        if (session !== undefined) AgentPrompts.cancel(session);
      },
      "session/set_mode": (params, context) => this.#setMode(params, context),
    };
  }

  async #initialize(params: AcpParams<"initialize">): Promise<AcpResult<"initialize">> {
    const { agent } = this.parts;
    const answered = await (this.#welcome ??= this.#meet(params));
    this.#initialized = true;
    this.clientCapabilities = params.clientCapabilities ?? {};
    return {
      protocolVersion,
      agentInfo: agent.info,
      agentCapabilities: stated(inDialect(capabilitiesOf(agent), this.parts.traits())),
      authMethods: this.#authMethods,
      ...answerOf(answered),
    };
  }

  async #meet(params: AcpParams<"initialize">): Promise<void | AcpAnswer> {
    const { agent, client } = this.parts;
    try {
      return await agent.initialize?.(params, { caller: client.caller });
    } catch (error) {
      this.#welcome = undefined; // it may try again
      throw error;
    }
  }

  #context(params: { _meta?: Meta | undefined }, request: HandlerContext): AcpRequestContext {
    return requestContext(this.parts.client, params, request);
  }

  /** The ways to sign in that the client can offer. */
  get #authMethods(): AuthMethod[] {
    const hasTerminal = isDeclared(this.clientCapabilities, "auth.terminal");
    const { authMethods = [] } = this.parts.agent;
    return authMethods.filter((method) => hasTerminal || signInKind(method) !== "terminal");
  }

  async #authenticate(
    { methodId, ...params }: AcpParams<"authenticate">,
    request: HandlerContext,
  ): Promise<AcpResult<"authenticate">> {
    const { agent } = this.parts;
    if (!this.#initialized) await this.#welcomed();
    const method = this.#authMethods.find(({ id }) => id === methodId);
    const isOffered = method === undefined ? agent.authMethods === undefined : signInKind(method) !== "terminal";
    if (!isOffered) throw RemoteError.invalidParams("the agent does not offer this way to sign in", { methodId });
    return answerOf(await agent.authenticate?.(methodId, this.#context(params, request)));
  }

  /** The connection is closed. */
  async disconnected(): Promise<void> {
    const { agent, client } = this.parts;
    if (this.#initialized) await agent.disconnected?.({ caller: client.caller });
  }

  async #newSession(params: AcpParams<"session/new">, request: HandlerContext): Promise<AcpResult<"session/new">> {
    if (!this.#initialized) await this.#checkWelcomed("session/new");
    const session = await this.openings.make(params, this.#context(params, request));
    request.afterReply(() => session.release());
    return { sessionId: session.id, ...this.opened(session) };
  }

  async #open(
    method: string,
    params: AcpParams<"session/load">,
    request: HandlerContext,
    replays = true,
  ): Promise<AcpResult<"session/load">> {
    if (!this.#initialized) await this.#checkWelcomed(method);
    return this.#loads.run(params.sessionId, async () =>
      this.opened(await this.openings.open(method, params, this.#context(params, request), { replays })),
    );
  }

  #resume(
    { mcpServers = [], ...others }: AcpParams<"session/resume">,
    request: HandlerContext,
  ): Promise<AcpResult<"session/resume">> {
    return this.#open("session/resume", { ...others, mcpServers }, request, false);
  }

  /** The result of a request that opens a session. */
  opened(session: AgentSession): AcpResult<"session/load"> {
    const { modes, configOptions, answerMeta: _meta } = session;
    session.answerMeta = undefined;
    const shown = configOptions.length === 0 ? {} : { configOptions: this.#shown(configOptions) };
    return { modes, ...shown, ...answerOf({ _meta }) };
  }

  /** The options that the client shows. */
  #shown(options: readonly SessionConfigOption[]): SessionConfigOption[] {
    const showsAll = this.parts.client.demands.declares(booleanOptions);
    return options.filter(({ type }) => showsAll || type !== "boolean");
  }

  async #logout(params: AcpParams<"logout">, request: HandlerContext): Promise<AcpResult<"logout">> {
    return answerOf(await this.parts.agent.logout?.(this.#context(params, request)));
  }

  async #setConfigOption(
    params: AcpParams<"session/set_config_option">,
    request: HandlerContext,
  ): Promise<AcpResult<"session/set_config_option">> {
    const session = this.openings.use(params.sessionId);
    const changed = withConfigValue(session.configOptions, params.configId, params.value);
    const { configId, value } = params;
    const context = this.#context(params, request);
    const answer = await this.parts.agent.setConfigOption?.(session, configId, value, context);
    const isList = (given: typeof answer): given is readonly SessionConfigOption[] => Array.isArray(given);
    session.configOptions = (isList(answer) ? answer : answer?.configOptions) ?? changed;
    session.saveSettings();
    await session.settled();
    return { configOptions: this.#shown(session.configOptions), ...answerOf(answer) };
  }

  async #prompt(params: AcpParams<"session/prompt">, { signal }: HandlerContext): Promise<AcpResult<"session/prompt">> {
    const { sessionId } = params;
    for (const block of params.prompt) this.#checkBlock(block);
    // Without a load there is no await here: a cancel may follow at once.
    const isCancelled = this.#loads.has(sessionId) && (await this.#loads.wait(sessionId));
    return this.#prompts.prompt(this.openings.use(sessionId), params, isCancelled ? AbortSignal.abort() : signal);
  }

  #checkBlock(block: ContentBlock): void {
    const capability = capabilityOf(block);
    if (capability === undefined || isDeclared(capabilitiesOf(this.parts.agent), capability)) return;
    const message = `session/prompt: the agent does not declare the capability ${capability}`;
    throw RemoteError.invalidParams(message, { capability });
  }

  async #setMode(
    { sessionId, modeId, ...params }: AcpParams<"session/set_mode">,
    request: HandlerContext,
  ): Promise<AcpResult<"session/set_mode">> {
    const session = this.openings.use(sessionId);
    if (session.modes?.availableModes.some(({ id }) => id === modeId) !== true) throw unsupportedMode(modeId);
    const answered = await this.parts.agent.setMode?.(session, modeId, this.#context(params, request));
    session.modes = { ...session.modes, currentModeId: modeId };
    await session.update({ sessionUpdate: "current_mode_update", currentModeId: modeId });
    return answerOf(answered);
  }

  /** Waits for an `initialize` that is being handled: the agent may refuse the client. */
  async #welcomed(): Promise<void> {
    await this.#welcome?.catch(() => {});
  }

  async #checkWelcomed(method: string): Promise<void> {
    await this.#welcomed();
    if (this.#initialized) return;
    const { strict, onDiagnostic } = this.parts;
    if (strict) throw RemoteError.invalidRequest(`${method}: initialize comes first`);
    onDiagnostic({ id: "not-initialized", method, message: "The client did not send initialize first" });
  }
}

/** With the capabilities that the specification lists (5.1) and the agent lacks: false is what both dialects take. */
function stated({ loadSession = false, promptCapabilities, ...others }: AgentCapabilities): AgentCapabilities {
  const none = { audio: false, image: false, embeddedContext: false };
  return { loadSession, promptCapabilities: { ...none, ...promptCapabilities }, ...others };
}

/** The capabilities that the dialect allows. */
function inDialect(declared: AgentCapabilities, { remoteMcpServers }: AcpTraits): AgentCapabilities {
  if (remoteMcpServers || declared.mcpCapabilities === undefined) return declared;
  return { ...declared, mcpCapabilities: { ...declared.mcpCapabilities, http: false, sse: false } };
}

/** The capabilities that the agent declares, and those that its handlers and its store imply. */
function capabilitiesOf(agent: AcpAgent): AgentCapabilities {
  const { capabilities = {}, sessions, loadSession, listSessions, closeSession, deleteSession, logout } = agent;
  const shown = {
    ...(sessions && { list: {}, resume: {}, close: {}, delete: {} }),
    ...(listSessions && { list: {} }),
    ...(closeSession && { close: {} }),
    ...(deleteSession && { delete: {} }),
  };
  const { sessionCapabilities } = capabilities;
  return {
    ...(loadSession === undefined && sessions === undefined ? {} : { loadSession: true }),
    ...(logout === undefined ? {} : { auth: { logout: {} } }),
    ...capabilities,
    ...(Object.keys(shown).length === 0 ? {} : { sessionCapabilities: { ...shown, ...sessionCapabilities } }),
  };
}
