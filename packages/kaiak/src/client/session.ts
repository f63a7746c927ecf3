import { type Connection, WireError } from "@editwire/core";
import {
  type AnswerMessage,
  type Configuration,
  type FixStatus,
  type Incident,
  type Kaiak,
  kaiakError,
  type KaiakParams,
  type KaiakProfile,
  type KaiakResult,
} from "@editwire/kaiak-schema";
import { type AskedTurn, AskingSession, checkArray, failedToAnswer, type SessionLink } from "@editwire/session";
import {
  ClientToolCalls,
  type KaiakQuestion,
  type KaiakStopReason,
  questionIn,
  type KaiakUpdateEvent,
} from "./events.js";
import type { ClientNaming } from "./naming.js";
import { ClientState, type KaiakSessionState } from "./state.js";
import type { KaiakDeleteSessionOptions, KaiakPromptOptions, KaiakSession, KaiakTurn } from "./session-api.js";
import type { KaiakQuestionHandler, KaiakUpdateListener } from "./api.js";

/** The parts of a connection that a session uses. */
export interface ClientLink extends Pick<Connection<Kaiak, "client">, "request">, SessionLink {
  /** The dialect that the server is found to speak. */
  readonly profile: () => KaiakProfile;
  /** Whether an error shows another dialect, in which the request can be sent again. */
  readonly shownBy: (error: unknown) => boolean;
  /** The configuration that `configure` got last. */
  configuration: Configuration | undefined;
  readonly naming: ClientNaming<ClientSession>;
  readonly question: KaiakQuestionHandler | undefined;
  readonly onUpdate: KaiakUpdateListener;
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
export class ClientSession
  extends AskingSession<KaiakSessionState, KaiakUpdateEvent, KaiakStopReason>
  implements KaiakSession
{
  readonly #link: ClientLink;
  #id: string;
  /** False until the server has named it, in dialects in which it does. */
  #isNamed: boolean;
  readonly #state: ClientState;
  #toolCalls = new ClientToolCalls();

  constructor(id: string, link: ClientLink, isNamed: boolean) {
    const state = new ClientState((error) => link.onError(error, undefined));
    super(state, link);
    this.#id = id;
    this.#isNamed = isNamed;
    this.#link = link;
    this.#state = state;
  }

  get id(): string {
    return this.#id;
  }

  /** Takes the id that the server has made. */
  named(id: string): void {
    this.#id = id;
    this.#isNamed = true;
  }

  prompt(incidents: readonly Incident[], options: KaiakPromptOptions = {}): KaiakTurn {
    checkArray("session.prompt", "incidents", incidents);
    const cancelled = new AbortController();
    let result: KaiakResult<"kaiak/generate_fix"> | undefined;
    const turn = this.begin({
      method: "kaiak/generate_fix",
      cancelMethod: "$/cancelRequest",
      sendCancel: () => this.#sendCancel(cancelled),
      onEnd: () => this.#state.end(),
      signal: options.signal,
    });
    this.#toolCalls = new ClientToolCalls();
    this.#state.start(incidents);
    if (turn.start()) {
      const asked = this.#send(incidents, options, turn, cancelled.signal);
      const reason = asked.then((answer) => {
        // A server of a dialect that does not count them leaves the number at 0.
        result = { ...answer, incident_count: answer.incident_count || incidents.length };
        return stopReasons[result.status];
      });
      void turn.follow(reason);
    }
    const whole = turn.stopReason.then(() => {
      if (result !== undefined) return result;
      throw new WireError("aborted", "kaiak/generate_fix: cancelled, but the server did not end the run");
    });
    whole.catch(() => {}); // an application that does not ask for the result gets the error elsewhere
    return { ...turn.stream, result: whole };
  }

  /** Starts the run. One without a name waits until no other run does. */
  #send(
    incidents: readonly Incident[],
    { migrationContext, options }: KaiakPromptOptions,
    turn: AskedTurn<KaiakUpdateEvent, KaiakStopReason>,
    signal: AbortSignal,
  ): Promise<KaiakResult<"kaiak/generate_fix">> {
    const { configuration, naming, profile, request } = this.#link;
    const { configuresRuns, serverNamesSessions } = profile().traits;
    const begins = serverNamesSessions && !this.#isNamed;
    const send = (): Promise<KaiakResult<"kaiak/generate_fix">> => {
      if (turn.cancelled) throw new WireError("aborted", "kaiak/generate_fix: cancelled before it was sent");
      const params: KaiakParams<"kaiak/generate_fix"> = { session_id: this.id, incidents: [...incidents] };
      if (migrationContext !== undefined) params.migration_context = migrationContext;
      if (options !== undefined) params.options = options;
      if (serverNamesSessions) params.begins = begins;
      if (configuresRuns && configuration !== undefined) params.configuration = configuration;
      return request("kaiak/generate_fix", params, { streams: true, signal, abort: "wait" });
    };
    return begins ? naming.first(this, send) : send();
  }

  /** Cancels by the dialect's own request, once, or by aborting the call. */
  #sendCancel(cancelled: AbortController): void {
    const { profile, onError } = this.#link;
    const { cancel } = profile().traits;
    if (cancel === undefined) return cancelled.abort();
    if (!this.#isNamed || cancelled.signal.aborted) return;
    cancelled.abort();
    void this.#tell(cancel(this.id)).catch((error: unknown) => onError(error, "kaiak/client/user_message"));
  }

  async delete({
    force,
    cleanupFiles,
    ...ask
  }: KaiakDeleteSessionOptions = {}): Promise<KaiakResult<"kaiak/delete_session">> {
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
  receive(event: KaiakUpdateEvent, chars: number): void | Promise<void> {
    this.#state.receive(event, chars);
    if (this.turn !== undefined) return this.turn.push(event, chars);
    this.#link.onDiagnostic({
      id: "late-notification",
      method: undefined,
      message: `session ${this.id} has no running turn; a notification of type ${event.type} came`,
    });
    this.#link.onUpdate(event, this);
  }

  receiveToolCall(content: KaiakParams<"kaiak/stream/tool_call">["content"], chars: number): void | Promise<void> {
    return this.receive({ type: "tool_call", toolCall: this.#toolCalls.receive(content, chars) }, chars);
  }

  receiveQuestion(
    content: KaiakParams<"kaiak/stream/user_interaction">["content"],
    chars: number,
  ): void | Promise<void> {
    const question = questionIn(content);
    const turn = this.turn;
    let isAnswered = false;
    const respond = async (answer: string): Promise<void> => {
      if (isAnswered)
        throw new WireError("invalid_params", `respond: the question ${question.questionId} already has an answer`);
      isAnswered = true;
      try {
        const { questionId, type, schema } = question;
        const { answer: answering } = this.#link.profile().traits;
        await this.#tell(answering({ sessionId: this.id, questionId, type, answer, schema }));
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
    turn: AskedTurn<KaiakUpdateEvent, KaiakStopReason>,
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
      onError(error, "kaiak/stream/user_interaction", failedToAnswer("question", "the server's default answer holds"));
    }
  }

  /** Sends an answer. Throws the `RemoteError` -32011 for one that the server refuses in its result. */
  async #tell({ method, params }: AnswerMessage): Promise<void> {
    const call = { timeoutMs: this.#link.timeoutMs, settle: "now" } as const;
    const { success, message = "" } = await this.#link.request(method, params as never, call);
    if (success === false) throw kaiakError("ResponseValidationFailed", undefined, message);
  }
}
