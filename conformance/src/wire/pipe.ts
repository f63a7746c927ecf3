/** Called with what arrives at one end of a pipe. */
export interface PipeEvents {
  data(chunk: Uint8Array): void;
  /** The other end will write no more. */
  end(): void;
}

/** One end of a stream of bytes in both directions. */
export interface PipeEnd {
  /** Called once; what came before is delivered then. */
  listen(events: PipeEvents): void;
  write(chunk: Uint8Array): void;
  /** Says that no more bytes come from here. */
  end(): void;
  /** Drops both directions at once. */
  destroy(): void;
}

/** A pipe in memory: two ends, bytes in order, delivered in a later microtask as a real pipe would. */
export function memoryPipe(): [PipeEnd, PipeEnd] {
  const left = new MemoryEnd();
  const right = new MemoryEnd();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class MemoryEnd implements PipeEnd {
  peer: MemoryEnd | undefined;
  #events: PipeEvents | undefined;
  readonly #queue: (Uint8Array | "end")[] = [];
  #scheduled = false;
  #ended = false;
  #dead = false;

  listen(events: PipeEvents): void {
    this.#events = events;
    this.#schedule();
  }

  write(chunk: Uint8Array): void {
    if (!this.#ended && this.peer !== undefined) this.peer.#receive(chunk);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.peer !== undefined) this.peer.#receive("end");
  }

  destroy(): void {
    this.end();
    this.#dead = true;
    this.peer?.end();
  }

  #receive(item: Uint8Array | "end"): void {
    if (this.#dead) return;
    this.#queue.push(item);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#events === undefined || this.#queue.length === 0) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) {
        if (item === "end") this.#events?.end();
        else this.#events?.data(item);
      }
    });
  }
}
