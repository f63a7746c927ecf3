import type { Acp, AcpProfile, AcpResult, Implementation, Meta } from "@editwire/acp-schema";
import type { Connection, Fallback } from "@editwire/core";
import type { BindingOptions, ClientSide } from "@editwire/session";
import type { AcpPermissionHandler } from "./permission.js";
import type { AcpServices } from "./services.js";
import type { AcpServedExtension } from "../shared/served-extension.js";
import type { AcpAskOptions, AcpSession, AcpUpdateListener } from "./session-api.js";
import type { AcpNewMcpServer } from "../mcp/server-forms.js";
import type { AcpAnswer } from "../shared/confirmation.js";

/** How a client works with an agent. */
export interface AcpClientOptions extends Omit<BindingOptions, "profile">, AcpServices {
  /**
   * The dialect to speak. Default: the one that the agent is found to speak, `acpProfiles.v1` until there is a sign.
   */
  profile?: AcpProfile | undefined;
  /**
   * The versions of the official protocol that this client speaks: the newest that the agent speaks, too, is spoken.
   * Version 2 is a draft. Default `[1]`.
   */
  versions?: readonly (1 | 2)[] | undefined;
  /** The client's name and version, for the agent's logs. */
  clientInfo?: Implementation | undefined;
  /** Sent with `initialize`. */
  _meta?: Meta | undefined;
  /** Aborting it gives up the start: the transport is closed, which ends a child process. */
  signal?: AbortSignal | undefined;
  /**
   * Sends what the agent did not declare to take, for agents that can do more than they declare. Default false: it is
   * refused here, before it is sent.
   */
  ignoreCapabilities?: boolean | undefined;
  /** Methods that ACP does not have, with their handlers: see `defineAcpExtension`. Default none. */
  extension?: AcpServedExtension<"client"> | undefined;
  /** Takes the messages that neither ACP nor the extension has a handler for. Default: requests get -32601. */
  fallback?: Fallback | undefined;
  /** Decides about permission requests. `"manual"` leaves them to `session.answerPermission`. Default: rejects them. */
  permission?: AcpPermissionHandler | "manual" | undefined;
  /** Called with the updates that no turn yields. */
  onUpdate?: AcpUpdateListener | undefined;
  /** Milliseconds that the agent has to end a cancelled turn, which then ends without it. Default 10,000. */
  cancelGraceMs?: number | undefined;
}

/** A session to start. */
export interface AcpNewSessionOptions extends AcpAskOptions {
  /** Absolute path of the session's working directory. */
  cwd: string;
  /** Default none. */
  mcpServers?: readonly AcpNewMcpServer[] | undefined;
  /** Further folders that the session works in, as absolute paths; in the official dialect. */
  additionalDirectories?: readonly string[] | undefined;
}

/** A session to load. */
export interface AcpLoadSessionOptions extends AcpNewSessionOptions {
  sessionId: string;
}

/** Which sessions to list. */
export interface AcpListSessionsOptions extends AcpAskOptions {
  /** Only sessions of this working directory, absolute. Default: all. */
  cwd?: string | undefined;
  /** The `nextCursor` of the page before. Default: the first page. */
  cursor?: string | undefined;
}

/**
 * The client of an initialized agent. Methods without a result of their own return the `_meta` of the agent's answer.
 */
export interface AcpClient extends ClientSide<Acp> {
  /** The agent's result of `initialize`, in the form of version 1. */
  readonly info: AcpResult<"initialize">;
  /** The version of the protocol that is spoken: 1, or 2 where `versions` has it. */
  readonly protocolVersion: number;
  /** The dialect that is spoken: that of the options, else the one that the agent is found to speak. */
  readonly profile: AcpProfile;
  /**
   * Opens a session. Rejects with a `TypeError` when `cwd` is missing, and with `WireError("invalid_result")` when the
   * agent answers with the id of a session that is open here. If `_meta` has that id, to take the session up again, it
   * stays the same object instead.
   */
  newSession(options: AcpNewSessionOptions): Promise<AcpSession>;
  /**
   * Loads a session that the agent has; what it replays is the session's `history`. For a session that is open here,
   * the same object comes back; when the load fails it stays as it was. Rejects with `WireError("invalid_params")`
   * during a turn.
   */
  loadSession(options: AcpLoadSessionOptions): Promise<AcpSession>;
  /**
   * Resumes a session that the agent has, without its history (`session/resume`). Otherwise as `loadSession`.
   */
  resumeSession(options: AcpLoadSessionOptions): Promise<AcpSession>;
  /**
   * Returns one page of the sessions that the agent has (`session/list`). Rejects with `WireError("invalid_params")`
   * for an agent that does not declare it, for a relative `cwd`, and in `acpProfiles.spec`, which does not have it.
   */
  listSessions(options?: AcpListSessionsOptions): Promise<AcpResult<"session/list">>;
  /** Removes a session from the agent's list, for good (`session/delete`). */
  deleteSession(sessionId: string, options?: AcpAskOptions): Promise<AcpAnswer>;
  /**
   * Authenticates by one of `info.authMethods` that the agent handles itself. Rejects with
   * `WireError("invalid_params")` for one of the type `terminal`; `signIn` of a spawned client serves all types.
   */
  authenticate(methodId: string, options?: AcpAskOptions): Promise<AcpAnswer>;
  /** Signs out (`logout`). */
  logout(options?: AcpAskOptions): Promise<AcpAnswer>;
  /**
   * The typed connection below, for methods without a helper. It refuses a method whose capability the agent did not
   * declare with `WireError("invalid_params")`, as the helpers do.
   */
  readonly connection: Connection<Acp, "client">;
  /**
   * Cancels running turns, then closes the connection: when the turns have ended, or after half a second, when the
   * cancel was sent a second time.
   */
  close(): Promise<void>;
}
