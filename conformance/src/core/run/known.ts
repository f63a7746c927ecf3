import { Silence } from "../talk/silence.js";
import type { MalformedEntry, TraceEntry } from "../../trace/trace.js";

/**
 * The first answers of a run, and of each of its connections, show how patient the suite has to be: a machine may
 * become busy during a run. Later ones may depend on a model's mood.
 */
const FIRST_OF_RUN = 10;
const FIRST_OF_CONNECTION = 2;
/** A target whose answers mostly take this long is slow, unlike one that only takes long to start. */
const SLOW_MS = 400;
const SLOW_ANSWERS = 10;
const TIMES = 4;
const MOST_MS = 30_000;

/** Facts about its target that a run has found out, so that no other case has to find them out. */
export class Known {
  /** The kinds of messages that the target has never sent. */
  readonly silence = new Silence();
  #answers = 0;
  #slowest = 0;
  /** Of the answers that are no connection's first: how many there are, and how many were slow. */
  #later = 0;
  #late = 0;
  #actions = 0;
  #longestAction = 0;
  readonly #noise = new Set<string>();
  readonly #causes = new Map<string, string>();

  /** Returns a function that records the time of each answer on one connection. */
  stopwatch(): (ms: number) => void {
    let answers = 0;
    return (ms) => {
      const isFirst = this.#answers++ < FIRST_OF_RUN || answers < FIRST_OF_CONNECTION;
      if (answers > 0) this.#later += 1;
      if (answers > 0 && ms >= SLOW_MS) this.#late += 1;
      answers += 1;
      if (isFirst) this.#slowest = Math.max(this.#slowest, ms);
    };
  }

  /** Whether the target takes its time for most answers, so that more cases can run at the same time. */
  get isSlow(): boolean {
    return this.#later >= SLOW_ANSWERS && this.#late > this.#later / 2;
  }

  /** The shortest limit of a wait, in milliseconds. */
  get patience(): number {
    return Math.min(Math.round(this.#slowest * TIMES), MOST_MS);
  }

  /** Takes the milliseconds of an action that succeeded. */
  acted(ms: number): void {
    if (this.#actions++ < FIRST_OF_RUN) this.#longestAction = Math.max(this.#longestAction, ms);
  }

  /** The shortest limit of an action, in milliseconds. */
  get actionPatience(): number {
    return Math.min(Math.round(this.#longestAction * TIMES), MOST_MS);
  }

  /** Keeps what a target wrote before its first message: it does so at every start, and that is reported once. */
  learnNoise(entries: readonly TraceEntry[]): void {
    for (const entry of entries) {
      if (entry.from === "target" && entry.kind === "message") return;
      if (entry.from === "target" && entry.kind === "malformed") this.#noise.add(shapeOf(entry));
    }
  }

  /** Whether bytes that are not a message were reported before. */
  isNoise(entry: TraceEntry): boolean {
    return entry.kind === "malformed" && entry.from === "target" && this.#noise.has(shapeOf(entry));
  }

  /** Keeps why cases cannot be judged as usual, by a short name; the first text stays. */
  blame(name: string, text: string): void {
    if (!this.#causes.has(name)) this.#causes.set(name, text);
  }

  /** The text of a cause that was found. */
  cause(name: string): string | undefined {
    return this.#causes.get(name);
  }

  /** Every cause that was found, once. */
  get causes(): readonly string[] {
    return [...new Set(this.#causes.values()), ...this.silence.notes];
  }
}

/** The same for the same noise at another time: numbers, such as ports and times, do not count. */
const shapeOf = ({ problem, excerpt }: MalformedEntry): string => `${problem} ${excerpt}`.replaceAll(/\d+/g, "N");
