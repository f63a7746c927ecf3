import { type HandlerContext, type Handlers, isRemoteError, RemoteError } from "@editwire/core";
import {
  commands,
  type Configuration,
  configurationError,
  errorIn,
  type FullConfiguration,
  type Kaiak,
  kaiakError,
  type KaiakParams,
  type KaiakResult,
  type KaiakTraits,
  sessionInUse,
  sessionNotFound,
  withDefaults,
} from "@editwire/kaiak-schema";
import { LatestMap, type Listeners, SessionMap } from "@editwire/session";
import { Interactions } from "./interactions.js";
import type { KaiakServer, KaiakServerOptions } from "./api.js";
import { ServerSession } from "./session.js";
import { type SendStream, ServerTurn } from "./turn.js";
import { now } from "../shared/time.js";

/** The state that all connections of a server share. */
export class ServerState {
  readonly sessions: SessionMap<ServerSession>;
  readonly interactions = new Interactions();
  configuration: FullConfiguration | undefined;
  /** Ids of sessions that are being created. */
  readonly beginning = new Set<string>();
  /** Ids of sessions that are deleted and still being cleaned up. */
  readonly ending = new Set<string>();
  runs = 0;
  /** Ids of runs that were answered. */
  readonly answered = new LatestMap<string, true>(1_000);

  constructor({ maxSessions, configuration }: KaiakServerOptions) {
    this.sessions = new SessionMap(maxSessions);
    this.configuration = configuration && withDefaults(configuration);
  }
}

export interface ServerParts extends Listeners {
  readonly server: KaiakServer;
  readonly state: ServerState;
  readonly traits: KaiakTraits;
  readonly send: SendStream;
  readonly close: () => Promise<void>;
  /** Resolves when the connection has ended. */
  readonly closed: () => Promise<unknown>;
  readonly cancelGraceMs: number;
  readonly maxRuns: number;
  /** Says what is wrong with a workspace directory; undefined when it can be used. */
  readonly checkWorkspace: ((directory: string) => Promise<string | undefined>) | undefined;
}

/** A configuration that the server has accepted. */
interface Accepted {
  readonly applied: FullConfiguration;
  readonly warnings: readonly string[];
}

/** Answers the client's methods, for one connection. */
export class ServerMethods {
  /** For `connect`. */
  readonly handlers: Handlers<Kaiak, "server">;
  readonly #parts: ServerParts;
  readonly #turns = new Set<ServerTurn>();

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.handlers = {
      "kaiak/configure": this.#inDialect("kaiak/configure", (params) => this.#configure(params)),
      "kaiak/generate_fix": this.#inDialect("kaiak/generate_fix", (params, context) =>
        this.#generateFix(params, context),
      ),
      "kaiak/delete_session": this.#inDialect("kaiak/delete_session", (params) => this.#deleteSession(params)),
      "kaiak/interaction/respond": this.#inDialect("kaiak/interaction/respond", (params) =>
        this.#answer(params.interaction_id, params.response_data),
      ),
      "kaiak/client/user_message": this.#inDialect("kaiak/client/user_message", (params) => this.#userMessage(params)),
      "kaiak/fix/cancel": this.#inDialect("kaiak/fix/cancel", ({ request_id }) => this.#cancelFix(request_id)),
      initialize: () => ({
        capabilities: { executeCommandProvider: { commands: [...commands] } },
        ...(parts.server.info && { serverInfo: parts.server.info }),
      }),
      shutdown: () => {
        for (const turn of this.#turns) turn.cancel();
        return null;
      },
      exit: () => parts.close(),
    };
  }

  /** Gives errors the code of the dialect, or the form of a result where the dialect has no error. */
  #inDialect<Params, Result>(
    method: string,
    handle: (params: Params, context: HandlerContext) => Result | Promise<Result>,
  ): (params: Params, context: HandlerContext) => Promise<Result> {
    const { traits } = this.#parts;
    return async (params, context) => {
      try {
        return await handle(params, context);
      } catch (error) {
        if (!isRemoteError(error)) throw error;
        const refusal = traits.refusals[method];
        if (refusal === undefined) throw errorIn(traits, error);
        return refusal(params, error) as Result;
      }
    };
  }

  /** A configuration with everything filled in, which the server has accepted, and its warnings. */
  async #accepted(configuration: Configuration): Promise<Accepted> {
    const { server, checkWorkspace } = this.#parts;
    const applied = withDefaults(configuration);
    const problem = await checkWorkspace?.(applied.workspace.working_dir);
    if (problem !== undefined)
      throw configurationError("workspace.working_dir", "Invalid workspace directory", problem);
    return { applied, warnings: (await server.configure?.(applied)) ?? [] };
  }

  async #configure({
    configuration,
    reset_existing = false,
  }: KaiakParams<"kaiak/configure">): Promise<KaiakResult<"kaiak/configure">> {
    const { state } = this.#parts;
    const { applied, warnings } = await this.#accepted(configuration);
    state.configuration = applied;
    if (reset_existing) for (const session of state.sessions.all) if (!session.running) session.configuration = applied;
    return {
      status: "success",
      message: "Agent configured successfully",
      configuration_applied: applied,
      warnings: [...warnings],
      timestamp: now(),
    };
  }

  async #generateFix(
    params: KaiakParams<"kaiak/generate_fix">,
    { signal, afterReply }: HandlerContext,
  ): Promise<KaiakResult<"kaiak/generate_fix">> {
    const { server, state, send, onError, cancelGraceMs, maxRuns } = this.#parts;
    this.#checkFree(params);
    const given = params.configuration && (await this.#accepted(params.configuration));
    if (given !== undefined) this.#checkFree(params); // another run may have begun meanwhile
    // From here to the lock, nothing may come between: no wait for what is there, and a new session is still beginning.
    const found = state.sessions.use(params.session_id) ?? this.#newSession(params, given?.applied);
    const session = found instanceof Promise ? await found : found;
    state.beginning.delete(params.session_id);
    if (state.runs >= maxRuns) throw kaiakError("ResourceExhausted", { max_runs: maxRuns });
    if (given !== undefined) session.configuration = given.applied;
    const turn = new ServerTurn({
      session,
      params,
      interactions: state.interactions,
      send,
      cancelGraceMs,
      onError: (error) => onError(error, "kaiak/generate_fix"),
    });
    const replied = new Promise<void>((resolve) => afterReply(resolve));
    const released = Promise.race([replied, this.#parts.closed()]).then(() => {});
    session.lock = { turn, since: now(), released };
    state.runs++;
    this.#turns.add(turn);
    const cancel = (): void => turn.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      const status = await turn.run(async (running) => {
        for (const message of given?.warnings ?? [])
          await running.system({ message, level: "warning", component: "configuration" });
        return server.prompt(running);
      });
      return {
        request_id: turn.requestId,
        session_id: session.id,
        status,
        incident_count: params.incidents.length,
        completed_at: now(),
      };
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#turns.delete(turn);
      state.runs--;
      state.answered.set(turn.requestId, true);
      session.lock = undefined;
    }
  }

  /** Throws what refuses a run for a session that it cannot have now. */
  #checkFree({ session_id, begins }: KaiakParams<"kaiak/generate_fix">): void {
    const { sessions, beginning, ending } = this.#parts.state;
    const session = sessions.get(session_id);
    if (session?.lock !== undefined) throw sessionInUse(session_id, session.lock.since);
    if (beginning.has(session_id)) throw kaiakError("SessionNotReady", { session_id });
    if (ending.has(session_id)) throw kaiakError("SessionAlreadyTerminated", { session_id });
    if (session === undefined && begins === false) throw sessionNotFound(session_id);
  }

  /** A session of an unknown id, which stays in `beginning` until its run has the lock. */
  #newSession(
    { session_id }: KaiakParams<"kaiak/generate_fix">,
    given: FullConfiguration | undefined,
  ): ServerSession | Promise<ServerSession> {
    const { server, state, onError } = this.#parts;
    const configuration = given ?? state.configuration;
    if (configuration === undefined)
      throw configurationError("configuration", "not configured", "kaiak/configure comes first");
    const session = new ServerSession(session_id, configuration);
    const ready = (): ServerSession => {
      state.sessions.add(session);
      return session;
    };
    const refused = (error: unknown): never => {
      state.beginning.delete(session_id);
      if (isRemoteError(error)) throw error;
      onError(error, "kaiak/generate_fix");
      throw kaiakError("SessionCreationFailed", { session_id });
    };
    state.beginning.add(session_id);
    try {
      const prepared = server.newSession?.(session);
      return prepared === undefined ? ready() : Promise.resolve(prepared).then(ready, refused);
    } catch (error) {
      return refused(error);
    }
  }

  async #deleteSession({
    session_id,
    force = false,
    cleanup_files = true,
  }: KaiakParams<"kaiak/delete_session">): Promise<KaiakResult<"kaiak/delete_session">> {
    const { server, state, onError } = this.#parts;
    if (state.beginning.has(session_id)) throw kaiakError("SessionNotReady", { session_id });
    const session = state.sessions.get(session_id);
    if (session === undefined) throw sessionNotFound(session_id);
    const { lock } = session;
    if (lock !== undefined) {
      if (!force) throw sessionInUse(session_id, lock.since);
      lock.turn.cancel();
      await lock.released; // the run is answered before the deletion
    }
    if (!state.sessions.delete(session)) throw sessionNotFound(session_id); // it was deleted twice at once
    state.ending.add(session_id);
    let removed: { tempFilesRemoved?: number | undefined; errors?: readonly string[] | undefined } | undefined | void;
    const errors: string[] = [];
    try {
      removed = await server.deleteSession?.(session, { cleanupFiles: cleanup_files });
    } catch (error) {
      onError(error, "kaiak/delete_session");
      errors.push("cleanup failed");
    } finally {
      state.ending.delete(session_id);
    }
    return {
      session_id,
      status: "deleted",
      cleanup_summary: {
        session_removed: true,
        messages_cleaned: session.messages,
        temp_files_removed: removed?.tempFilesRemoved ?? 0,
        errors: [...errors, ...(removed?.errors ?? [])],
      },
      deleted_at: now(),
    };
  }

  #userMessage({
    session_id,
    kind,
    payload = {},
  }: KaiakParams<"kaiak/client/user_message">): KaiakResult<"kaiak/client/user_message"> {
    const { request_id } = payload;
    const session = this.#parts.state.sessions.get(session_id);
    if (session === undefined) throw sessionNotFound(session_id);
    if (kind === "control_signal" && payload["signal"] === "cancel") session.lock?.turn.cancel();
    const isAnswer = kind === "tool_confirmation" || kind === "elicitation_response";
    if (!isAnswer) return { success: true, message: "Message received" };
    if (typeof request_id !== "string")
      throw RemoteError.invalidParams("kaiak/client/user_message: payload.request_id: expected a string", {
        field: "payload.request_id",
      });
    return this.#answer(request_id, payload["action"] ?? payload["user_data"]);
  }

  #cancelFix(request_id: string): KaiakResult<"kaiak/fix/cancel"> {
    const { sessions, answered } = this.#parts.state;
    const lock = sessions.all.map((session) => session.lock).find((one) => one?.turn.requestId === request_id);
    if (lock === undefined)
      throw kaiakError(answered.has(request_id) ? "RequestAlreadyCompleted" : "RequestNotFound", { request_id });
    lock.turn.cancel();
    return { request_id, status: "cancelled", cancelled_at: now() };
  }

  #answer(id: string, data: unknown): KaiakResult<"kaiak/interaction/respond"> {
    this.#parts.state.interactions.answer(id, data);
    return { success: true, message: "Response accepted" };
  }
}
