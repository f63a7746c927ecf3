import { AcpErrorCode, type AcpResult, type Meta, type StopReason } from "@editwire/acp-schema";
import type { SessionActivity } from "@editwire/acp-schema/v2";
import { ErrorCode, isObject, isRemoteError, RemoteError } from "@editwire/core";
import { onAbort } from "@editwire/core/aborts";
import { startHoldingTimer } from "@editwire/core/timers";

/** Milliseconds after which an idle state ends a prompt although the agent never said that it works. */
const quietMs = 2_000;

/** The reasons that version 1 has. */
const reasons: ReadonlySet<string> = new Set<StopReason>([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
]);

/** The agent's answer to a prompt. */
interface Inserted {
  readonly messageId: string;
  readonly _meta?: Meta | undefined;
}

/** The messages that a session sends for its prompts. */
export interface PromptCalls {
  /** Sends a prompt, which `withdrawn` cancels; `onReply` is called when its answer is read. */
  send(onReply: () => void, withdrawn: AbortSignal): Promise<Inserted>;
  /** Sends `session/cancel`. */
  cancel(): void | Promise<void>;
}

/** A prompt whose turn has not ended. */
class OpenPrompt {
  /** The count of ends when the agent's answer was read. */
  answeredAt = 0;
  /** The id of its message, once the agent has inserted it. */
  messageId: string | undefined;
  /** Withdraws it, as long as it is not inserted. */
  readonly withdrawn = new AbortController();
  readonly ended: Promise<SessionActivity>;
  end: (activity: SessionActivity) => void = () => {};
  fail: (error: Error) => void = () => {};

  constructor() {
    this.ended = new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
  }
}

/**
 * The foreground work of one session, and the prompts that wait for its end. The answer to a prompt only says that its
 * message is inserted. Its turn ends when foreground work ends for the first time after that: with an idle state that
 * follows another state. A repeated idle state ends nothing.
 */
export class SessionPrompts {
  readonly #onQuiet: () => void;
  readonly #open = new Set<OpenPrompt>();
  #busy = false;
  /** How often foreground work has ended. */
  #count = 0;
  /** These ends, in order, since the oldest open prompt was sent. */
  #ends: SessionActivity[] = [];
  /** The user's messages since then, each with the count of ends at its first mention. */
  readonly #inserted = new Map<string, number>();
  /** Stops the wait for more after an idle state that follows another one. */
  #stopWaiting: (() => void) | undefined;

  /** @param onQuiet Called when a turn is ended although the agent never said that it worked. */
  constructor(onQuiet: () => void) {
    this.#onQuiet = onQuiet;
  }

  /** Sends a prompt, and resolves at the end of its turn. `givenUp` aborts when nobody waits for it any more. */
  async run({ send, cancel }: PromptCalls, givenUp: AbortSignal | undefined): Promise<AcpResult<"session/prompt">> {
    if (this.#open.size === 0) {
      this.#ends = [];
      this.#inserted.clear();
    }
    const prompt = new OpenPrompt();
    this.#open.add(prompt);
    const stop = givenUp && onAbort(givenUp, () => prompt.fail(new Error("nobody waits for this turn")));
    try {
      const sent = send(() => (prompt.answeredAt = this.#count), prompt.withdrawn.signal);
      const inserted = sent.then(async (answer) => {
        prompt.messageId = answer.messageId;
        this.#settle(prompt);
        if (prompt.withdrawn.signal.aborted) await cancel(); // it was inserted all the same
        return resultOf(await prompt.ended, answer);
      });
      return await Promise.race([inserted, prompt.ended.then((end) => resultOf(end, {}))]);
    } catch (error) {
      if (isRemoteError(error, AcpErrorCode.RequestCancelled)) return { stopReason: "cancelled" };
      throw error;
    } finally {
      stop?.();
      if (prompt.messageId === undefined) prompt.withdrawn.abort();
      this.#open.delete(prompt);
    }
  }

  /**
   * Withdraws the prompts that are not inserted yet. If there is none, or that was done before, it cancels the
   * foreground work, unless that is none of these prompts'. Nothing is sent when nothing runs.
   */
  cancel(send: () => void | Promise<void>): void | Promise<void> {
    const waiting = [...this.#open].filter(({ messageId }) => messageId === undefined);
    const fresh = waiting.filter(({ withdrawn }) => !withdrawn.signal.aborted);
    for (const { withdrawn } of fresh) withdrawn.abort();
    const isOthers = this.#busy && waiting.length > 0 && waiting.length === this.#open.size;
    if (fresh.length === 0 && !isOthers && (this.#busy || this.#open.size > 0)) return send();
  }

  /** Takes what the agent says about its work. */
  receive(activity: SessionActivity): void {
    this.touch();
    const wasBusy = this.#busy;
    this.#busy = activity.state !== "idle";
    if (this.#busy || this.#open.size === 0) return;
    if (!wasBusy) return this.#waitForMore(activity);
    this.#count++;
    this.#ends.push(activity);
    for (const prompt of this.#open) this.#settle(prompt);
  }

  /** A message of the user is in the conversation. */
  insert(messageId: string): void {
    if (this.#open.size > 0 && !this.#inserted.has(messageId)) this.#inserted.set(messageId, this.#count);
  }

  /** Something else came: the agent is at work, whatever it says. */
  touch(): void {
    this.#stopWaiting?.();
  }

  /** The session is closed: the agent says nothing more about it. */
  close(): void {
    for (const prompt of this.#open) prompt.end({ state: "idle", stopReason: "cancelled" });
  }

  /** The connection is closed. */
  fail(error: Error): void {
    for (const prompt of this.#open) prompt.fail(error);
  }

  /** Ends an inserted prompt with the first end of work after its insertion. */
  #settle(prompt: OpenPrompt): void {
    if (prompt.messageId === undefined) return;
    const insertedAt = this.#inserted.get(prompt.messageId) ?? prompt.answeredAt;
    const end = this.#ends[this.#ends.length - (this.#count - insertedAt)];
    if (end !== undefined) prompt.end(end);
  }

  /** An idle state with a reason ends the inserted prompts if nothing else follows it. */
  #waitForMore(activity: SessionActivity): void {
    if (activity["stopReason"] === undefined) return;
    const stop = startHoldingTimer(quietMs, () => {
      this.touch();
      for (const prompt of this.#open) {
        if (prompt.messageId === undefined) continue;
        this.#onQuiet();
        prompt.end(activity);
      }
    });
    this.#stopWaiting = () => {
      stop();
      this.#stopWaiting = undefined;
    };
  }
}

/** The end of a turn, as version 1 has it. Throws the error of work that failed. */
function resultOf(activity: SessionActivity, { _meta }: Pick<Inserted, "_meta">): AcpResult<"session/prompt"> {
  const { stopReason, error, usage } = activity as { stopReason?: string; error?: unknown; usage?: unknown };
  if (stopReason === "error") throw failure(error);
  const reason = stopReason !== undefined && reasons.has(stopReason) ? stopReason : "end_turn";
  return {
    stopReason: reason as StopReason,
    ...(usage === undefined ? {} : { usage }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

function failure(error: unknown): RemoteError {
  const { code, message, data } = isObject(error) ? error : {};
  return new RemoteError(
    typeof code === "number" ? code : ErrorCode.InternalError,
    typeof message === "string" ? message : "the turn failed",
    data,
  );
}
