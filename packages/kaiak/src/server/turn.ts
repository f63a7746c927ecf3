import { startTimer } from "@editwire/core/timers";
import { isRemoteError, isWireError, RemoteError, WireError } from "@editwire/core";
import type {
  AiResponseContent,
  ErrorContent,
  FileModificationContent,
  FixOptions,
  FixStatus,
  FullConfiguration,
  Incident,
  KaiakMethods,
  KaiakParams,
  MigrationContext,
  ProgressContent,
  SystemContent,
  ToolStatus,
} from "@editwire/kaiak-schema";
import { AnsweredTurn } from "@editwire/session";
import type { Interactions, KaiakAsk } from "./interactions.js";
import type { KaiakServerSession, ServerSession } from "./session.js";
import { now } from "../shared/time.js";

/** A tool call to report. */
export interface KaiakNewToolCall {
  readonly name: string;
  /** Such as `read`. Default: the name. */
  readonly operation?: string | undefined;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool call, whose changes are reported. One that is open at the end of the run is reported as `failed`. */
export interface KaiakToolCall {
  /** Reports another status. `denied` and `timeout` end the call. */
  update(status: ToolStatus): void | Promise<void>;
  complete(output?: string): void | Promise<void>;
  fail(error: string): void | Promise<void>;
}

/** A change of a file to report. */
export type KaiakNewFileModification = Omit<FileModificationContent, "proposal_id" | "requires_approval">;

/** How a change is approved. */
export type KaiakPermissionOptions = Pick<KaiakAsk, "prompt" | "defaultResponse" | "timeoutMs" | "signal">;

/**
 * One run. Everything sent through it reaches the client before the result; afterwards it throws `WireError("closed")`.
 * Methods return a promise only when the client is slow.
 */
export interface KaiakServerTurn {
  readonly session: KaiakServerSession;
  readonly requestId: string;
  readonly incidents: readonly Incident[];
  readonly migrationContext: MigrationContext;
  readonly options: FixOptions;
  readonly configuration: FullConfiguration;
  /** Aborts when the client cancels the run or is gone, and after `max_processing_time`. */
  readonly signal: AbortSignal;
  /** Reports how far the run is. A percentage below the last one is raised to it. */
  progress(progress: ProgressContent): void | Promise<void>;
  /** Sends text of the model, by default whole. */
  text(text: string, more?: Partial<Omit<AiResponseContent, "text">>): void | Promise<void>;
  thought(text: string): void | Promise<void>;
  /** Announces a tool call as `executing`, or with another first status. */
  toolCall(call: KaiakNewToolCall, status?: ToolStatus): Promise<KaiakToolCall>;
  /**
   * Asks the user. Resolves with `undefined` when nobody answers and there is no default, and when the run is
   * cancelled.
   */
  ask(question: KaiakAsk): Promise<string | undefined>;
  /** Reports a change of a file that needs no permission. */
  fileModification(modification: KaiakNewFileModification): void | Promise<void>;
  /** Proposes a change of a file and asks for permission: `approve`, `deny` or `edit`, `undefined` as for `ask`. */
  proposeFileModification(
    modification: KaiakNewFileModification,
    permission?: Partial<KaiakPermissionOptions>,
  ): Promise<"approve" | "deny" | "edit" | undefined>;
  /** Reports a fault. After one that is not recoverable the run ends as `failed`. */
  error(error: ErrorContent): void | Promise<void>;
  system(system: SystemContent): void | Promise<void>;
}

/**
 * Runs. Returning nothing means `completed`; `cancelled` is for a run that something else than its client ended. The
 * type takes async functions only: beside plain statuses, TypeScript reads the text in `async () => "failed"` as any
 * string.
 */
export type KaiakTurnHandler = (turn: KaiakServerTurn) => Promise<FixStatus | void>;

/** Sends a notification of a run. */
export type SendStream = (
  method: Extract<keyof KaiakMethods, `kaiak/stream/${string}`>,
  params: object,
) => void | Promise<void>;

export interface ServerTurnParts {
  readonly session: ServerSession;
  readonly params: KaiakParams<"kaiak/generate_fix">;
  readonly interactions: Interactions;
  readonly send: SendStream;
  readonly onError: (error: unknown) => void;
  readonly cancelGraceMs: number;
}

/** The statuses without a result after which a tool call is over. */
const endStatuses: ReadonlySet<ToolStatus> = new Set<ToolStatus>(["denied", "timeout"]);

/** Seconds that a run may take, where the client does not say. */
const defaultMaxSeconds = 300;

/** A `KaiakServerTurn` with the part that the connection uses. */
export class ServerTurn implements KaiakServerTurn {
  readonly session: ServerSession;
  readonly requestId = `req-${crypto.randomUUID()}`;
  readonly configuration: FullConfiguration;
  readonly #parts: ServerTurnParts;
  readonly #turn: AnsweredTurn;
  #percentage = 0;
  #isFailed = false;
  #isLate = false;

  constructor(parts: ServerTurnParts) {
    this.#parts = parts;
    this.session = parts.session;
    this.configuration = parts.session.configuration;
    this.#turn = new AnsweredTurn(`the run ${this.requestId}`);
  }

  get incidents(): readonly Incident[] {
    return this.#parts.params.incidents;
  }

  get migrationContext(): MigrationContext {
    return this.#parts.params.migration_context ?? {};
  }

  get options(): FixOptions {
    return this.#parts.params.options ?? {};
  }

  get signal(): AbortSignal {
    return this.#turn.signal;
  }

  progress(progress: ProgressContent): void | Promise<void> {
    this.#percentage = Math.max(this.#percentage, progress.percentage);
    return this.#send("kaiak/stream/progress", { ...progress, percentage: this.#percentage });
  }

  text(text: string, more: Partial<Omit<AiResponseContent, "text">> = {}): void | Promise<void> {
    return this.#send("kaiak/stream/ai_response", { text, partial: false, ...more });
  }

  thought(text: string): void | Promise<void> {
    return this.#send("kaiak/stream/thinking", { text });
  }

  async toolCall(
    { name, operation = name, arguments: parameters = {} }: KaiakNewToolCall,
    status: ToolStatus = "executing",
  ): Promise<KaiakToolCall> {
    const startedAt = performance.now();
    const tool_call_id = `call-${crypto.randomUUID()}`;
    const send = (to: ToolStatus, result?: object): void | Promise<void> =>
      this.#post("kaiak/stream/tool_call", {
        tool_name: name,
        operation,
        parameters,
        status: to,
        tool_call_id,
        ...(result && { result }),
      });
    const end = (to: ToolStatus, result: object): void | Promise<void> => {
      closed();
      return send(to, { ...result, execution_time: Math.round(performance.now() - startedAt) });
    };
    this.#turn.check("kaiak/stream/tool_call");
    const closed = this.#turn.opened(() => end("failed", { success: false, error: "the run ended" }));
    await send(status);
    const checked = <Args extends unknown[]>(action: (...args: Args) => void | Promise<void>) => {
      return (...args: Args): void | Promise<void> => {
        this.#turn.check("kaiak/stream/tool_call");
        return action(...args);
      };
    };
    return {
      update: checked((to: ToolStatus) => {
        if (endStatuses.has(to)) closed();
        return send(to);
      }),
      complete: checked((output?: string) =>
        end("completed", { success: true, ...(output === undefined ? {} : { output }) }),
      ),
      fail: checked((error: string) => end("failed", { success: false, error })),
    };
  }

  async ask(question: KaiakAsk): Promise<string | undefined> {
    const { prompt, options, defaultResponse, timeoutMs = 300_000 } = question;
    this.#turn.check("kaiak/stream/user_interaction");
    const { type = options === undefined ? "text_input" : "choice" } = question;
    return this.#parts.interactions.ask(question, this.signal, (interaction_id) =>
      this.#send("kaiak/stream/user_interaction", {
        interaction_id,
        interaction_type: type,
        prompt,
        ...(options === undefined ? {} : { options: [...options] }),
        ...(defaultResponse === undefined ? {} : { default_response: defaultResponse }),
        timeout: timeoutMs / 1_000,
      }),
    );
  }

  fileModification(modification: KaiakNewFileModification): void | Promise<void> {
    return this.#modification(modification, false);
  }

  async proposeFileModification(
    modification: KaiakNewFileModification,
    { prompt = `Apply the change to ${modification.file_path}?`, ...permission }: Partial<KaiakPermissionOptions> = {},
  ): Promise<"approve" | "deny" | "edit" | undefined> {
    await this.#modification(modification, true);
    const options = ["approve", "deny", "edit"];
    const answer = await this.ask({ type: "file_approval", prompt, options, ...permission });
    return answer as "approve" | "deny" | "edit" | undefined;
  }

  error(error: ErrorContent): void | Promise<void> {
    const sent = this.#send("kaiak/stream/error", error);
    if (!error.recoverable) this.#isFailed = true;
    return sent;
  }

  system(system: SystemContent): void | Promise<void> {
    return this.#send("kaiak/stream/system", system);
  }

  /** Ends the run as `cancelled`, now or as soon as it starts. */
  cancel(): void {
    this.#turn.cancel();
  }

  /** Runs the handler. Resolves with how the run ended. Rejects only with a `RemoteError` that the handler threw. */
  async run(handler: KaiakTurnHandler): Promise<FixStatus> {
    const { cancelGraceMs, onError, params } = this.#parts;
    const seconds = params.options?.max_processing_time ?? defaultMaxSeconds;
    const stopTimer = startTimer(seconds * 1_000, () => {
      this.#isLate = this.#turn.cancel();
    });
    try {
      return await this.#turn.run(() => handler(this), {
        cancelGraceMs,
        onError,
        end: async (outcome) => {
          if (this.#isLate) return this.#fail("PROCESSING_TIMEOUT", `The run took longer than ${seconds} s`);
          if (outcome.type === "cancelled") return "cancelled";
          if (outcome.type === "returned") return this.#isFailed ? "failed" : (outcome.result ?? "completed");
          if (isRemoteError(outcome.error)) throw outcome.error;
          onError(outcome.error);
          const code = isWireError(outcome.error, "overloaded") ? "OVERLOADED" : "INTERNAL_ERROR";
          return this.#fail(code, RemoteError.of(outcome.error).message);
        },
      });
    } finally {
      stopTimer();
    }
  }

  async #fail(error_code: string, message: string): Promise<FixStatus> {
    try {
      await this.#post("kaiak/stream/error", { error_code, message, recoverable: false });
    } catch (error) {
      if (!isWireError(error, "closed") && !isWireError(error, "overloaded")) throw error; // nobody reads it
    }
    return "failed";
  }

  #modification(modification: KaiakNewFileModification, requires_approval: boolean): void | Promise<void> {
    const proposal_id = `proposal-${crypto.randomUUID()}`;
    return this.#send("kaiak/stream/file_modification", { proposal_id, ...modification, requires_approval });
  }

  #send(method: Parameters<SendStream>[0], content: object): void | Promise<void> {
    this.#turn.check(method);
    if (this.#isFailed) throw new WireError("closed", `${method}: the run ${this.requestId} has failed`);
    return this.#post(method, content);
  }

  #post(method: Parameters<SendStream>[0], content: object): void | Promise<void> {
    return this.#parts.send(method, {
      session_id: this.session.id,
      request_id: this.requestId,
      message_id: this.session.nextMessageId(),
      timestamp: now(),
      content,
    });
  }
}
