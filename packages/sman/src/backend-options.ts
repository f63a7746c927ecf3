import type { AgentChatParams, SmanProfile } from "@editwire/sman-schema";
import type { BindingOptions } from "@editwire/session";
import type { SmanIde } from "./ide.js";

/** What a plugin says about itself when it dials. */
export interface SmanSite {
  readonly sessionId: string;
  readonly projectKey: string;
  readonly projectPath?: string | undefined;
  /** Such as `agent`, `ask` or `plan`. Default `agent`. */
  readonly mode?: string | undefined;
}

/** A message of the user. Profile `v2`. */
export interface SmanChat extends AgentChatParams {
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
