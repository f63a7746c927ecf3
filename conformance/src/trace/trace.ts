/** Who did it. `model` is the scripted model server of a target that is backed by a language model. */
export type Party = "suite" | "target" | "model";

/** How a message was framed. */
export interface FrameInfo {
  /** `line`, `header`, `sse`, `post`, `ws`. */
  readonly framing: string;
  /** Bytes of the body. */
  readonly size: number;
  /** Further details, such as the header block. */
  readonly detail?: string | undefined;
  /** How the lines of a header end, if one does not end as it should. */
  readonly ending?: "line feed" | undefined;
  /** The separator between the previous frame and this one's header, if there is any. */
  readonly before?: "blank line" | undefined;
}

interface EntryBase {
  /** Position in its trace, from 0. */
  readonly seq: number;
  /** Milliseconds since the trace began. */
  readonly at: number;
  readonly from: Party;
}

/** Bytes as they went over the wire, in one chunk. */
export interface BytesEntry extends EntryBase {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
}

/** A whole message. */
export interface MessageEntry extends EntryBase {
  readonly kind: "message";
  readonly message: unknown;
  readonly frame?: FrameInfo | undefined;
}

/** Bytes where a message should be. */
export interface MalformedEntry extends EntryBase {
  readonly kind: "malformed";
  readonly problem: string;
  /** The first bytes, as text. */
  readonly excerpt: string;
}

/** A text that the target wrote on its stderr. */
export interface StderrEntry extends EntryBase {
  readonly kind: "stderr";
  readonly text: string;
}

/** Anything else: `open`, `half-close`, `exit`, `http`, `sse`, `fault`, `case`. */
export interface EventEntry extends EntryBase {
  readonly kind: "event";
  readonly name: string;
  readonly data?: unknown;
}

/** One thing that happened on a connection. */
export type TraceEntry = BytesEntry | MessageEntry | MalformedEntry | StderrEntry | EventEntry;

type Unnumbered<T> = T extends TraceEntry ? Omit<T, "seq" | "at"> : never;
/** An entry before the trace gives it its number and time. */
export type NewEntry = Unnumbered<TraceEntry>;

/** The limit above which a target's output counts as a flood. */
export interface TraceBudget {
  /** Of its output and of its stderr, each, in all. */
  readonly bytes: number;
  /** Entries beside chunks of bytes: messages, what is malformed, pieces of stderr. */
  readonly entries: number;
  /** Chunks of bytes: a target may write each character by itself. */
  readonly chunks: number;
}

/** A live connection: its trace must fit into memory, and cases look at all of it. */
export const liveBudget: TraceBudget = { bytes: 32 * 1024 * 1024, entries: 20_000, chunks: 300_000 };

/** Everything that happened on one connection, in order, until the target floods it. */
export class Trace {
  readonly entries: TraceEntry[] = [];
  /** Resolves at a flood. Everything that the target sends from then on is dropped. */
  readonly flooded: Promise<void>;
  readonly #listeners = new Set<(entry: TraceEntry) => void>();
  readonly #start = performance.now();
  readonly #budget: TraceBudget | undefined;
  /** The amounts that the target has sent. */
  readonly #sizes = { bytes: 0, message: 0, malformed: 0, stderr: 0, event: 0 };
  readonly #counts = { chunks: 0, entries: 0 };
  #flood = (): void => {};
  #isFlooded = false;

  /** Without a budget, a target may send anything. */
  constructor(budget?: TraceBudget) {
    this.#budget = budget;
    this.flooded = new Promise((resolve) => (this.#flood = resolve));
  }

  /** Whether the target has sent more than the budget allows. */
  get isFlooded(): boolean {
    return this.#isFlooded;
  }

  /** Whether a target has used this share of the budget, from 0 to 1. */
  hasUsed(share: number): boolean {
    if (this.#budget === undefined) return false;
    const { bytes, entries, chunks } = this.#budget;
    const isMany = this.#counts.entries > share * entries || this.#counts.chunks > share * chunks;
    return isMany || Object.values(this.#sizes).some((size) => size > share * bytes);
  }

  /** Numbers an entry, keeps it and tells everyone. */
  add(entry: NewEntry): TraceEntry {
    if (this.#isFlooded && entry.from === "target" && entry.kind !== "event") return this.#number(entry);
    const kept = this.#keep(entry);
    if (entry.from !== "target") return kept;
    this.#sizes[entry.kind] += sizeOf(entry);
    this.#counts[entry.kind === "bytes" ? "chunks" : "entries"] += 1;
    if (!this.#isFlooded && this.hasUsed(1)) this.#endFlood(entry.kind);
    return kept;
  }

  #endFlood(kind: TraceEntry["kind"]): void {
    this.#isFlooded = true;
    const problem = `a flood: ${this.#sizes[kind]} bytes, ${this.#counts.entries} entries`;
    // A target may write anything on stderr, although not without end.
    if (kind !== "stderr") this.#keep({ kind: "malformed", from: "target", problem, excerpt: "" });
    this.#keep({ kind: "event", from: "target", name: "flood", data: { of: kind, problem } });
    this.#flood();
  }

  #number(entry: NewEntry): TraceEntry {
    const at = Math.round((performance.now() - this.#start) * 1000) / 1000;
    return { ...entry, seq: this.entries.length, at } as TraceEntry;
  }

  #keep(entry: NewEntry): TraceEntry {
    const numbered = this.#number(entry);
    this.entries.push(numbered);
    for (const listener of [...this.#listeners]) listener(numbered);
    return numbered;
  }

  /** Calls back for every entry from now on; returns how to stop. */
  subscribe(listener: (entry: TraceEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Whether an entry is the end of a flooded connection. */
export const isFlood = (entry: TraceEntry): boolean => entry.kind === "event" && entry.name === "flood";

/** The bytes that an entry of a target stands for. */
export function sizeOf(entry: NewEntry): number {
  if (entry.kind === "bytes") return entry.bytes.length;
  if (entry.kind === "stderr") return entry.text.length;
  return entry.kind === "message" ? (entry.frame?.size ?? 0) : 0;
}
