import type { Connection, Handlers, NotificationName, ParamsOf } from "@editwire/core";
import type {
  ChatCommand,
  ChatContext,
  ChatHistoryContent,
  ChatSummary,
  Eca,
  EcaParams,
  EcaProfile,
  MessageType,
} from "@editwire/eca-schema";
import type { BindingOptions, Side } from "@editwire/session";
import type { EcaServerTurn, EcaTurnHandler } from "./turn.js";
import type { EcaServerInfo } from "./info.js";
import type { EcaServerSession } from "./session-api.js";
import type { EcaServerEditor } from "./editor.js";

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
 * Handlers of the methods that have no handler of their own, such as `workspace/didChangeWorkspaceFolders` or
 * `completion/inline`. They also replace the built-in ones about sessions, for a server that stores its sessions.
 */
export type EcaServerMethods = Partial<Omit<Handlers<Eca, "server">, Kept>>;

/** A session that a server brings back from a store of its own. */
export interface EcaStoredSession {
  title?: string | undefined;
  /** The contents of the session, oldest first. */
  contents: readonly ChatHistoryContent[];
}

/** A turn that the server starts by itself. */
export interface EcaStartedTurn {
  readonly sessionId: string;
  /** Shown as the user's message. Default: none is. */
  readonly promptText?: string | undefined;
  readonly handler: EcaTurnHandler;
}

/** A server. Only `prompt` is required, and nothing is advertised that is not given here. */
export interface EcaServer {
  /** Called with the client's params of `initialize`. Returns the server's offers. Throwing refuses the client. */
  initialize?(params: EcaParams<"initialize">): EcaServerInfo | void | Promise<EcaServerInfo | void>;
  /** Called when the client is ready: announces the tools with `toolServerUpdated`, and starts what takes time. */
  initialized?(server: EcaServerConnection): void | Promise<void>;
  /** Runs one turn. The client knows the session by then, and sees the end of the turn however this ends. */
  prompt: EcaTurnHandler;
  /** Finds contexts. Those that the client has already are removed from the answer. Default: none. */
  queryContext?(params: EcaParams<"chat/queryContext">): readonly ChatContext[] | Promise<readonly ChatContext[]>;
  /** Finds commands. Default: none. */
  queryCommands?(params: EcaParams<"chat/queryCommands">): readonly ChatCommand[] | Promise<readonly ChatCommand[]>;
  /** Lists the sessions of a server that stores them (`chat/list`). Default: those of this connection. */
  listSessions?(params: EcaParams<"chat/list">): readonly ChatSummary[] | Promise<readonly ChatSummary[]>;
  /**
   * Finds a session that this connection does not have, when the client opens it. `context.shown` resolves when the
   * client was sent it. Default: there is none.
   */
  loadSession?(
    sessionId: string,
    context: { readonly shown: Promise<void> },
  ): EcaStoredSession | undefined | Promise<EcaStoredSession | undefined>;
  /** Called when the user gave a session a title, which the client was sent. */
  renameSession?(session: EcaServerSession, title: string): void | Promise<void>;
  /**
   * Called when a session was deleted. Its turn has ended by then. A session that this connection has not opened counts
   * if `listSessions` names it.
   */
  deleteSession?(session: EcaServerSession): void | Promise<void>;
  /** Deletes the messages of a session; the session stays. Without it, `chat/clear` is answered -32601. */
  clearSession?(session: EcaServerSession): void | Promise<void>;
  /**
   * Deletes the messages from a prompt on, if `include` has `messages`, and undoes what tools changed since, if it has
   * `tools`. `prompts` are the `contentId`s of that prompt and of those after it; one that was cancelled at once never
   * reached `prompt`. The turn has ended by then. Throw a `RemoteError` for what cannot be undone. Without it,
   * `chat/rollback` is answered -32601.
   */
  rollbackSession?(
    session: EcaServerSession,
    prompts: readonly string[],
    include: EcaParams<"chat/rollback">["include"],
  ): void | Promise<void>;
  /**
   * Copies the messages up to a prompt, including it, to a new session: `prompts` are the `contentId`s of the prompts
   * that it keeps. Without it, `chat/fork` is answered -32601.
   */
  forkSession?(session: EcaServerSession, fork: EcaServerSession, prompts: readonly string[]): void | Promise<void>;
  /** Starts an MCP server. A name that the server does not know must be ignored. */
  startMcpServer?(name: string): void | Promise<void>;
  /** Stops an MCP server. A name that the server does not know must be ignored. */
  stopMcpServer?(name: string): void | Promise<void>;
  /** Releases everything. Called once: on `shutdown`, or at the end of a connection that had none. */
  shutdown?(): void | Promise<void>;
  /** Further methods, most of them of `v2026`. A request without a handler is answered -32601. */
  methods?: EcaServerMethods | undefined;
}

/** How a server is served. */
export interface EcaServerOptions extends Omit<BindingOptions, "profile"> {
  /** The dialect to write; both are read. Default `ecaProfiles.spec`, which clients of 2026 read, too. */
  profile?: EcaProfile | undefined;
  /** Milliseconds that the handler of a cancelled turn has to return. The turn then ends without it. Default 2,000. */
  cancelGraceMs?: number | undefined;
  /** Sessions to keep. Beyond them, the least recently used ones that are not running are forgotten. Default 1,000. */
  maxSessions?: number | undefined;
}

/** A server that serves one client. */
export interface EcaServerConnection extends Side<Eca, "server"> {
  /** The typed connection below, for methods without a helper. Its notifications wait until the client is ready. */
  readonly connection: Connection<Eca, "server">;
  /** The client's params of `initialize`; pending until they arrive. */
  readonly client: Promise<EcaParams<"initialize">>;
  /** Sends a notification when the client is ready. It is dropped when the connection is closed. */
  notify<N extends NotificationName<Eca, "server">>(method: N, params: ParamsOf<Eca, N>): void;
  /** Asks the editor for its diagnostics, definitions and references, in `v2026`. */
  readonly editor: EcaServerEditor;
  /** Reports the status of a tool server, and its tools. */
  toolServerUpdated(params: EcaParams<"tool/serverUpdated">): void;
  /** Shows the user a message. */
  showMessage(type: MessageType, message: string): void;
  /**
   * Runs a turn that the client did not prompt, such as one of another editor. The client sees it, and may stop it.
   * Throws `WireError("closed")` before the client is ready, and a `RemoteError` while a turn of the session runs.
   */
  startTurn(turn: EcaStartedTurn): void;
  /** The running turn of a session, from the client's prompt on: its handler may not have been called yet. */
  runningTurn(sessionId: string): EcaServerTurn | undefined;
  /** Replaces what the server offers, and tells the client (`config/updated`). */
  offer(info: EcaServerInfo): void;
  /** Selects a model and a behavior for one session, as the user can, and tells the client (`config/updated`). */
  select(sessionId: string, selection: { model?: string | undefined; behavior?: string | undefined }): void;
  /** Resolves, never rejects, when the connection is closed, every turn has ended, and `shutdown` has returned. */
  readonly ended: Promise<void>;
  /** The exit code for a process that serves this client only: 0 after `shutdown`, else 1 (#exit). */
  readonly exitCode: number;
}
