import {
  type ChatQueryCommandsParams,
  type ChatQueryContextParams,
  type ChatCommand,
  type ChatContext,
  type ChatRollbackParams,
  type ChatToolCallApproveParams,
  eca,
  type EcaProfile,
  ecaProfiles,
  type Eca,
  type InitializeParams,
  type MessageType,
  type ToolServerUpdatedParams,
} from "@editwire/eca-schema";
import {
  connect,
  type Connection,
  type Diagnostic,
  type Handlers,
  isWireError,
  type NotificationName,
  type ParamsOf,
  RemoteError,
} from "@editwire/core";
import type { Transport } from "@editwire/transport";
import { ServerTurn, type EcaTurnHandler } from "./server-turn.js";
import type { EcaServerSession } from "./server-session.js";
import { chatMethods } from "./server-session-methods.js";
import { ServerSessions } from "./server-sessions.js";
import { withoutGiven } from "./server-contexts.js";
import {
  chosen,
  configUpdated,
  type EcaServerInfo,
  initializeResult,
  settle,
  type SettledInfo,
} from "./server-info.js";
import { withNumericIds } from "./server-ids.js";
import { ServerLifecycle } from "./server-lifecycle.js";
import { ecaPeer } from "./wire.js";

type Kept =
  | "initialize"
  | "initialized"
  | "shutdown"
  | "exit"
  | "chat/prompt"
  | "chat/toolCallApprove"
  | "chat/toolCallReject"
  | "chat/promptStop"
  | "chat/delete"
  | "chat/queryContext"
  | "chat/queryCommands"
  | "mcp/startServer"
  | "mcp/stopServer";

/**
 * Handlers of the methods that have no other place, such as `workspace/didChangeWorkspaceFolders` or `completion/inline`. They also
 * take the place of what is done here with the chats of this connection, as for a server that stores its chats.
 */
export type EcaServerMethods = Partial<Omit<Handlers<Eca, "server">, Kept>>;

/** A server: only `prompt` is required. */
export interface EcaServer {
  /** Hears what the client said of itself, and says what the server offers; throwing refuses the client. */
  initialize?(params: InitializeParams): EcaServerInfo | void | Promise<EcaServerInfo | void>;
  /** The client is ready: announces the tools with `toolServerUpdated`, and starts what takes time. */
  initialized?(server: EcaServerConnection): void | Promise<void>;
  /** Runs one turn. The client knows the chat by then, and sees the end of the turn however this ends. */
  prompt: EcaTurnHandler;
  /** Finds contexts; those that the client has already are left out of what is returned. Default: none. */
  queryContext?(params: ChatQueryContextParams): readonly ChatContext[] | Promise<readonly ChatContext[]>;
  /** Finds commands. Default: none. */
  queryCommands?(params: ChatQueryCommandsParams): readonly ChatCommand[] | Promise<readonly ChatCommand[]>;
  /** Hears that a chat is gone; its turn has ended by then. */
  deleteSession?(chat: EcaServerSession): void | Promise<void>;
  /** Forgets what was said in a chat, which stays. Without it, `chat/clear` is answered -32601. */
  clearSession?(chat: EcaServerSession): void | Promise<void>;
  /**
   * Forgets what was said from a prompt on, where `include` has `messages`; undoes what tools changed since where it has `tools`.
   * `prompts` are the `contentId`s of that prompt and of those after it; one that was stopped at once never reached `prompt`. The turn
   * has ended by then. Throw a `RemoteError` for what cannot be undone. Without it, `chat/rollback` is answered -32601.
   */
  rollbackSession?(
    chat: EcaServerSession,
    prompts: readonly string[],
    include: ChatRollbackParams["include"],
  ): void | Promise<void>;
  /**
   * Lets a new chat remember what was said up to a prompt and with it: `prompts` are the `contentId`s of those that it keeps. Without
   * it, `chat/fork` is answered -32601.
   */
  forkSession?(chat: EcaServerSession, fork: EcaServerSession, prompts: readonly string[]): void | Promise<void>;
  /** Starts an MCP server; a name that nobody has is to be ignored. */
  startMcpServer?(name: string): void | Promise<void>;
  /** Stops an MCP server; a name that nobody has is to be ignored. */
  stopMcpServer?(name: string): void | Promise<void>;
  /** Lets go of everything: called once, on `shutdown`, or at the end of a connection that had none. */
  shutdown?(): void | Promise<void>;
  /** Further methods, most of them of `v2026`. A request without a handler is answered -32601. */
  methods?: EcaServerMethods | undefined;
}

/** How a server is served. */
export interface EcaServerOptions {
  /** The dialect to write; what comes is read in either. Default `ecaProfiles.spec`, the specification's own, which clients of 2026 read. */
  profile?: EcaProfile | undefined;
  /** Refuse what the deviations table would repair. Default false. */
  strict?: boolean | undefined;
  /** Milliseconds that a stopped turn's handler has to return before the turn ends without it. Default 2,000. */
  cancelGraceMs?: number | undefined;
  /** Chats that are kept. Default 1,000; beyond them, those that nobody used the longest are forgotten. */
  maxSessions?: number | undefined;
  /** Hears every repair and oddity that was tolerated. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Hears, whole, what the client is not told: errors of handlers and unreadable messages. Default: nobody; `serveEcaStdio` writes them to stderr. */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
}

/** A server at work for one client. */
export interface EcaServerConnection {
  /** The typed connection below, for methods without a helper. */
  readonly connection: Connection<Eca, "server">;
  /** What the client said of itself; pending for a client that never does. */
  readonly client: Promise<InitializeParams>;
  /** Sends a notification, as soon as the client is ready for any. Dropped when the connection is over. */
  notify<N extends NotificationName<Eca, "server">>(method: N, params: ParamsOf<Eca, N>): void;
  /** Tells how a server of tools is, and what it has. */
  toolServerUpdated(params: ToolServerUpdatedParams): void;
  /** Shows the user a message. */
  showMessage(type: MessageType, message: string): void;
  /** Closes the connection; running turns are stopped. */
  close(): Promise<void>;
  /** Resolves, never rejects, with the reason once the connection is closed from either end. */
  readonly closed: Promise<Error>;
  /** Resolves, never rejects, once the connection is closed, every turn has ended, and the server has let go. */
  readonly ended: Promise<void>;
  /** What a process that serves nobody else exits with: 0 once the client asked for `shutdown`, else 1 (#exit). */
  readonly exitCode: number;
}

/** Serves code assistance to the client at the other end of a transport. */
export function serveEca(transport: Transport, server: EcaServer, options: EcaServerOptions = {}): EcaServerConnection {
  const {
    profile = ecaProfiles.spec,
    strict = false,
    cancelGraceMs = 2_000,
    maxSessions = 1_000,
    onError = () => {},
    onDiagnostic = () => {},
  } = options;
  const lifecycle = new ServerLifecycle(() => ready());
  const chats = new ServerSessions(maxSessions);
  const approved = new Set<string>();
  let info: SettledInfo = settle({}, { capabilities: {}, workspaceFolders: [] });
  let introduce = (_params: InitializeParams): void => {};
  const client = new Promise<InitializeParams>((resolve) => (introduce = resolve));

  /** Runs what nobody waits for. */
  const detached = (method: string, action: () => void | Promise<void>): void => {
    (async () => action())().catch((error: unknown) => {
      if (!isWireError(error, "closed")) onError(error, method); // what nobody is left to hear is no error
    });
  };

  let answered: Promise<void> = Promise.resolve();
  let releasing: Promise<void> | undefined;
  /** Stops the turns, then lets the server let go, once. */
  const release = (): Promise<void> =>
    (releasing ??= (async () => {
      const { turns } = chats;
      for (const turn of turns) {
        turn.stop("userPromptStop");
        startTurn(turn); // its prompt may never be answered
      }
      await Promise.all(turns.map(({ ended }) => ended));
      await server.shutdown?.();
    })());

  const startTurn = (turn: ServerTurn): void => {
    if (turn.started) return;
    detached("chat/prompt", () =>
      turn.run(
        (running) => server.prompt(running),
        cancelGraceMs,
        (error) => onError(error, "chat/prompt"),
      ),
    );
  };
  const approve = ({ chatId, toolCallId, save }: ChatToolCallApproveParams): void => {
    const call = chats.toolCall(chatId, toolCallId);
    if (call === undefined) return unknownCall("chat/toolCallApprove", toolCallId);
    if (save === "session") approved.add(toolKey(call.server, call.name));
    call.allow();
  };
  const ready = (): void => {
    const task = { taskId: "start", title: "Starting" };
    notify("config/updated", configUpdated(info));
    notify("$/progress", { ...task, type: "start" }); // some clients hold prompts back until a task has finished
    detached("initialized", async () => {
      try {
        await server.initialized?.(self);
      } finally {
        notify("$/progress", { ...task, type: "finish" });
      }
    });
  };
  const unknownCall = (method: string, id: string): void =>
    onDiagnostic({ id: "unknown-tool-call", method, message: `No tool call ${id} waits for the user` });

  const unknownBehavior = (behavior: string): void => {
    const message = `chat/prompt: params.behavior: expected one of ${info.behaviors.join(", ")}, received "${behavior}"`;
    if (strict) throw RemoteError.invalidParams(message, { behavior });
    onDiagnostic({ id: "unknown-behavior", method: "chat/prompt", message });
  };

  /** What the user chose goes for the prompts that do not say; without a chat, for all. */
  const select = (chatId: string | undefined, choice: { model?: string; behavior?: string }): void => {
    if (chatId === undefined) info = { ...info, ...choice };
    else Object.assign(chats.ensure(chatId, false).choice, choice);
    const { model: selectModel, behavior: selectAgent } = choice;
    const chat = selectModel === undefined ? { selectAgent } : { selectModel, variants: [], selectVariant: null };
    notify("config/updated", { ...(chatId === undefined ? {} : { chatId }), chat });
  };
  const selectBehavior = (chatId: string | undefined, wanted: string): void => {
    const behavior = chosen(wanted, info.behaviors, undefined);
    if (behavior !== undefined) select(chatId, { behavior });
  };
  const selections: EcaServerMethods = {
    "chat/selectedModelChanged"({ chatId, model }) {
      if (info.models.includes(model)) select(chatId, { model });
    },
    "chat/selectedAgentChanged": ({ chatId, agent }) => selectBehavior(chatId, agent),
    "chat/selectedBehaviorChanged": ({ behavior }) => selectBehavior(undefined, behavior),
  };

  const handlers: Handlers<Eca, "server"> = {
    ...gated(
      {
        ...chatMethods({ chats, server, notify: (method, params) => connection.notify(method, params) }),
        ...selections,
        ...server.methods,
      },
      lifecycle,
    ),
    async initialize(params, { afterReply }) {
      lifecycle.initialize();
      try {
        info = settle((await server.initialize?.(params)) ?? {}, params);
      } catch (error) {
        lifecycle.refused();
        throw error;
      }
      afterReply(() => lifecycle.answered());
      introduce(params);
      return initializeResult(info);
    },
    initialized: () => lifecycle.initialized(),
    async shutdown(_params, { afterReply }) {
      lifecycle.admit("shutdown");
      lifecycle.shutdown();
      answered = new Promise((resolve) => afterReply(resolve));
      await release();
      return null;
    },
    exit() {
      // Some clients do not wait for the answer to shutdown, and for that of a server that hangs nobody does.
      setTimeout(() => void connection.close(), cancelGraceMs).unref?.();
      void answered.then(() => connection.close());
    },
    "chat/prompt"(params, { afterReply }) {
      lifecycle.admit("chat/prompt");
      if (!lifecycle.ready)
        onDiagnostic({
          id: "not-initialized",
          method: "chat/prompt",
          message: "The client did not send initialized first",
        });
      const asked = params.behavior ?? params.agent;
      const known = asked === undefined || chosen(asked, info.behaviors, undefined) !== undefined;
      if (!known) unknownBehavior(asked);
      const chat = chats.open(params.chatId);
      const { choice } = chat;
      const model = chosen(params.model ?? choice.model, info.models, info.model);
      const turn = new ServerTurn({
        chat,
        message: params.message,
        contexts: params.contexts ?? [],
        model: info.models.length === 0 ? params.model : model,
        behavior: chosen(params.behavior ?? params.agent ?? choice.behavior, info.behaviors, info.behavior),
        requestId: params.requestId,
        send: (content) => connection.notify("chat/contentReceived", content),
        ask: (question, signal) => connection.request("chat/askQuestion", question, { signal }),
        trusts: (from, tool) => params.trust === true || chat.trust || approved.has(toolKey(from, tool)),
      });
      chat.turn = turn;
      chat.model = turn.model;
      turn.echo();
      afterReply(() => startTurn(turn));
      return { chatId: chat.id, ...(turn.model === undefined ? {} : { model: turn.model }), status: "success" };
    },
    "chat/toolCallApprove"(params) {
      if (lifecycle.admits()) approve(params);
    },
    "chat/toolCallReject"({ chatId, toolCallId }) {
      if (!lifecycle.admits()) return;
      const call = chats.toolCall(chatId, toolCallId);
      return call === undefined ? unknownCall("chat/toolCallReject", toolCallId) : call.reject("user");
    },
    "chat/promptStop"({ chatId }) {
      if (lifecycle.admits()) chats.turn(chatId)?.stop("userPromptStop");
    },
    async "chat/queryContext"(params) {
      lifecycle.admit("chat/queryContext");
      const contexts = withoutGiven((await server.queryContext?.(params)) ?? [], params.contexts);
      return params.chatId === undefined ? { contexts } : { chatId: params.chatId, contexts };
    },
    async "chat/queryCommands"(params) {
      lifecycle.admit("chat/queryCommands");
      const commands = [...((await server.queryCommands?.(params)) ?? [])];
      return params.chatId === undefined ? { commands } : { chatId: params.chatId, commands };
    },
    async "chat/delete"({ chatId = "" }) {
      lifecycle.admit("chat/delete");
      const chat = chats.get(chatId);
      if (chat === undefined) return {};
      chat.deleted = true;
      chat.turn?.stop("userPromptStop");
      if (chat.turn !== undefined) await chat.turn.ended;
      chats.delete(chat);
      await server.deleteSession?.(chat);
      return {};
    },
    "mcp/startServer"({ name }) {
      if (lifecycle.admits()) detached("mcp/startServer", () => server.startMcpServer?.(name));
    },
    "mcp/stopServer"({ name }) {
      if (lifecycle.admits()) detached("mcp/stopServer", () => server.stopMcpServer?.(name));
    },
  };
  const connection = connect(eca, "server", ecaPeer(transport), handlers, {
    profile: withNumericIds(profile),
    strict,
    onDiagnostic,
    onError,
  });

  const notify: EcaServerConnection["notify"] = (method, params) => {
    lifecycle.whenReady(() => detached(method, () => connection.notify(method, params)));
  };
  const ended = connection.closed.then(async () => {
    lifecycle.close();
    await release().catch((error: unknown) => onError(error, "shutdown"));
  });
  const self: EcaServerConnection = {
    connection,
    client,
    notify,
    toolServerUpdated: (params) => notify("tool/serverUpdated", params),
    showMessage: (type, message) => notify("$/showMessage", { type, message }),
    close: () => connection.close(),
    closed: connection.closed,
    ended,
    get exitCode() {
      return lifecycle.isShutdown ? 0 : 1;
    },
  };
  return self;
}

const toolKey = (server: string, tool: string): string => JSON.stringify([server, tool]);

/** Handlers of a server's own that hear nothing before `initialize` and after `shutdown`. */
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
