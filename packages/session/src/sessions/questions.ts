import { onAbort } from "@editwire/core/aborts";
import { isAbort } from "../turns/aborts.js";

/** How the questions of a session are answered. */
export interface QuestionsOptions<Subject, Answer> {
  /** The answer to a question that is cancelled. */
  readonly cancelled: Answer;
  /** The answer to a question whose handler throws. */
  readonly rejected: Answer;
  /**
   * Decides. `undefined` leaves the question open for `answer`. The type takes promises only: beside a union with plain
   * answers, TypeScript reads the text in `async () => "yes"` as any string.
   */
  readonly handler?:
    | ((subject: Subject, context: { readonly signal: AbortSignal }) => Promise<Answer | undefined>)
    | undefined;
  /** Gets what the handler throws. */
  readonly onError: (error: unknown) => void;
}

/** How one question is asked. */
export interface AskedQuestion {
  /** The name by which `answer` finds the question; several may have one. Default: a new one. */
  readonly id?: string | undefined;
  /** Called when the question is one of those in `open`, before the handler is called. */
  readonly onOpen?: (() => void) | undefined;
}

/**
 * The handler that the option `permission` stands for: `"manual"` leaves every question open, and without the option,
 * each is rejected.
 */
export function permissionHandler<Handler extends (...args: never[]) => Promise<unknown>>(
  option: Handler | "manual" | undefined,
): Handler {
  if (typeof option === "function") return option;
  const answer = option === "manual" ? undefined : "reject_once";
  return (async () => answer) as unknown as Handler;
}

interface Open<Subject, Answer> {
  readonly id: string;
  readonly subject: Subject;
  readonly settle: (answer: Answer) => void;
}

/** Questions to the user, such as whether a tool may run. Each is answered once, by the first answer. */
export class Questions<Subject, Answer> {
  readonly #options: QuestionsOptions<Subject, Answer>;
  /** In the order in which they were asked. Several may have one id. */
  readonly #open = new Set<Open<Subject, Answer>>();
  #last = 0;

  constructor(options: QuestionsOptions<Subject, Answer>) {
    this.#options = options;
  }

  /** The questions without an answer, oldest first. */
  get open(): readonly Subject[] {
    return Array.from(this.#open, ({ subject }) => subject);
  }

  /**
   * Asks. When a signal aborts, the answer is `cancelled` at once; what the handler returns later is ignored.
   */
  async ask(subject: Subject, signals: readonly AbortSignal[], asked: AskedQuestion = {}): Promise<Answer> {
    const { handler, cancelled, rejected, onError } = this.#options;
    const { id = `#${++this.#last}`, onOpen } = asked;
    const { promise, settle } = settleable<Answer>();
    const controller = new AbortController();
    const cancel = (): void => settle(cancelled);
    const question = { id, subject, settle };
    this.#open.add(question);
    onOpen?.();
    const stops = signals.map((signal) => onAbort(signal, cancel));
    if (signals.some(({ aborted }) => aborted)) cancel();
    else if (handler !== undefined) {
      const decide = async (): Promise<Answer | undefined> => handler(subject, { signal: controller.signal });
      decide().then(
        (answer) => answer !== undefined && settle(answer),
        (error: unknown) => {
          if (!controller.signal.aborted || !isAbort(error)) onError(error);
          settle(rejected);
        },
      );
    }
    try {
      return await promise;
    } finally {
      controller.abort();
      for (const stop of stops) stop();
      this.#open.delete(question);
    }
  }

  /** Answers the oldest open question of this id. Returns false when there is none. */
  answer(id: string, answer: Answer): boolean {
    const question = [...this.#open].find((open) => open.id === id);
    if (question === undefined) return false;
    this.#open.delete(question);
    question.settle(answer);
    return true;
  }

  /** Answers every open question with `cancelled`. */
  cancelAll(): void {
    for (const { settle } of this.#open) settle(this.#options.cancelled);
    this.#open.clear();
  }
}

function settleable<T>(): { promise: Promise<T>; settle: (value: T) => void } {
  let settle = (_value: T): void => {};
  const promise = new Promise<T>((resolve) => (settle = resolve));
  return { promise, settle };
}
