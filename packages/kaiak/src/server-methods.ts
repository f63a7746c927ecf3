import { type HandlerContext, type Handlers, isRemoteError, RemoteError } from "@editwire/core";
import {
  commands,
  configurationError,
  type ConfigureParams,
  type ConfigureResult,
  type DeleteSessionParams,
  type DeleteSessionResult,
  type FullConfiguration,
  type GenerateFixParams,
  type GenerateFixResult,
  type InteractionResult,
  type Kaiak,
  KaiakErrorCode,
  sessionInUse,
  sessionNotFound,
  type UserMessageParams,
  withDefaults,
} from "@editwire/kaiak-schema";
import { type Listeners, SessionMap } from "@editwire/session";
import { Interactions } from "./server-interactions.js";
import type { KaiakServer } from "./server.js";
import { ServerSession } from "./server-session.js";
import { type SendStream, ServerTurn } from "./server-turn.js";
import { now } from "./wire.js";

/** What all connections of a server share. */
export class ServerState {
  readonly sessions: SessionMap<ServerSession>;
  readonly interactions = new Interactions();
  configuration: FullConfiguration | undefined;
  runs = 0;

  constructor(maxSessions: number | undefined) {
    this.sessions = new SessionMap(maxSessions);
  }
}

/** What the methods of one connection need. */
export interface ServerParts extends Listeners {
  readonly server: KaiakServer;
  readonly state: ServerState;
  readonly send: SendStream;
  readonly close: () => Promise<void>;
  /** Resolves when the connection has ended. */
  readonly closed: () => Promise<unknown>;
  readonly cancelGraceMs: number;
  readonly maxRuns: number;
  /** Says what is wrong with a workspace directory; undefined when it can be used. */
  readonly checkWorkspace: ((directory: string) => Promise<string | undefined>) | undefined;
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
      "kaiak/configure": (params) => this.#configure(params),
      "kaiak/generate_fix": (params, context) => this.#generateFix(params, context),
      "kaiak/delete_session": (params) => this.#deleteSession(params),
      "kaiak/interaction/respond": ({ interaction_id, response_data }) => this.#answer(interaction_id, response_data),
      "kaiak/client/user_message": (params) => this.#userMessage(params),
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

  async #configure({ configuration, reset_existing = false }: ConfigureParams): Promise<ConfigureResult> {
    const { server, state, checkWorkspace } = this.#parts;
    const applied = withDefaults(configuration);
    const problem = await checkWorkspace?.(applied.workspace.working_dir);
    if (problem !== undefined)
      throw configurationError("workspace.working_dir", "Invalid workspace directory", problem);
    const warnings = (await server.configure?.(applied)) ?? [];
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

  async #generateFix(params: GenerateFixParams, { signal, afterReply }: HandlerContext): Promise<GenerateFixResult> {
    const { server, state, send, onError, cancelGraceMs, maxRuns } = this.#parts;
    const session = await this.#session(params.session_id);
    if (session.lock !== undefined) throw sessionInUse(session.id, session.lock.since);
    if (state.runs >= maxRuns)
      throw new RemoteError(KaiakErrorCode.ResourceExhausted, "Resource exhausted", { max_runs: maxRuns });
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
      const status = await turn.run((running) => server.generateFix(running));
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
      session.lock = undefined;
    }
  }

  /**
   * The session of this id; an unknown one begins. There is no await between the lookup and the addition of a known
   * one.
   */
  async #session(id: string): Promise<ServerSession> {
    const { server, state, onError } = this.#parts;
    const known = state.sessions.use(id);
    if (known !== undefined) return known;
    if (state.configuration === undefined)
      throw configurationError("configuration", "not configured", "kaiak/configure comes first");
    const session = new ServerSession(id, state.configuration);
    try {
      await server.newSession?.(session);
    } catch (error) {
      if (isRemoteError(error)) throw error;
      onError(error, "kaiak/generate_fix");
      throw new RemoteError(KaiakErrorCode.SessionCreationFailed, "Session creation failed", { session_id: id });
    }
    const other = state.sessions.get(id); // another client may have begun it meanwhile
    if (other !== undefined) return other;
    state.sessions.add(session);
    return session;
  }

  async #deleteSession({
    session_id,
    force = false,
    cleanup_files = true,
  }: DeleteSessionParams): Promise<DeleteSessionResult> {
    const { server, state, onError } = this.#parts;
    const session = state.sessions.get(session_id);
    if (session === undefined) throw sessionNotFound(session_id);
    const { lock } = session;
    if (lock !== undefined) {
      if (!force) throw sessionInUse(session_id, lock.since);
      lock.turn.cancel();
      await lock.released; // the run is answered before the deletion
    }
    if (!state.sessions.delete(session)) throw sessionNotFound(session_id); // it was deleted twice at once
    let removed: { tempFilesRemoved?: number | undefined; errors?: readonly string[] | undefined } | undefined | void;
    const errors: string[] = [];
    try {
      removed = await server.deleteSession?.(session, { cleanupFiles: cleanup_files });
    } catch (error) {
      onError(error, "kaiak/delete_session");
      errors.push("cleanup failed");
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

  #userMessage({ kind, payload = {} }: UserMessageParams): InteractionResult {
    const { request_id } = payload;
    const isAnswer = kind === "tool_confirmation" || kind === "elicitation_response";
    if (!isAnswer) return { success: true, message: "Message received" };
    if (typeof request_id !== "string")
      throw RemoteError.invalidParams("kaiak/client/user_message: payload.request_id: expected a string", {
        field: "payload.request_id",
      });
    return this.#answer(request_id, payload["action"] ?? payload["user_data"]);
  }

  #answer(id: string, data: unknown): InteractionResult {
    this.#parts.state.interactions.answer(id, data);
    return { success: true, message: "Response accepted" };
  }
}
