import { onAbort } from "@editwire/core/aborts";
import { startTimer } from "@editwire/core/timers";
import type { RemoteError } from "@editwire/core";
import { kaiakError, type KaiakParams } from "@editwire/kaiak-schema";
import { LatestMap } from "@editwire/session";

/** A question that a server asks the user. */
export interface KaiakAsk {
  /** Default: `choice` with options, `text_input` without. */
  readonly type?: KaiakParams<"kaiak/stream/user_interaction">["content"]["interaction_type"] | undefined;
  readonly prompt: string;
  /** The answers to choose from. Default: any text. */
  readonly options?: readonly string[] | undefined;
  /** The answer when nobody answers in time. */
  readonly defaultResponse?: string | undefined;
  /** Milliseconds to wait. Default 300,000. */
  readonly timeoutMs?: number | undefined;
  /** Aborting it ends the question without an answer. A later answer of the client is refused with -32010. */
  readonly signal?: AbortSignal | undefined;
}

interface Open {
  readonly options: readonly string[];
  readonly settle: (answer: string | undefined) => void;
}

/** Ids of questions that are over and remembered, so that a late answer is recognized. */
const maxClosed = 10_000;

/** The questions of all runs. A client may answer on any connection. */
export class Interactions {
  readonly #open = new Map<string, Open>();
  readonly #closed = new LatestMap<string, true>(maxClosed);

  /**
   * Asks. `send` tells the client; the answer is undefined when a signal aborts, and the default one when the time is
   * over.
   */
  async ask(
    { options = [], defaultResponse, timeoutMs = 300_000, signal: own }: KaiakAsk,
    turnSignal: AbortSignal,
    send: (interactionId: string) => void | Promise<void>,
  ): Promise<string | undefined> {
    const signal = own === undefined ? turnSignal : AbortSignal.any([turnSignal, own]);
    if (signal.aborted) return undefined;
    const id = `interaction-${crypto.randomUUID()}`;
    let settle = (_answer: string | undefined): void => {};
    const answered = new Promise<string | undefined>((resolve) => (settle = resolve));
    const cancel = (): void => settle(undefined);
    this.#open.set(id, { options, settle });
    const stopWatching = onAbort(signal, cancel);
    let stopTimer = (): void => {};
    try {
      await send(id);
      stopTimer = startTimer(timeoutMs, () => settle(defaultResponse));
      return await answered;
    } finally {
      stopTimer();
      stopWatching();
      this.#close(id);
    }
  }

  /** Takes an answer. Throws the `RemoteError` -32009, -32010 or -32011 for one that does not count. */
  answer(id: string, data: unknown): void {
    const open = this.#open.get(id);
    if (open === undefined) throw this.#refusal(id);
    open.settle(chosen(id, data, open.options));
    this.#close(id);
  }

  #close(id: string): void {
    this.#open.delete(id);
    this.#closed.set(id, true);
  }

  #refusal(id: string): RemoteError {
    const data = { interaction_id: id };
    return kaiakError(this.#closed.has(id) ? "InteractionAlreadyResponded" : "InteractionNotFound", data);
  }
}

/** The answers of later clients, and the options that may be meant by them. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  allow_once: ["approve", "allow", "yes"],
  always_allow: ["approve", "allow", "yes"],
  deny: ["reject", "no"],
};

function chosen(id: string, data: unknown, options: readonly string[]): string {
  const text = textIn(data);
  const answer =
    text === undefined || options.length === 0
      ? text
      : [text, ...(synonyms[text] ?? [])].find((option) => options.includes(option));
  if (answer !== undefined) return answer;
  const expected = options.length === 0 ? "a string" : `one of ${options.join(", ")}`;
  throw kaiakError("ResponseValidationFailed", { interaction_id: id, options: [...options] }, `expected ${expected}`);
}

/** An answer is a text, or an object with the text in one of these fields. */
function textIn(data: unknown): string | undefined {
  if (typeof data === "string") return data;
  if (typeof data !== "object" || data === null) return undefined;
  const fields = data as Readonly<Record<string, unknown>>;
  return ["response", "action", "value", "text", "user_data"]
    .map((name) => fields[name])
    .find((value) => typeof value === "string") as string | undefined;
}
