import { type Connection, WireError } from "@editwire/core";
import type {
  DeleteSessionResult,
  FixOptions,
  FixStatus,
  GenerateFixResult,
  Incident,
  Kaiak,
  KaiakParams,
  MigrationContext,
} from "@editwire/kaiak-schema";
import { AskedTurn, type AskOptions, type Listeners, type TurnStream } from "@editwire/session";
import {
  ClientToolCalls,
  type KaiakQuestion,
  type KaiakStopReason,
  questionIn,
  type UpdateEvent,
} from "./client-events.js";
import { ClientState, type KaiakSessionState } from "./client-state.js";

/**
 * Answers a question of the server. `undefined` leaves it open, for `respond` of its event or for the server's default.
 */
export type QuestionHandler = (
  question: KaiakQuestion,
  context: { readonly signal: AbortSignal },
) => Promise<string | undefined>;

/** Called with the events that no turn yields. */
export type UpdateListener = (event: UpdateEvent, session: KaiakSession) => void;

/** How a run works. */
export interface GenerateFixOptions {
  /** Aborting it cancels the turn. */
  signal?: AbortSignal | undefined;
  /** From what to what the code moves. */
  migrationContext?: MigrationContext | undefined;
  options?: FixOptions | undefined;
}

/** Which session to delete how. */
export interface DeleteSessionOptions extends AskOptions {
  /** Cancels the run of a session that is in use. Default false: the server then answers -32016. */
  force?: boolean | undefined;
  /** Default true. */
  cleanupFiles?: boolean | undefined;
}

/**
 * One run. Iterate it for its events, of which the last is `stop`, or await `stopReason` or `result` alone. Leaving the
 * loop early cancels the turn. The iteration throws what `stopReason` rejects with: the server's `RemoteError`, such as
 * -32016 for a session in use, or a `WireError` when the connection is lost. A cancelled turn ends as `cancelled`
 * within `cancelGraceMs`.
 */
export interface KaiakTurn
  extends TurnStream<UpdateEvent | { readonly type: "stop"; readonly stopReason: KaiakStopReason }, KaiakStopReason> {
  /**
   * The server's result. Rejects as `stopReason` does, and with `WireError("aborted")` when the server did not end a
   * cancelled turn.
   */
  readonly result: Promise<GenerateFixResult>;
}

/** A session. One turn runs at a time; sessions run in parallel. */
export interface KaiakSession {
  readonly id: string;
  /** All that a view renders. */
  readonly state: KaiakSessionState;
  /** Calls `listener` with each new state. Returns a function that ends this. */
  subscribe(listener: (state: KaiakSessionState) => void): () => void;
  /**
   * Processes 1 to 1,000 incidents. The server makes the session when it does not know it. Throws
   * `WireError("invalid_params")` while another turn of this session runs here.
   */
  generateFix(incidents: readonly Incident[], options?: GenerateFixOptions): KaiakTurn;
  /** Cancels the running turn, if there is one. */
  cancel(): Promise<void>;
  /** Deletes the session on the server. Rejects with -32003 when it is unknown there, and -32016 when it is in use. */
  delete(options?: DeleteSessionOptions): Promise<DeleteSessionResult>;
}

/** What a session needs of its connection. */
export interface ClientLink extends Pick<Connection<Kaiak, "client">, "request">, Listeners {
  readonly question: QuestionHandler | undefined;
  readonly onUpdate: UpdateListener;
  readonly cancelGraceMs: number;
  readonly timeoutMs: number;
  /** Forgets the session. */
  forget(session: ClientSession): void;
}

const stopReasons: Readonly<Record<FixStatus, KaiakStopReason>> = {
  completed: "end_turn",
  failed: "error",
  cancelled: "cancelled",
};

/** A `KaiakSession` with the part that the connection uses. */
export class ClientSession implements KaiakSession {
  readonly id: string;
  readonly #link: ClientLink;
  readonly #state: ClientState;
  #toolCalls = new ClientToolCalls();
  #turn: AskedTurn<UpdateEvent, KaiakStopReason> | undefined;

  constructor(id: string, link: ClientLink) {
    this.id = id;
    this.#link = link;
    this.#state = new ClientState((error) => link.onError(error, undefined));
  }

  get state(): KaiakSessionState {
    return this.#state.value;
  }

  subscribe(listener: (state: KaiakSessionState) => void): () => void {
    return this.#state.subscribe(listener);
  }

  generateFix(incidents: readonly Incident[], options: GenerateFixOptions = {}): KaiakTurn {
    if (this.#turn !== undefined)
      throw new WireError(
        "invalid_params",
        `kaiak/generate_fix: session ${this.id} has a running turn; await or cancel it first`,
      );
    const { signal, migrationContext, options: fixOptions } = options;
    const cancelled = new AbortController();
    let result: GenerateFixResult | undefined;
    const turn = new AskedTurn<UpdateEvent, KaiakStopReason>({
      method: "kaiak/generate_fix",
      signal,
      cancelGraceMs: this.#link.cancelGraceMs,
      sendCancel: () => cancelled.abort(),
      onEnd: () => this.#ended(turn),
      onDiagnostic: this.#link.onDiagnostic,
      onError: (error) => this.#link.onError(error, "$/cancelRequest"),
    });
    this.#turn = turn;
    this.#toolCalls = new ClientToolCalls();
    this.#state.start(incidents);
    void turn.start(async () => {
      const params: KaiakParams<"kaiak/generate_fix"> = { session_id: this.id, incidents: [...incidents] };
      if (migrationContext !== undefined) params.migration_context = migrationContext;
      if (fixOptions !== undefined) params.options = fixOptions;
      const call = { streams: true, signal: cancelled.signal, abort: "wait" } as const;
      result = await this.#link.request("kaiak/generate_fix", params, call);
      return stopReasons[result.status];
    });
    const whole = turn.stopReason.then(() => {
      if (result !== undefined) return result;
      throw new WireError("aborted", "kaiak/generate_fix: cancelled, and the server did not end it");
    });
    whole.catch(() => {}); // an application that does not ask for the result gets the error elsewhere
    return { ...turn.stream, result: whole };
  }

  async cancel(): Promise<void> {
    await this.#turn?.cancel();
  }

  async delete({ force, cleanupFiles, ...ask }: DeleteSessionOptions = {}): Promise<DeleteSessionResult> {
    const params: KaiakParams<"kaiak/delete_session"> = { session_id: this.id };
    if (force !== undefined) params.force = force;
    if (cleanupFiles !== undefined) params.cleanup_files = cleanupFiles;
    const result = await this.#link.request("kaiak/delete_session", params, {
      timeoutMs: this.#link.timeoutMs,
      ...ask,
    });
    this.#link.forget(this);
    return result;
  }

  /** Takes an event whose message has `chars` characters. */
  receive(event: UpdateEvent, chars: number): void | Promise<void> {
    this.#state.receive(event);
    if (this.#turn !== undefined) return this.#turn.push(event, chars);
    this.#link.onDiagnostic({
      id: "late-notification",
      method: undefined,
      message: `session ${this.id} has no running turn; a notification of type ${event.type} came`,
    });
    this.#link.onUpdate(event, this);
  }

  receiveToolCall(content: KaiakParams<"kaiak/stream/tool_call">["content"], chars: number): void | Promise<void> {
    return this.receive({ type: "tool_call", toolCall: this.#toolCalls.receive(content) }, chars);
  }

  receiveQuestion(
    content: KaiakParams<"kaiak/stream/user_interaction">["content"],
    chars: number,
  ): void | Promise<void> {
    const question = questionIn(content);
    const turn = this.#turn;
    let isAnswered = false;
    const respond = async (answer: string): Promise<void> => {
      if (isAnswered)
        throw new WireError("invalid_params", `respond: the question ${question.questionId} has an answer already`);
      isAnswered = true;
      try {
        await this.#link.request(
          "kaiak/interaction/respond",
          { interaction_id: question.questionId, response_type: question.type, response_data: { response: answer } },
          { timeoutMs: this.#link.timeoutMs, settle: "now" },
        );
      } catch (error) {
        isAnswered = false; // another answer may be valid
        throw error;
      }
    };
    const given = this.receive({ type: "question", question, respond }, chars);
    if (turn !== undefined) void this.#ask(question, turn, () => isAnswered, respond);
    return given;
  }

  /** Asks the `question` handler, once the reader has the event. */
  async #ask(
    question: KaiakQuestion,
    turn: AskedTurn<UpdateEvent, KaiakStopReason>,
    isAnswered: () => boolean,
    respond: (answer: string) => Promise<void>,
  ): Promise<void> {
    const { question: handler, onError } = this.#link;
    if (handler === undefined) return;
    try {
      await turn.handed();
      if (isAnswered() || turn.signal.aborted) return;
      const answer = await handler(question, { signal: turn.signal });
      if (answer !== undefined && !isAnswered() && !turn.signal.aborted) await respond(answer);
    } catch (error) {
      onError(error, "kaiak/stream/user_interaction");
    }
  }

  #ended(turn: AskedTurn<UpdateEvent, KaiakStopReason>): void {
    if (this.#turn !== turn) return;
    this.#turn = undefined;
    this.#state.end();
  }
}
