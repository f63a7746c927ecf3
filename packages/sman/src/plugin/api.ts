import type { Handlers } from "@editwire/core";
import type { Sman, SmanProfile, SmanToolHandlers } from "@editwire/sman-schema";
import type { BackoffOptions, BindingOptions, ConnectionState } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import type { PluginConnection } from "../shared/peer.js";

/** An IDE's plugin. */
export interface SmanPlugin {
  /**
   * The tools, by their names. Each call is answered once: with what the tool returns, with the text of a `RemoteError`
   * or a `ToolError` that it throws, or, for anything else that it throws, only with the fact that it failed.
   */
  readonly tools: SmanToolHandlers;
  /** Called with the other messages of the backend. Profile `v2`. */
  readonly on?: Omit<Handlers<Sman, "plugin">, "TOOL_CALL"> | undefined;
}

/**
 * Whether the backend is connected, why not, and in how many milliseconds the plugin dials again: `Infinity` after the
 * backend refused it.
 */
export type SmanConnectionState = ConnectionState;

/** How a plugin runs its tools. */
export interface SmanToolOptions extends Omit<BindingOptions, "profile" | "timeoutMs"> {
  /** The project that the tools work on. A call for another one fails. */
  projectKey: string;
  /** The dialect to speak. Default `smanProfiles.spec`; both profiles read both dialects. */
  profile?: SmanProfile | undefined;
  /**
   * Milliseconds that a tool has. Default 25,000, less than a backend waits. After that the call is answered with a
   * failure, and the tool's signal aborts.
   */
  toolTimeoutMs?: number | undefined;
  /** Bytes of a result's text as JSON. Default 8 MiB; what is beyond is cut off, with a note. */
  maxResultBytes?: number | undefined;
  /** Calls that run at a time; one more is answered with a failure. Default 10,000. */
  maxRequests?: number | undefined;
}

/** How a plugin reaches its backend, and how it runs its tools. */
export interface SmanPluginOptions extends SmanToolOptions {
  /**
   * Makes one connection to the backend. It is called again when that fails or ends, except after a refusal: the status
   * 401 or 403, or the close code 1003.
   */
  dial: () => Promise<Transport>;
  /** How long to wait before dialing again. */
  reconnect?: BackoffOptions | undefined;
  /** Called when the connection changes. A dial that fails goes to `onError` too, once for each reason in a row. */
  onConnection?: ((state: SmanConnectionState) => void) | undefined;
}

/** A plugin that dials its backend until it is closed. */
export interface SmanPluginConnection {
  /** The backend is connected. */
  readonly connected: boolean;
  /**
   * Sends a message of the profile `v2`, such as `AGENT_CHAT`. A promise comes back only when the backend is slow.
   * Throws `WireError("not_connected")` when the backend is not connected.
   */
  notify: PluginConnection["notify"];
  /** Closes the connection. The signals of tools that run abort, and their calls are not answered. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
