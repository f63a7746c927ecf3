import type { AcpProfile, Implementation, Meta } from "@editwire/acp-schema";
import type { Fallback } from "@editwire/core";
import type { BindingOptions } from "@editwire/session";
import type { AcpPermissionHandler } from "./permission.js";
import type { AcpServices } from "./services.js";
import type { AcpServedExtension } from "../shared/served-extension.js";
import type { AcpAskOptions, AcpUpdateListener } from "./session-api.js";
import type { AcpNewMcpServer } from "../mcp/server-forms.js";

/** How a client works with an agent. */
export interface AcpClientOptions extends Omit<BindingOptions, "profile">, AcpServices {
  /**
   * The dialect to speak. Default: the one that the agent is found to speak, `acpProfiles.v1` until there is a sign.
   */
  profile?: AcpProfile | undefined;
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
