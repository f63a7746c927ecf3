import type { Handlers } from "@editwire/core";
import type {
  ChatContext,
  ChatSummary,
  ClientCapabilities,
  ClientInfo,
  Eca,
  EcaParams,
  EcaProfile,
  EcaResult,
  EditorDiagnostic,
  EditorLocation,
  InitializationOptions,
  Position,
  WorkspaceFolder,
} from "@editwire/eca-schema";
import type { AskOptions, BindingOptions, ClientSide } from "@editwire/session";
import type { EcaUpdateEvent } from "./events.js";
import type { EcaChoice, EcaPermissionHandler, EcaSession } from "./session-api.js";
import type { EcaCompleteInline, EcaJobs, EcaMcpServers, EcaProviders } from "./asks.js";
import type { EcaRewrite, EcaRewriteOptions } from "./rewrite.js";
import type { EcaServerState } from "./server-state.js";

type Kept =
  | "chat/contentReceived"
  | "chat/cleared"
  | "chat/deleted"
  | "chat/opened"
  | "config/updated"
  | "tool/serverUpdated"
  | "tool/serverRemoved"
  | "$/showMessage";
/** Handlers of the methods that have no handler of their own, such as `editor/getDefinition` or `jobs/updated`. */
export type EcaClientMethods = Partial<Omit<Handlers<Eca, "client">, Kept>>;

/** How a client works with a server. */
export interface EcaClientOptions extends Omit<BindingOptions, "profile"> {
  /** The client's name and version, for the server's logs. */
  clientInfo?: ClientInfo | undefined;
  /** Aborting it gives up the start: the transport is closed, which ends a child process. */
  signal?: AbortSignal | undefined;
  /** The folders that the editor has open. Their `uri`s have a scheme. Default none. */
  workspaceFolders?: readonly WorkspaceFolder[] | undefined;
  /** The process with which the server ends (#initialize); null for none. Default null. */
  processId?: number | null | undefined;
  /** Settings that the user made before the start, such as `chatBehavior`. */
  initializationOptions?: InitializationOptions | undefined;
  /** The capabilities of this client. Default: `chat` and `rewrite`, and those for which it has handlers. */
  capabilities?: ClientCapabilities | undefined;
  /**
   * Decides about tool calls that wait for the user. `"manual"` leaves them to `session.answerPermission`. Default:
   * rejects them.
   */
  permission?: EcaPermissionHandler | "manual" | undefined;
  /** Answers the server's questions to the user, in `v2026`. Default: the server is answered -32601. */
  question?: EcaQuestionHandler | undefined;
  /** Returns the problems in the files, in `v2026`. Default: the server is answered -32601. */
  diagnostics?: EcaDiagnosticsHandler | undefined;
  /** Returns where a symbol is defined, in `v2026`. Default: the server is answered -32601. */
  definition?: EcaLocationsHandler | undefined;
  /** Returns where a symbol is used, in `v2026`. Default: the server is answered -32601. */
  references?: EcaLocationsHandler | undefined;
  /**
   * Called with a session that the server opened by itself: for a command of the user, or for a subagent, whose session
   * has a `parent`. Default: the content of the former is dropped.
   */
  onSession?: ((session: EcaSession) => void) | undefined;
  /** Called with the updates that no turn yields. */
  onUpdate?: ((event: EcaUpdateEvent, session: EcaSession) => void) | undefined;
  /** Shows the user a message of the server (#showmessage). Default: it is dropped. */
  onMessage?: ((type: "error" | "warning" | "info", message: string) => void) | undefined;
  /** Further methods, most of them of `v2026`. A request without a handler is answered -32601. */
  methods?: EcaClientMethods | undefined;
  /**
   * The dialect to write; both are read. Default: the one that the server's answer to `initialize` shows; with
   * `strict`, `ecaProfiles.spec`.
   */
  profile?: EcaProfile | undefined;
  /** Milliseconds that the server has to answer `shutdown`. The connection is then closed without it. Default 3,000. */
  shutdownTimeoutMs?: number | undefined;
  /** Milliseconds that the server has to end a cancelled turn, which then ends without it. Default 10,000. */
  cancelGraceMs?: number | undefined;
}

/** The client of an initialized server. */
export interface EcaClient extends ClientSide<Eca> {
  /** The dialect that is written: that of the options, else the one that the server was found to speak. */
  readonly profile: EcaProfile;
  /** The server's result of `initialize`. */
  readonly info: EcaResult<"initialize">;
  /** The tool servers and the configuration, always current. */
  readonly state: EcaServerState;
  /** Calls `listener` with each new state. Returns a function that ends this. */
  subscribe(listener: (state: EcaServerState) => void): () => void;
  /** Returns a session to prompt; nothing is sent yet. For an id that this client has, the same object comes back. */
  newSession(options?: EcaNewSessionOptions): EcaSession;
  /** The sessions that the server has, the last used first (`chat/list`, in `v2026`). */
  listSessions(options?: EcaParams<"chat/list"> & AskOptions): Promise<ChatSummary[]>;
  /**
   * Loads a session that the server has, whose past its state then holds; `undefined` for an unknown one (`chat/open`,
   * in `v2026`). Rejects with `WireError("invalid_params")` during a turn of the session.
   */
  loadSession(options: EcaLoadSessionOptions): Promise<EcaSession | undefined>;
  /**
   * Reports folders that the user opened and closed (`workspace/didChangeWorkspaceFolders`, in `v2026`). Throws a
   * `TypeError` for a `uri` without a scheme.
   */
  changeWorkspaceFolders(change: {
    added?: readonly WorkspaceFolder[] | undefined;
    removed?: readonly WorkspaceFolder[] | undefined;
  }): Promise<void>;
  /** The models of new sessions: in `spec` from the answer to `initialize`, in `v2026` from `config/updated`. */
  readonly models: EcaChoice;
  /** The agents of new sessions (in `spec`: behaviors), such as `plan`. */
  readonly agents: EcaChoice;
  /** The MCP servers: start, stop, add and the rest. */
  readonly mcp: EcaMcpServers;
  /** The providers of models, in `v2026`: sign in and out. */
  readonly providers: EcaProviders;
  /** The background jobs, in `v2026`. */
  readonly jobs: EcaJobs;
  /**
   * Asks for texts to insert at the cursor (`completion/inline`, in `v2026`). Throws a `RemoteError` when there is
   * none.
   */
  readonly completeInline: EcaCompleteInline;
  /** Asks for another text in place of one (`rewrite/prompt`, in `v2026`). */
  rewrite(options: EcaRewriteOptions): EcaRewrite;
  /** Cancels running turns, sends `shutdown` and `exit`, and closes the connection. */
  close(): Promise<void>;
}

/** A session to start or to continue. */
export interface EcaNewSessionOptions {
  /** The id of a session, or one for a new session. Default: the server makes it in `spec`, this client in `v2026`. */
  sessionId?: string | undefined;
  /** Sent with the prompts. Default: the overview of the workspace. */
  contexts?: readonly ChatContext[] | undefined;
}

/** A session to load. */
export interface EcaLoadSessionOptions extends AskOptions {
  /** The id of the session to load. */
  sessionId: string;
  /** Contents of its past at most; `session.loadEarlier()` asks for more. Default: all. */
  limit?: number | undefined;
}

/**
 * Answers a question of the server to the user, in `v2026`. `undefined`, and what it throws, cancels the question.
 * `signal` aborts when the server cancels the question, or the turn is cancelled or ends.
 */
export type EcaQuestionHandler = (
  question: EcaParams<"chat/askQuestion">,
  context: { readonly session: EcaSession | undefined; readonly signal: AbortSignal },
) => string | undefined | Promise<string | undefined>;

/** Returns the problems in a file, or in all files without a `uri`, in `v2026`. Lines count from 0. */
export type EcaDiagnosticsHandler = (
  uri: string | undefined,
  context: { readonly signal: AbortSignal },
) => readonly EditorDiagnostic[] | Promise<readonly EditorDiagnostic[]>;

/** A place in a file. Lines and characters count from 1. */
export interface EcaEditorPlace {
  readonly uri: string;
  readonly position: Position;
  /** For references: whether the definition is one of them. */
  readonly includeDeclaration?: boolean | undefined;
}

/**
 * Where a symbol is, or why the editor cannot know: its language server is starting (the server asks again), or none.
 */
export type EcaEditorLocations = readonly EditorLocation[] | "starting" | "no-server";

/** Returns where the symbol at a place is defined or used, in `v2026`. */
export type EcaLocationsHandler = (
  place: EcaEditorPlace,
  context: { readonly signal: AbortSignal },
) => EcaEditorLocations | Promise<EcaEditorLocations>;
