import type { SmanParams, SmanProfile, SmanToolInputs, SmanToolName } from "@editwire/sman-schema";
import type { AskOptions, BindingOptions } from "@editwire/session";
import type { BackendConnection } from "../shared/peer.js";
import type { Transport } from "@editwire/transport";

/** The facts about a plugin when it dials: those in its query, and the caller. */
export interface SmanSite {
  readonly sessionId: string;
  readonly projectKey: string;
  readonly projectPath?: string | undefined;
  /** Such as `agent`, `ask` or `plan`. Default `agent`. */
  readonly mode?: string | undefined;
  /** Whose plugin it is, as the listener's `authenticate` identified the caller; `undefined` without that option. */
  readonly caller?: string | undefined;
}

/** A message of the user. Profile `v2`. */
export interface SmanChat extends SmanParams<"AGENT_CHAT"> {
  sessionId: string;
  projectKey: string;
  /** Aborts when the user stops the session, or the connection is lost. */
  readonly signal: AbortSignal;
}

/** How a backend works. */
export interface SmanBackendOptions extends Omit<BindingOptions, "profile"> {
  /** The dialect to speak. Default `smanProfiles.spec`; both profiles read both dialects. */
  profile?: SmanProfile | undefined;
  /** Milliseconds that a plugin has to answer a call. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Calls on one connection that await their results; one more rejects with `overloaded`. Default 10,000. */
  maxCalls?: number | undefined;
  /** Called with each plugin that connects. */
  onIde?: ((ide: SmanIde) => void) | undefined;
  /**
   * Called with each message of the user, also while others are being answered. The plugin receives the text of a
   * `RemoteError` that it throws, and of anything else only that it failed. Profile `v2`.
   */
  onChat?: ((chat: SmanChat, ide: SmanIde) => void | Promise<void>) | undefined;
}

/** The answer of a tool. */
export interface SmanToolAnswer {
  /** The tool's text; empty if it sent none. `resultAsJson` reads it as JSON. */
  readonly result: string;
  /** Milliseconds that the tool took. */
  readonly executionTime: number | undefined;
}

/** A plugin that is connected, and the tools of its IDE. */
export interface SmanIde extends SmanSite {
  /** The backend's id of this connection; every call carries it. */
  readonly webSocketSessionId: string;
  readonly mode: string;
  /**
   * Calls a tool. `projectKey` and `webSocketSessionId` are those of the connection. Rejects with the tool's text in a
   * `RemoteError` if the tool failed, or with a `WireError`: `invalid_params` before anything is sent, `timeout` after
   * `timeoutMs` (default 30,000), `aborted`, `overloaded`, `closed`, `invalid_result`. There is no message for
   * canceling a call: after `timeout`, `aborted` and `closed`, `apply_change` may still have been applied.
   */
  call<Tool extends SmanToolName>(
    tool: Tool,
    params: SmanToolInputs[Tool],
    options?: AskOptions,
  ): Promise<SmanToolAnswer>;
  /** Sends another message, such as `STREAMING_CONTENT`. Profile `v2`. Returns a promise only when the peer is slow. */
  notify: BackendConnection["notify"];
  /** Closes the connection; its pending calls reject with `closed`. */
  close(): Promise<void>;
  /** Resolves, never rejects, with the reason once the connection is closed from either end. */
  readonly closed: Promise<Error>;
}

/** Which plugin a backend looks for. */
export interface SmanIdeQuery {
  readonly sessionId?: string | undefined;
  readonly projectKey?: string | undefined;
  /**
   * The caller, as `authenticate` returned it for the plugin. Any caller may name any session in its query, so a
   * backend that several callers share looks for theirs by this. Default: any caller.
   */
  readonly caller?: string | undefined;
}

/** The backend's side: the plugins that are connected, which come and go. */
export interface SmanBackend {
  /** The plugins that are connected, in the order in which they dialed. */
  readonly ides: readonly SmanIde[];
  /**
   * The newest connected plugin with this session, project and caller; without one, the next that connects. Rejects
   * with a `WireError`: `aborted`, `timeout` after `timeoutMs` (default: never), `closed` when the backend is closed.
   */
  ide(wanted?: SmanIdeQuery, options?: AskOptions): Promise<SmanIde>;
  /** Takes a connection that a plugin dialed. */
  attach(transport: Transport, site: SmanSite): SmanIde;
  /** Ends every connection. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
