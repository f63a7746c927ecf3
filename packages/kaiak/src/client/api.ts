import type { Configuration, Kaiak, KaiakProfile, KaiakResult } from "@editwire/kaiak-schema";
import type { AskOptions, BindingOptions, ClientSide } from "@editwire/session";
import type { KaiakSession } from "./session-api.js";
import type { KaiakQuestion, KaiakUpdateEvent } from "./events.js";

/** How a client works with a server. */
export interface KaiakClientOptions extends BindingOptions {
  /**
   * The dialect to speak. Default: `kaiakProfiles.spec`, and `kaiakProfiles.v2026` from the first answer on that shows
   * a server of that dialect; with `strict` always `spec`.
   */
  profile?: KaiakProfile | undefined;
  /**
   * Answers the server's questions. Default: they are left to `respond` of their event, and to the server's default.
   */
  question?: KaiakQuestionHandler | undefined;
  /** Called with the events that no turn yields. */
  onUpdate?: KaiakUpdateListener | undefined;
  /** Milliseconds that the server has to end a cancelled turn, which then ends without it. Default 10,000. */
  cancelGraceMs?: number | undefined;
  /** Sends the handshake of language servers first, for servers that need it. Default false. */
  lspHandshake?: boolean | undefined;
  /** The client's name and version, for the handshake. */
  clientInfo?: { readonly name: string; readonly version?: string | undefined } | undefined;
}

/** How a server is configured. */
export interface KaiakConfigureOptions extends AskOptions {
  /** Applies the configuration to the sessions that exist, too. Default false. */
  resetExisting?: boolean | undefined;
}

/** Which session. */
export interface KaiakNewSessionOptions {
  /**
   * 1 to 255 characters. Default: a new UUID. The same id gives the same object. In `v2026`, the id of a session that
   * the server knows.
   */
  sessionId?: string | undefined;
}

/** The client of a server. */
export interface KaiakClient extends ClientSide<Kaiak> {
  /** The server's answer to the handshake; undefined without one. */
  readonly info: KaiakResult<"initialize"> | undefined;
  /** The dialect of the connection, for `errorNameOf` and its like. */
  readonly profile: KaiakProfile;
  /**
   * Configures the server, for all of its clients. Rejects with the server's -32014 for a value that it cannot use. In
   * `v2026`, nothing is sent: each later run of this client carries the configuration, and a run is refused if the
   * server cannot use it.
   */
  configure(configuration: Configuration, options?: KaiakConfigureOptions): Promise<KaiakResult<"kaiak/configure">>;
  /** A session, which the server makes with its first turn. The id of an earlier one continues that. */
  newSession(options?: KaiakNewSessionOptions): KaiakSession;
}

/**
 * Answers a question of the server. `undefined` leaves it open, for `respond` of its event or for the server's default.
 */
export type KaiakQuestionHandler = (
  question: KaiakQuestion,
  context: { readonly signal: AbortSignal },
) => Promise<string | undefined>;

/** Called with the events that no turn yields. */
export type KaiakUpdateListener = (event: KaiakUpdateEvent, session: KaiakSession) => void;
