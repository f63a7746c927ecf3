import type {
  Acp,
  AcpParams,
  AcpProfile,
  AcpResult,
  AgentCapabilities,
  AuthMethod,
  Implementation,
  Meta,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
} from "@editwire/acp-schema";
import type { BindingOptions, SessionStore, Side } from "@editwire/session";
import type { Fallback } from "@editwire/core";
import type { AcpAnswer, AcpAnswered } from "../shared/confirmation.js";
import type { AcpCallerContext, AcpRequestContext } from "./request.js";
import type { AcpAgentSession } from "./session-api.js";
import type { AcpTurns } from "./asked-prompt.js";
import type { AcpTurnHandler } from "./turn.js";
import type { AcpServedExtension } from "../shared/served-extension.js";

/** The offers of one session, in place of those of the agent. */
export interface AcpSessionOffer {
  /** Default: those of the agent. */
  modes?: SessionModeState | undefined;
  /** Default: those of the agent. */
  configOptions?: readonly SessionConfigOption[] | undefined;
  /** Sent with the answer that opens the session. */
  _meta?: Meta | undefined;
}

/** An agent's decisions about a new session before it exists. */
export interface AcpOpenedSession extends AcpSessionOffer {
  /** Default: a new UUID. */
  sessionId?: string | undefined;
}

/** Where an agent keeps its sessions. */
export type AcpSessionStore = SessionStore<SessionUpdate>;

/** A session that an agent brings back from a store of its own. */
export interface AcpStoredSession extends AcpSessionOffer {
  /** Sent to the client when it loads the session, in order. At most 10,000 updates of 16 Mi characters are kept. */
  history: readonly SessionUpdate[];
  /** Default: the current one of the modes. */
  modeId?: string | undefined;
}

/** The result of an agent's handler for a changed setting. */
type ConfigOptionAnswer =
  | readonly SessionConfigOption[]
  | void
  | (AcpAnswer & { configOptions?: readonly SessionConfigOption[] | undefined });
/**
 * An agent. Only `prompt` is required, and nothing is advertised that is not given here. A handler whose answer says
 * nothing but yes may return the `_meta` of that answer.
 */
export interface AcpAgent {
  /** The agent's name and version. */
  info?: Implementation | undefined;
  /**
   * The agent's capabilities. Default: none, except `loadSession`, `auth.logout`, and `list`, `close` and `delete` of
   * `sessionCapabilities` with the handlers for them. `sessionCapabilities.resume` restores sessions as `session/load`
   * does, without their history.
   */
  capabilities?: AgentCapabilities | undefined;
  /** The ways to authenticate. Default none. */
  authMethods?: readonly AuthMethod[] | undefined;
  /** The modes that sessions offer, and the one they start in. Default none. */
  modes?: SessionModeState | undefined;
  /** The settings that sessions offer, with the values they start with; in the official dialect. Default none. */
  configOptions?: readonly SessionConfigOption[] | undefined;
  /**
   * Keeps the sessions, so that clients list, load, resume, close and delete them without further handlers:
   * `memorySessionStore()`, or `fileSessionStore(folder)` of `@editwire/acp/node`. The mode, the values of the settings
   * and the title are kept, too. Sessions belong to their caller. Default: sessions last as long as this process.
   */
  sessions?: AcpSessionStore | undefined;
  /**
   * The handling of a prompt while a turn of its session runs. Default `reject`.
   * - `reject`: it is answered with -32600.
   * - `queue`: it waits, and gets a turn of its own when those before it have ended.
   * - `steer`: `turn.takeSteers()` gives it to the running turn; if it does not take it, it waits as with `queue`.
   * `session/cancel` cancels the running turn and all prompts that wait, `$/cancel_request` the prompt that it names.
   */
  whenBusy?: "reject" | "queue" | "steer" | undefined;
  /**
   * Whether `session/load` replays the messages of a session that this process holds. Default: as the dialect demands,
   * so yes in `acpProfiles.v1` and no in `acpProfiles.spec`. The history of a `AcpStoredSession` is always sent.
   */
  replaysOnLoad?: boolean | undefined;
  /** Called with the client's first `initialize`, and with a later one after it was refused. Throwing refuses it. */
  initialize?(params: AcpParams<"initialize">, context: AcpCallerContext): AcpAnswered;
  /** Called when the connection of a client that `initialize` was called for is closed. */
  disconnected?(context: AcpCallerContext): void | Promise<void>;
  authenticate?(methodId: string, context: AcpRequestContext): AcpAnswered;
  /** Signs out. Default: the request is answered -32601. */
  logout?(context: AcpRequestContext): AcpAnswered;
  /** Decides about a new session before it exists. Throwing refuses it. */
  openSession?(
    params: AcpParams<"session/new">,
    context: AcpRequestContext,
  ): AcpOpenedSession | undefined | Promise<AcpOpenedSession | undefined>;
  /** Prepares a new session. Throwing refuses it. Updates sent here reach the client after the session's id. */
  newSession?(session: AcpAgentSession): void | Promise<void>;
  /** Finds a session that neither this process nor `sessions` holds. Default: there is none. */
  loadSession?(
    params: AcpParams<"session/load">,
    context: AcpRequestContext,
  ): AcpStoredSession | undefined | Promise<AcpStoredSession | undefined>;
  /**
   * Called when a client loads or resumes a session, before it gets the history, for the agent to prepare it;
   * `session.history()` returns its messages. Throwing refuses the request. Without `sessions`, the agent keeps the
   * history of its sessions itself then: it returns the messages, which a load replays, and nothing is kept here.
   */
  restoreSession?(session: AcpAgentSession): readonly SessionUpdate[] | void | Promise<readonly SessionUpdate[] | void>;
  /**
   * Returns one page of the sessions that the caller may load (`session/list`). Default: what `sessions` has; without
   * it, the request is answered -32601.
   */
  listSessions?(
    params: AcpParams<"session/list">,
    context: AcpRequestContext,
  ): AcpResult<"session/list"> | Promise<AcpResult<"session/list">>;
  /**
   * Called when the client closes a session, after its turn was cancelled and has ended. Default: with
   * `sessionCapabilities.close`, nothing more than to forget the session; otherwise the request is answered -32601.
   */
  closeSession?(session: AcpAgentSession, context: AcpRequestContext): AcpAnswered;
  /**
   * Removes a session from what `listSessions` returns; one that is not there is no error. Default: the request is
   * answered -32601.
   */
  deleteSession?(sessionId: string, context: AcpRequestContext): AcpAnswered;
  /** Called before a change of mode takes effect. Throwing refuses it. */
  setMode?(session: AcpAgentSession, modeId: string, context: AcpRequestContext): AcpAnswered;
  /**
   * Called before a setting gets another value, which the session offers. Throwing refuses it. Returns the settings
   * with their new values, where one change makes others, alone or with the `_meta` of the answer. Default: only the
   * one value changes.
   */
  setConfigOption?(
    session: AcpAgentSession,
    configId: string,
    value: string | boolean,
    context: AcpRequestContext,
  ): ConfigOptionAnswer | Promise<ConfigOptionAnswer>;
  /**
   * Runs one turn. Returning nothing means `end_turn`. A cancelled turn always ends as `cancelled`. An agent that has
   * turns of its own, such as a gateway, answers the prompts itself instead.
   */
  prompt: AcpTurnHandler | AcpTurns;
}

/** How an agent is served. */
export interface AcpAgentOptions extends Omit<BindingOptions, "profile"> {
  /** The dialect to speak. Default: the one that the client is found to speak, `acpProfiles.v1` where nothing tells. */
  profile?: AcpProfile | undefined;
  /**
   * The versions of the official protocol that this agent speaks: a client gets the newest that it speaks, too. Version
   * 2 is a draft, which only clients get that ask for it. Default `[1, 2]`, and `[1]` with a `profile`.
   */
  versions?: readonly (1 | 2)[] | undefined;
  /**
   * Milliseconds that the handler of a cancelled turn has to return. The client is then answered without it. Default
   * 6,000: less than clients of this package wait.
   */
  cancelGraceMs?: number | undefined;
  /** Asks for what the client did not declare. Default false: it is refused here, before it is sent. */
  ignoreCapabilities?: boolean | undefined;
  /** Methods that ACP does not have, with their handlers: see `defineAcpExtension`. Default none. */
  extension?: AcpServedExtension<"agent"> | undefined;
  /** Takes the messages that neither ACP nor the extension has a handler for. Default: requests get -32601. */
  fallback?: Fallback | undefined;
  /** Prompts of one session that wait while a turn runs, with `whenBusy`. A further one is rejected. Default 20. */
  maxQueuedPrompts?: number | undefined;
  /** Sessions to keep. Beyond them, the least recently used ones that are not running are forgotten. Default 1,000. */
  maxSessions?: number | undefined;
}

/** An agent that serves one client. */
export interface AcpAgentConnection extends Side<Acp, "agent"> {
  /** The version of the protocol that is spoken, 1 or 2. Undefined until the client has sent its first request. */
  readonly protocolVersion: number | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}
