import type { Configuration, FullConfiguration, Kaiak, KaiakProfile } from "@editwire/kaiak-schema";
import type { KaiakServerSession } from "./session.js";
import type { KaiakTurnHandler } from "./turn.js";
import type { BindingOptions, Side } from "@editwire/session";

/** The things that the deletion of a session removed besides it. */
export interface KaiakCleanup {
  readonly tempFilesRemoved?: number | undefined;
  /** Failures of the deletion, in words for the client. */
  readonly errors?: readonly string[] | undefined;
}

/** A server. Only `prompt` is required. */
export interface KaiakServer {
  /** The server's name and version, for language clients. */
  info?: { readonly name: string; readonly version?: string | undefined } | undefined;
  /**
   * Called with each configuration, all of it filled in: in `v2026`, with that of each run. Returns warnings for the
   * client. Throw `configurationError` or another `kaiakError` to refuse.
   */
  configure?(configuration: FullConfiguration): readonly string[] | void | Promise<readonly string[] | void>;
  /**
   * Prepares a new session, which begins with the first run of an unknown id. Throwing refuses it with -32001, or with
   * the `RemoteError` that it throws, such as `sessionNotFound(id)` in a server that does not make sessions of its own.
   */
  newSession?(session: KaiakServerSession): void | Promise<void>;
  /**
   * Called for each run. Returning nothing means `completed`. A `RemoteError` that it throws, such as a `kaiakError`
   * of a run that cannot start, answers the request; anything else ends the run as `failed`, without its text.
   */
  prompt: KaiakTurnHandler;
  /** Removes what a deleted session leaves behind. */
  deleteSession?(
    session: KaiakServerSession,
    options: { readonly cleanupFiles: boolean },
  ): KaiakCleanup | void | Promise<KaiakCleanup | void>;
}

/** How a server is served. */
export interface KaiakServerOptions extends BindingOptions {
  /** The dialect to speak. Default `kaiakProfiles.spec`. */
  profile?: KaiakProfile | undefined;
  /**
   * Milliseconds that the handler of a cancelled run has to return. The client is then answered without it. Default
   * 1,500.
   */
  cancelGraceMs?: number | undefined;
  /**
   * The configuration of runs before a client has configured the server. Default: such a run is refused with -32014.
   */
  configuration?: Configuration | undefined;
  /** Sessions to keep. Beyond them, the least recently used ones that are not running are forgotten. Default 1,000. */
  maxSessions?: number | undefined;
  /** Runs at a time, on all connections together; one more is answered -32015. Default 100. */
  maxRuns?: number | undefined;
  /**
   * Says what is wrong with a workspace directory, for -32014, or throws another `RemoteError`. Default: nothing; in
   * `@editwire/kaiak/node`, a directory must exist, and one that cannot be read is refused with -32002.
   */
  checkWorkspace?: ((directory: string) => Promise<string | undefined>) | undefined;
}

/** A server that serves one client. */
export interface KaiakServerConnection extends Side<Kaiak, "server"> {}
