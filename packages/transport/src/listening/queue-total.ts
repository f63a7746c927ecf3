import { WireError } from "@editwire/core/errors";
import type { ListenerReports } from "./reports.js";
import type { Transport } from "../transport.js";

/** The waiting bytes for one peer of a listener. */
export interface Held {
  /** Bytes or characters that wait for the peer. */
  readonly queuedBytes: number;
  /** Bytes that were sent, and are kept for a peer that lost them. */
  readonly keptBytes?: number | undefined;
  /** Drops what is kept. */
  dropKept?(): void;
  /** Closes the connection at once. Waiting messages are dropped. */
  cut(reason: WireError): void;
}

/** A transport that its listener may close for what waits in it. */
export interface HeldTransport extends Transport, Held {
  /** Called with the length of each message that must wait, because the peer is slow. */
  onSlow: ((length: number) => void) | undefined;
}

/** Bytes that may wait in all connections of a listener together. */
export const defaultMaxQueuedTotal = 64 * 1024 * 1024;

/** The number of further waiting bytes after which all connections are counted again. */
const longestStep = 1024 * 1024;

/**
 * Bounds what waits in all connections of a listener together. Past it, the slowest connection is closed: the one with
 * the most bytes, of those that wait for their peers.
 */
export class QueueTotal {
  readonly #maxBytes: number;
  readonly #step: number;
  readonly #reports: ListenerReports;
  readonly #all = new Set<Held>();
  #grown = 0;

  constructor(maxBytes: number, reports: ListenerReports) {
    this.#maxBytes = maxBytes;
    this.#step = Math.min(longestStep, maxBytes / 16);
    this.#reports = reports;
  }

  /** Counts what waits in a connection. Returns what ends that. */
  add(held: Held): () => void {
    this.#all.add(held);
    return () => void this.#all.delete(held);
  }

  /** As `add`, for a transport that says what must wait. */
  watch(transport: HeldTransport): () => void {
    transport.onSlow = this.grew;
    return this.add(transport);
  }

  /** One of the connections holds `bytes` more. */
  readonly grew = (bytes: number): void => {
    const before = this.#grown;
    this.#grown += bytes;
    // Not at once: the sender must not find its connection closed inside its own call.
    if (before < this.#step && this.#grown >= this.#step) queueMicrotask(() => this.#check());
  };

  #check(): void {
    this.#grown = 0;
    let total = 0;
    for (const held of this.#all) total += sizeOf(held);
    while (total > this.#maxBytes) {
      const slowest = this.#largest(({ queuedBytes }) => queuedBytes > 0);
      const fullest = slowest ?? this.#largest(({ keptBytes = 0 }) => keptBytes > 0);
      if (fullest === undefined) return;
      total -= sizeOf(fullest);
      if (slowest === undefined) fullest.dropKept?.();
      else this.#cut(slowest, total + sizeOf(slowest));
    }
  }

  #cut(slowest: Held, total: number): void {
    const limit = `${total} bytes wait in all connections, ${this.#maxBytes} are allowed (maxQueuedTotal)`;
    this.#all.delete(slowest);
    const own = `it had ${sizeOf(slowest)} bytes; ${limit}`;
    this.#reports.add("listener.overloaded", "the slowest connection was closed", own);
    slowest.cut(new WireError("overloaded", `the other end is too slow: ${limit}`));
  }

  #largest(isMeant: (held: Held) => boolean): Held | undefined {
    let largest: Held | undefined;
    for (const held of this.#all)
      if (isMeant(held) && (largest === undefined || sizeOf(held) > sizeOf(largest))) largest = held;
    return largest;
  }
}

function sizeOf({ queuedBytes, keptBytes = 0 }: Held): number {
  return queuedBytes + keptBytes;
}
