/** Who did it. `model` is the scripted model server of a target that is backed by a language model. */
export type Party = "suite" | "target" | "model";

/** How a message was framed. */
export interface FrameInfo {
  /** `line`, `header`, `sse`, `post`, `ws`. */
  readonly framing: string;
  /** Bytes of the body. */
  readonly size: number;
  /** What else there is to know, such as the header block. */
  readonly detail?: string | undefined;
  /** How the lines of a header end, if one does not end as it should. */
  readonly ending?: "line feed" | undefined;
  /** What stands between the frame before and this one's header, if anything does. */
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

/** What the target wrote on its stderr. */
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

/** Everything that happened on one connection, in order. */
export class Trace {
  readonly entries: TraceEntry[] = [];
  readonly #listeners = new Set<(entry: TraceEntry) => void>();
  readonly #start = performance.now();

  /** Numbers an entry, keeps it and tells everyone. */
  add(entry: NewEntry): TraceEntry {
    const at = Math.round((performance.now() - this.#start) * 1000) / 1000;
    const numbered = { ...entry, seq: this.entries.length, at } as TraceEntry;
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
