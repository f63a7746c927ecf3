/// <reference lib="esnext.disposable" preserve="true" />
import {
  type ChatContext,
  type ChatListParams,
  type ChatSummary,
  type ClientCapabilities,
  type ClientInfo,
  eca,
  type EcaProfile,
  ecaProfiles,
  type Eca,
  type InitializationOptions,
  type InitializeParams,
  type InitializeResult,
  type WorkspaceFolder,
} from "@editwire/eca-schema";
import { connect, type Connection, type Diagnostic, type Handlers, isWireError, WireError } from "@editwire/core";
import type { Transport } from "@editwire/transport";
import type { UpdateEvent } from "./client-events.js";
import type { PermissionHandler } from "./client-permission.js";
import { ClientSession, type EcaSession } from "./client-session.js";
import { ClientSessions } from "./client-sessions.js";
import { type DiagnosticsHandler, editorMethods, type QuestionHandler } from "./client-editor.js";
import type { ClientLink } from "./client-link.js";
import { OpenedSessions } from "./client-opened.js";
import { type EcaServerState, emptyServer, reduceServer, type ServerAction } from "./client-server-state.js";
import { Store } from "./client-store.js";
import { ecaPeer } from "./wire.js";

type Kept =
  | "chat/contentReceived"
  | "chat/cleared"
  | "chat/deleted"
  | "chat/opened"
  | "config/updated"
  | "tool/serverUpdated"
  | "tool/serverRemoved"
  | "$/showMessage";

/** Handlers of the methods that have no other place, such as `editor/getDefinition` or `jobs/updated`. */
export type EcaClientMethods = Partial<Omit<Handlers<Eca, "client">, Kept>>;

/** How an editor reaches a server. */
export interface EcaClientOptions {
  /** Who is calling, for the server's logs. */
  clientInfo?: ClientInfo | undefined;
  /** The folders that the editor has open; their `uri`s have a scheme. Default none. */
  workspaceFolders?: readonly WorkspaceFolder[] | undefined;
  /** The process that the server should not outlive (#initialize); null for none. Default null. */
  processId?: number | null | undefined;
  /** What the user configured for the start, such as `chatBehavior`. */
  initializationOptions?: InitializationOptions | undefined;
  /** What this client can do. Default: `chat`, and what there are handlers for. */
  capabilities?: ClientCapabilities | undefined;
  /** Decides about tool calls that wait for the user. Default: they wait for the chat's `approve` or `reject`. */
  permission?: PermissionHandler | undefined;
  /** Answers the server's questions to the user, in `v2026`. Default: the server is told that there is nobody to ask. */
  question?: QuestionHandler | undefined;
  /** Tells the server what is wrong in the files, in `v2026`. Default: the server is told that this cannot be had. */
  diagnostics?: DiagnosticsHandler | undefined;
  /** Hears of a chat that the server has opened by itself, such as by a command of the user. Default: what is said in it is dropped. */
  onSession?: ((chat: EcaSession) => void) | undefined;
  /** Hears what is received for a chat and belongs to no turn. */
  onUpdate?: ((event: UpdateEvent, chat: EcaSession) => void) | undefined;
  /** Shows the user a message of the server (#showmessage). Default: nobody sees it. */
  onMessage?: ((type: "error" | "warning" | "info", message: string) => void) | undefined;
  /** Further methods, most of them of `v2026`. A request without a handler is answered -32601. */
  methods?: EcaClientMethods | undefined;
  /** The dialect to write; what comes is read in either. Default `ecaProfiles.spec`, the specification's own. */
  profile?: EcaProfile | undefined;
  /** Refuse what the deviations table would repair. Default false. */
  strict?: boolean | undefined;
  /** Milliseconds that the server has to answer `initialize`. Default 60,000. */
  initializeTimeoutMs?: number | undefined;
  /** Milliseconds that the server has to answer `shutdown` before the connection is closed without. Default 3,000. */
  shutdownTimeoutMs?: number | undefined;
  /** Milliseconds that the server has to end a stopped turn before it counts as ended. Default 10,000. */
  cancelGraceMs?: number | undefined;
  /** Hears every repair and oddity that was tolerated. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Hears, whole, the errors that neither a call nor the peer is told. */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
}

/** A chat to start, or to go on with. */
export interface EcaSessionOptions {
  /** The id of a chat, an existing one or of this client's making. Default: the server makes it in `spec`, this client in `v2026`. */
  chatId?: string | undefined;
  /** What goes with the prompts. Default: the overview of the workspace. */
  contexts?: readonly ChatContext[] | undefined;
}

/** An initialized server. */
export interface EcaClient {
  /** What the server said of itself in `initialize`. */
  readonly info: InitializeResult;
  /** The servers of tools and what can be configured, kept up to date. */
  readonly state: EcaServerState;
  /** Calls `listener` with every new state; the answer is what stops that. */
  subscribe(listener: (state: EcaServerState) => void): () => void;
  /** Gives a chat to prompt; nothing is sent yet. The chat of an id that this client has already is the same object. */
  newSession(options?: EcaSessionOptions): EcaSession;
  /** The chats that the server has, the last used first (`chat/list`, in `v2026`). */
  listSessions(options?: ChatListParams): Promise<ChatSummary[]>;
  /**
   * Has the server show a chat that it knows, which its state then holds; `undefined` for one that it does not know (`chat/open`, in
   * `v2026`). Throws `WireError("invalid_params")` while this client has a turn in it.
   */
  loadSession(chatId: string): Promise<EcaSession | undefined>;
  /** Tells of folders that the user opened and closed (`workspace/didChangeWorkspaceFolders`, in `v2026`). Throws a `TypeError` for a `uri` that is none. */
  changeWorkspaceFolders(change: {
    added?: readonly WorkspaceFolder[] | undefined;
    removed?: readonly WorkspaceFolder[] | undefined;
  }): Promise<void>;
  /** Starts a stopped MCP server; a name that nobody has is ignored (#start-mcp-server). */
  startMcpServer(name: string): Promise<void>;
  /** Stops an MCP server; a name that nobody has is ignored (#stop-mcp-server). */
  stopMcpServer(name: string): Promise<void>;
  /** The typed connection below, for methods without a helper. */
  readonly connection: Connection<Eca, "client">;
  /** Says `shutdown` and `exit`, and closes the connection; running turns reject with `closed`. */
  close(): Promise<void>;
  /** Resolves, never rejects, with the reason once the connection is closed from either end. */
  readonly closed: Promise<Error>;
  [Symbol.asyncDispose](): Promise<void>;
}

const messageTypes: Readonly<Record<string, "error" | "warning">> = { error: "error", warning: "warning" };

/**
 * Connects to a server and initializes it. Throws a `TypeError` for a folder whose `uri` is none, `WireError` (`closed`, `timeout`,
 * `invalid_result`) or the server's `RemoteError`; the transport is closed then.
 */
export async function connectEca(transport: Transport, options: EcaClientOptions = {}): Promise<EcaClient> {
  const {
    profile = ecaProfiles.spec,
    onSession,
    onUpdate = () => {},
    onMessage = () => {},
    onDiagnostic = () => {},
    onError = () => {},
  } = options;
  const { initializeTimeoutMs = 60_000, shutdownTimeoutMs = 3_000, cancelGraceMs = 10_000 } = options;
  const chats = new ClientSessions(onDiagnostic);
  const methods: EcaClientMethods = { ...editorMethods(options, (id) => chats.get(id)), ...options.methods };
  const params = initializeParams(options, methods);
  const chatNamed = (id: string): ClientSession => {
    const chat = new ClientSession(id, undefined, link);
    chats.add(chat);
    return chat;
  };
  const openedChats = new OpenedSessions(chatNamed, onSession);
  const store = new Store<EcaServerState>(emptyServer, (error) => onError(error, undefined));
  let lastRequest = 0;

  const update = (action: ServerAction): void => store.set(reduceServer(store.state, action));

  const peer = ecaPeer(transport);
  const connection = connect(
    eca,
    "client",
    peer,
    {
      ...methods,
      "chat/contentReceived": (received) => chats.receive(received),
      "chat/cleared": ({ chatId, messages }) =>
        messages === false ? undefined : chats.get(chatId)?.update({ type: "cleared" }),
      "chat/deleted": ({ chatId }) => chats.get(chatId)?.deleted(),
      "chat/opened"({ chatId, title }) {
        const chat = chats.get(chatId) ?? openedChats.add(chatId);
        if (title !== undefined) chat?.update({ type: "titled", title });
      },
      "config/updated": ({ chatId, chat: config = {} }) =>
        chatId === undefined
          ? update({ type: "configured", config })
          : chats.get(chatId)?.update({ type: "configured", config }),
      "tool/serverUpdated": (server) => update({ type: "tool_server", server }),
      "tool/serverRemoved": ({ name }) => update({ type: "tool_server_removed", name }),
      "$/showMessage": ({ type, message }) => onMessage(messageTypes[type] ?? "info", message),
    },
    { profile, strict: options.strict, onDiagnostic, onError },
  );
  void connection.closed.then((reason) => chats.all().forEach((chat) => chat.lost(reason)));

  const link: ClientLink = {
    opened: (method, action) => openedChats.next(method, action),
    request: connection.request,
    notify: connection.notify,
    prompt: (chat, prompt, signal) =>
      chats.ask(chat, () => connection.request("chat/prompt", prompt, { signal, settle: "now", streams: true })),
    newRequestId: () => String(++lastRequest),
    permission: options.permission,
    cancelGraceMs,
    onUpdate,
    onDiagnostic,
    onError,
  };

  const initialize = async (): Promise<InitializeResult> => {
    const result = await connection.request("initialize", params, { timeoutMs: initializeTimeoutMs });
    update({ type: "initialized", info: result });
    await connection.notify("initialized", {});
    return result;
  };
  const info = await initialize().catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= shutDown());
  /** The two messages have no params (#shutdown, #exit). A server that is gone or does not answer is closed all the same. */
  const shutDown = async (): Promise<void> => {
    try {
      await peer.request("shutdown", undefined, { timeoutMs: shutdownTimeoutMs, settle: "now" });
    } catch (error) {
      if (!isWireError(error, "closed")) onError(error, "shutdown");
    }
    try {
      await peer.notify("exit", undefined);
    } catch {
      // The connection is closed already.
    }
    await connection.close();
  };

  return {
    info,
    get state() {
      return store.state;
    },
    subscribe: (listener) => store.subscribe(listener),
    newSession({ chatId, contexts } = {}) {
      const known = chatId === undefined ? undefined : chats.get(chatId);
      if (known !== undefined) return known;
      const chat = new ClientSession(
        chatId ?? (profile.traits.clientNamesChats ? crypto.randomUUID() : undefined),
        contexts,
        link,
      );
      chats.add(chat);
      return chat;
    },
    listSessions: async (listed = {}) => (await connection.request("chat/list", listed)).chats,
    async loadSession(chatId) {
      const known = chats.get(chatId);
      if (known?.state.running === true)
        throw new WireError("invalid_params", `chat/open: the chat ${chatId} has a running turn`);
      const chat = known ?? chatNamed(chatId);
      const { found, title } = await chat
        .replay(() => connection.request("chat/open", { chatId }))
        .catch((error: unknown) => {
          if (known === undefined) chats.delete(chatId);
          throw error;
        });
      if (!found && known === undefined) chats.delete(chatId);
      if (title !== undefined) chat.update({ type: "titled", title });
      return found ? chat : undefined;
    },
    async changeWorkspaceFolders({ added = [], removed = [] }) {
      checkFolders(added);
      await connection.notify("workspace/didChangeWorkspaceFolders", {
        event: { added: [...added], removed: [...removed] },
      });
    },
    startMcpServer: async (name) => connection.notify("mcp/startServer", { name }),
    stopMcpServer: async (name) => connection.notify("mcp/stopServer", { name }),
    connection,
    close,
    closed: connection.closed,
    [Symbol.asyncDispose]: close,
  };
}

/** What the client opens the connection with: only capabilities that it has, and no nulls where a field may be absent. */
function initializeParams(options: EcaClientOptions, methods: EcaClientMethods): InitializeParams {
  const { processId = null, clientInfo, initializationOptions, workspaceFolders = [] } = options;
  checkFolders(workspaceFolders);
  const { capabilities = capabilitiesOf(methods) } = options;
  return { processId, clientInfo, initializationOptions, workspaceFolders: [...workspaceFolders], capabilities };
}

function checkFolders(folders: readonly WorkspaceFolder[]): void {
  for (const { uri } of folders) {
    if (!URL.canParse(uri))
      throw new TypeError(
        `expected the uri of a workspace folder to have a scheme, such as file:///project, got "${uri}"`,
      );
  }
}

function capabilitiesOf(methods: EcaClientMethods): ClientCapabilities {
  const handled = (key: keyof EcaClientMethods, name: string): Record<string, true> =>
    methods[key] === undefined ? {} : { [name]: true };
  const editor = {
    ...handled("editor/getDiagnostics", "diagnostics"),
    ...handled("editor/getDefinition", "definition"),
    ...handled("editor/getReferences", "references"),
  };
  const filled = (name: string, flags: Record<string, true>): object =>
    Object.keys(flags).length === 0 ? {} : { [name]: flags };
  return {
    codeAssistant: {
      chat: true,
      ...handled("rewrite/contentReceived", "rewrite"),
      ...filled("editor", editor),
      ...filled("chatCapabilities", handled("chat/askQuestion", "askQuestion")),
    },
  };
}
