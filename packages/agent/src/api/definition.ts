import type {
  AuthMethod,
  AvailableCommand,
  ClientCapabilities,
  Implementation,
  SessionConfigOption,
  SessionModeState,
} from "@editwire/acp";
import type { Diagnostic } from "@editwire/core";
import type { HistoryLimits, SessionStore } from "@editwire/session";
import type { AgentEvent } from "./events.js";
import type { AgentSession, AgentTurnHandler, AgentSessionOffer, SessionStart, WhenBusy } from "./session.js";

/** A session as lists show it. */
export interface SessionSummary {
  readonly sessionId: string;
  /** Absolute path. */
  readonly cwd: string;
  readonly title?: string | undefined;
  /** Milliseconds since 1970. */
  readonly updatedAt?: number | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt?: number | undefined;
  /** Messages of the user and of the agent. */
  readonly messages?: number | undefined;
  /** True while a turn runs. */
  readonly running?: boolean | undefined;
}

/** An agent's decisions about a new session. */
export interface AgentOpenedSession extends AgentSessionOffer {
  /** The id, unless the editor names the session itself. Default: a new UUID. */
  sessionId?: string | undefined;
}

/** A session that an agent brings back. */
export interface AgentLoadedSession extends AgentSessionOffer {
  /** The events of the session, oldest first. A `usage` among them has the session's cost. */
  events: readonly AgentEvent[];
}

/** An agent. Only `prompt` is required, and nothing is offered that is not given here. */
export interface AgentDefinition {
  info?: Implementation | undefined;
  /** The modes that sessions offer, and the one they start in. Default: the setting of the category `mode`, or none. */
  modes?: SessionModeState | undefined;
  /**
   * The settings that sessions offer, with the values they start with. Those of the categories `mode` and `model` are
   * the modes and models in every protocol. Default none.
   */
  configOptions?: readonly SessionConfigOption[] | undefined;
  /** The commands that users can type. Default none. */
  commands?: readonly AvailableCommand[] | undefined;
  /** Contents of prompts besides text and links that the agent accepts. Default: none. */
  accepts?: readonly ("image" | "audio" | "resource")[] | undefined;
  /** The MCP servers that the agent can use besides those on stdio. Default none. */
  mcpTypes?: readonly ("http" | "sse")[] | undefined;
  /** The ways in which users sign in, in protocols that have them: ACP. Default none. */
  authMethods?: readonly AuthMethod[] | undefined;
  /** Signs in by one of `authMethods` that the agent handles itself. Throwing refuses it. */
  authenticate?(methodId: string): void | Promise<void>;
  /** Signs out. Default: the request is answered -32601. */
  logout?(): void | Promise<void>;
  /** Default `reject`. */
  whenBusy?: WhenBusy | undefined;
  /**
   * Called before an editor is answered for the first time, with what its sessions will start with, as far as that is
   * known, and what it can do for the agent: for agents that find out what they offer. Throwing refuses the editor.
   */
  ready?(start: SessionStart | undefined, editor: ClientCapabilities | undefined): void | Promise<void>;
  /** Called when the last editor has gone: every connection of every protocol is closed. */
  idle?(): void | Promise<void>;
  /** Prepares a new session, and decides what is special about it. Throwing refuses it. */
  newSession?(start: SessionStart): AgentOpenedSession | void | Promise<AgentOpenedSession | void>;
  /** Called when a session exists, new or loaded. Events sent here reach views after the session's id. */
  opened?(session: AgentSession): void | Promise<void>;
  /** Finds a session that this process does not hold. Default: there is none. */
  loadSession?(
    sessionId: string,
    start: SessionStart,
  ): AgentLoadedSession | undefined | Promise<AgentLoadedSession | undefined>;
  /** Lists sessions that this process may not hold. Default: only those that it holds are listed. */
  listSessions?(caller: string | undefined): readonly SessionSummary[] | Promise<readonly SessionSummary[]>;
  /**
   * Called when no editor shows a session any more and no turn of it runs, and before `close`: ends what runs for it,
   * such as its MCP servers. The session may be prompted again.
   */
  released?(session: AgentSession): void | Promise<void>;
  /** Called when a session was deleted, after its turn has ended. */
  deleteSession?(sessionId: string): void | Promise<void>;
  /**
   * Called before a change of mode takes effect. Throwing refuses it. Where the mode is a setting, `setConfigOption` is
   * called instead.
   */
  setMode?(session: AgentSession, modeId: string): void | Promise<void>;
  /**
   * Called before a setting gets another value, which the session offers. Throwing refuses it. Returns the settings
   * with their new values, where one change makes others. Default: only the one value changes.
   */
  setConfigOption?(
    session: AgentSession,
    configId: string,
    value: string | boolean,
  ): readonly SessionConfigOption[] | void | Promise<readonly SessionConfigOption[] | void>;
  /** Runs one turn. A cancelled turn always ends as `cancelled`. */
  prompt: AgentTurnHandler;
  /** Releases what the agent holds. Called once, by `close`. */
  close?(): void | Promise<void>;
  /**
   * Milliseconds that the handler of a cancelled turn has to return. The turn then ends without it. Until then, it
   * keeps the process alive, even after its editor has gone. Default 2,000.
   */
  cancelGraceMs?: number | undefined;
  /** Sessions to keep. Beyond them, the least recently used ones that nobody views are forgotten. Default 1,000. */
  maxSessions?: number | undefined;
  /**
   * Keeps the sessions beyond this process, such as `fileSessionStore` of `@editwire/acp/node`: they are then listed,
   * loaded and deleted there. `loadSession` is asked for those that it does not have. Default: none.
   */
  store?: SessionStore<AgentEvent> | undefined;
  /** The limits of each session's history. */
  history?: HistoryLimits | undefined;
  /** Called for what is not said, or not exactly, in a protocol, and for other oddities. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Called with what handlers and views throw. Text of it never reaches an editor. Default: stderr. */
  onError?: ((error: unknown, where: string | undefined) => void) | undefined;
}
