import type { Eca, EcaParams, EcaResult, EcaTraits } from "@editwire/eca-schema";
import {
  type Connection,
  type HandlerContext,
  type Handlers,
  isWireError,
  type NotificationName,
  type ParamsOf,
  RemoteError,
  WireError,
} from "@editwire/core";
import { startTimer } from "@editwire/core/timers";
import type { Listeners } from "@editwire/session";
import { ServerChoices } from "./choices.js";
import { withoutGiven } from "./contexts.js";
import { configUpdated, type EcaServerInfo, initializeResult } from "./info.js";
import { ServerLifecycle } from "./lifecycle.js";
import { type Notify, sessionMethods } from "./session-methods.js";
import { ServerSessions } from "./sessions.js";
import type { ServerSession } from "./session.js";
import { type EcaTurnHandler, ServerTurn } from "./turn.js";
import type { EcaServer, EcaServerConnection, EcaServerMethods, EcaStartedTurn } from "./api.js";

export interface ServerParts extends Listeners {
  readonly server: EcaServer;
  readonly strict: boolean;
  readonly traits: EcaTraits;
  readonly cancelGraceMs: number;
  readonly maxSessions: number | undefined;
  readonly connection: () => Connection<Eca, "server">;
  /** The connection as the server's handlers see it. */
  readonly self: () => EcaServerConnection;
}

/** Answers the client's methods by the server's handlers, for one connection. */
export class ServerMethods {
  /** For `connect`. */
  readonly handlers: Handlers<Eca, "server">;
  readonly lifecycle = new ServerLifecycle(() => this.#ready());
  /** The client's params of `initialize`. */
  readonly client: Promise<EcaParams<"initialize">>;
  readonly #parts: ServerParts;
  readonly #sessions: ServerSessions;
  readonly #choices: ServerChoices;
  /** The tools that the user approved for the connection. */
  readonly #approved = new Set<string>();
  #introduce = (_params: EcaParams<"initialize">): void => {};
  #shutdownAnswered: Promise<void> = Promise.resolve();
  #releasing: Promise<void> | undefined;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#sessions = new ServerSessions(parts.maxSessions, parts.onDiagnostic);
    this.#choices = new ServerChoices(this.#sessions, (config) => this.post("config/updated", config));
    this.client = new Promise((resolve) => (this.#introduce = resolve));
    const { server } = parts;
    const shared = sessionMethods({ sessions: this.#sessions, server, notify: this.notify });
    this.handlers = {
      ...gated({ ...shared, ...this.#selections(), ...server.methods }, this.lifecycle),
      ...this.#stages(),
      ...this.#turns(),
      ...this.#queries(),
    };
  }

  /** Sends a notification, or keeps it until the client is ready. */
  readonly notify: Notify = (method, params) => {
    if (this.lifecycle.ready) return this.#parts.connection().notify(method, params);
    this.post(method, params);
  };

  /** Sends a notification when the client is ready, and reports its failure. Without the client, it is dropped. */
  readonly post = <N extends NotificationName<Eca, "server">>(method: N, params: ParamsOf<Eca, N>): void =>
    this.lifecycle.whenReady(() => this.#detached(method, () => this.#parts.connection().notify(method, params)));

  /** Cancels the turns, then releases the server, once. */
  release(): Promise<void> {
    return (this.#releasing ??= this.#release());
  }

  async #release(): Promise<void> {
    const { turns } = this.#sessions;
    for (const turn of turns) {
      turn.cancel(new WireError("closed", "the client closed the connection"));
      this.#start(turn); // its prompt may never be answered
    }
    await Promise.all(turns.map(({ ended }) => ended));
    await this.#parts.server.shutdown?.();
  }

  #stages(): Pick<Handlers<Eca, "server">, "initialize" | "initialized" | "shutdown" | "exit"> {
    return {
      initialize: (params, context) => this.#initialize(params, context),
      initialized: () => this.lifecycle.initialized(),
      shutdown: async (_params, { afterReply }) => {
        this.lifecycle.admit("shutdown");
        this.lifecycle.shutdown();
        this.#shutdownAnswered = new Promise((resolve) => afterReply(resolve));
        await this.release();
        return null;
      },
      exit: () => {
        const close = (): void => void this.#parts.connection().close();
        // Some clients do not wait for the answer to shutdown, and a server that hangs does not give one.
        startTimer(this.#parts.cancelGraceMs, close);
        void this.#shutdownAnswered.then(close);
      },
    };
  }

  async #initialize(params: EcaParams<"initialize">, { afterReply }: HandlerContext): Promise<EcaResult<"initialize">> {
    this.lifecycle.initialize();
    try {
      this.#choices.offer((await this.#parts.server.initialize?.(params)) ?? {}, params);
    } catch (error) {
      this.lifecycle.refused();
      throw error;
    }
    afterReply(() => this.lifecycle.answered());
    this.#introduce(params);
    return initializeResult(this.#choices.info);
  }

  #ready(): void {
    const { server, self } = this.#parts;
    const task = { taskId: "start", title: "Starting" };
    this.post("config/updated", configUpdated(this.#choices.info));
    this.post("$/progress", { ...task, type: "start" }); // some clients hold prompts back until a task has finished
    this.#detached("initialized", async () => {
      try {
        await server.initialized?.(self());
      } finally {
        this.post("$/progress", { ...task, type: "finish" });
      }
    });
  }

  #turns() {
    const { lifecycle } = this;
    return {
      "chat/prompt": (params, context) => this.#prompt(params, context),
      "chat/toolCallApprove": (params) => {
        if (lifecycle.admits()) return this.#approve(params);
      },
      "chat/toolCallReject": (params) => {
        if (lifecycle.admits()) return this.#reject(params);
      },
      "chat/promptStop": ({ chatId }) => {
        if (lifecycle.admits()) this.#sessions.turn(chatId)?.cancel();
      },
      "chat/delete": async ({ chatId = "" }) => {
        lifecycle.admit("chat/delete");
        const session = this.#sessions.get(chatId) ?? (await this.#listed(chatId));
        if (session === undefined) return {};
        session.deleted = true;
        session.turn?.cancel();
        await session.turn?.ended;
        this.#sessions.delete(session);
        await this.#parts.server.deleteSession?.(session);
        if (this.#parts.traits.reportsChats) this.post("chat/deleted", { chatId });
        return {};
      },
    } satisfies Partial<Handlers<Eca, "server">>;
  }

  /** A session that this connection has not opened, and that the server lists. */
  async #listed(id: string): Promise<ServerSession | undefined> {
    const { server } = this.#parts;
    if (server.deleteSession === undefined) return undefined;
    const listed = await server.listSessions?.({});
    return listed?.some((session) => session.id === id) === true ? this.#sessions.ensure(id, false) : undefined;
  }

  /** Takes what the server offers from now on, and tells the client. */
  offer(info: EcaServerInfo): void {
    const params = { capabilities: {}, workspaceFolders: [] };
    this.post("config/updated", configUpdated(this.#choices.offer(info, params)));
  }

  /** Selects a model and a behavior for one session, and tells the client. */
  select(sessionId: string, { model, behavior }: { model?: string | undefined; behavior?: string | undefined }): void {
    if (model !== undefined) this.#choices.selectModel(sessionId, model);
    if (behavior !== undefined) this.#choices.selectBehavior(sessionId, behavior);
  }

  /** Runs a turn that the client did not prompt. */
  startTurn({ sessionId, promptText = "", handler }: EcaStartedTurn): void {
    if (!this.lifecycle.ready) throw new WireError("closed", "startTurn: the client is not ready");
    const turn = this.#begin(this.#sessions.open(sessionId), { chatId: sessionId, message: promptText });
    this.#start(turn, handler);
  }

  /** The running turn of a session. */
  runningTurn(sessionId: string): ServerTurn | undefined {
    return this.#sessions.get(sessionId)?.turn;
  }

  #prompt(params: EcaParams<"chat/prompt">, { afterReply }: HandlerContext): EcaResult<"chat/prompt"> {
    this.#admitPrompt(params);
    const turn = this.#begin(this.#sessions.open(params.chatId), params);
    afterReply(() => this.#start(turn));
    return { chatId: turn.session.id, model: turn.model ?? "", status: "success" };
  }

  #begin(session: ServerSession, params: EcaParams<"chat/prompt">): ServerTurn {
    const { connection, traits } = this.#parts;
    if (traits.reportsChats && !session.opened) this.post("chat/opened", { chatId: session.id });
    session.opened = true;
    const turn = new ServerTurn({
      session,
      promptText: params.message,
      contexts: params.contexts ?? [],
      ...this.#choices.forTurn(session, params),
      requestId: params.requestId,
      traits,
      send: (content) => connection().notify("chat/contentReceived", content),
      status: (status) => traits.reportsChats && this.post("chat/statusChanged", { chatId: session.id, status }),
      ask: (question, options) => connection().request("chat/askQuestion", question, options),
      trusts: (from, tool) => params.trust === true || session.trust || this.#approved.has(toolKey(from, tool)),
    });
    session.turn = turn;
    session.model = turn.model;
    turn.echo();
    return turn;
  }

  #admitPrompt(params: EcaParams<"chat/prompt">): void {
    const { strict, onDiagnostic } = this.#parts;
    const method = "chat/prompt";
    this.lifecycle.admit(method);
    if (!this.lifecycle.ready) {
      if (strict) throw RemoteError.invalidRequest(`${method}: initialized comes first`);
      onDiagnostic({ id: "not-initialized", method, message: "The client did not send initialized first" });
      this.lifecycle.initialized(); // a client that prompts is ready for what follows
    }
    const behavior = this.#choices.unknownBehavior(params);
    if (behavior === undefined) return;
    const expected = this.#choices.info.behaviors.join(", ");
    const message = `${method}: params.behavior: expected one of ${expected}, received "${behavior}"`;
    if (strict) throw RemoteError.invalidParams(message, { behavior });
    onDiagnostic({ id: "unknown-behavior", method, message });
  }

  #start(turn: ServerTurn, handler: EcaTurnHandler = (running) => this.#parts.server.prompt(running)): void {
    if (turn.started) return;
    const { cancelGraceMs, onError } = this.#parts;
    const report = (error: unknown): void => onError(error, "chat/prompt");
    this.#detached("chat/prompt", () => turn.run(handler, cancelGraceMs, report));
  }

  #approve({ chatId, toolCallId, save }: EcaParams<"chat/toolCallApprove">): void | Promise<void> {
    const call = this.#sessions.toolCall(chatId, toolCallId);
    if (call === undefined) return this.#unknownCall("chat/toolCallApprove", toolCallId);
    if (save === "session") this.#approved.add(toolKey(call.server, call.name));
    return call.allow();
  }

  #reject({ chatId, toolCallId }: EcaParams<"chat/toolCallReject">): void | Promise<void> {
    const call = this.#sessions.toolCall(chatId, toolCallId);
    return call === undefined ? this.#unknownCall("chat/toolCallReject", toolCallId) : call.reject("user");
  }

  #unknownCall(method: string, id: string): void {
    this.#parts.onDiagnostic({ id: "unknown-tool-call", method, message: `No tool call ${id} waits for the user` });
  }

  #queries() {
    const { lifecycle } = this;
    const { server } = this.#parts;
    return {
      async "chat/queryContext"(params: EcaParams<"chat/queryContext">): Promise<EcaResult<"chat/queryContext">> {
        lifecycle.admit("chat/queryContext");
        const contexts = withoutGiven((await server.queryContext?.(params)) ?? [], params.contexts);
        return params.chatId === undefined ? { contexts } : { chatId: params.chatId, contexts };
      },
      async "chat/queryCommands"(params: EcaParams<"chat/queryCommands">): Promise<EcaResult<"chat/queryCommands">> {
        lifecycle.admit("chat/queryCommands");
        const commands = [...((await server.queryCommands?.(params)) ?? [])];
        return params.chatId === undefined ? { commands } : { chatId: params.chatId, commands };
      },
      "mcp/startServer": ({ name }) => {
        if (lifecycle.admits()) this.#detached("mcp/startServer", () => server.startMcpServer?.(name));
      },
      "mcp/stopServer": ({ name }) => {
        if (lifecycle.admits()) this.#detached("mcp/stopServer", () => server.stopMcpServer?.(name));
      },
    } satisfies Partial<Handlers<Eca, "server">>;
  }

  #selections(): EcaServerMethods {
    return {
      "chat/selectedModelChanged": ({ chatId, model }) => this.#choices.selectModel(chatId, model),
      "chat/selectedAgentChanged": ({ chatId, agent }) => this.#choices.selectBehavior(chatId, agent),
      "chat/selectedBehaviorChanged": ({ behavior }) => this.#choices.selectBehavior(undefined, behavior),
    };
  }

  /** Runs an action that nobody waits for. Without the client, its failure to send is not an error. */
  #detached(method: string, action: () => void | Promise<void>): void {
    (async () => action())().catch((error: unknown) => {
      if (!isWireError(error, "closed")) this.#parts.onError(error, method);
    });
  }
}

const toolKey = (server: string, tool: string): string => JSON.stringify([server, tool]);

/** Handlers that are not called before `initialize` or after `shutdown`. */
function gated(methods: EcaServerMethods, lifecycle: ServerLifecycle): EcaServerMethods {
  const entries = Object.entries(
    methods as Record<string, ((params: never, context: { id: unknown }) => unknown) | undefined>,
  );
  const wrapped = entries.map(([method, handle]) => [
    method,
    handle &&
      ((params: never, context: { id: unknown }) => {
        if (context.id !== undefined) lifecycle.admit(method);
        else if (!lifecycle.admits()) return undefined;
        return handle(params, context);
      }),
  ]);
  return Object.fromEntries(wrapped) as EcaServerMethods;
}
