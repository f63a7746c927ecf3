import { onTestFinished } from "vitest";
import type { WireError } from "@editwire/core/errors";
import type { Transport } from "../src/index.js";
import type { Command, ProcessCommand } from "./far-end.js";

/** A command that every far end knows, or one that only some do. */
type AnyCommand = Command | ProcessCommand;
type Wanted = (value: Record<string, unknown>) => boolean;

/** The end under test: keeps what comes, and waits for what shall come. */
export class NearEnd {
  readonly received: Record<string, unknown>[] = [];
  readonly malformed: WireError[] = [];
  readonly reasons: WireError[] = [];
  readonly closed: Promise<WireError>;
  /** The listener's result for a message. */
  onMessage: (value: Record<string, unknown>) => void | Promise<void> = () => {};
  readonly transport: Transport;
  #waiting: { wanted: Wanted; resolve(value: Record<string, unknown>): void }[] = [];

  constructor(transport: Transport) {
    this.transport = transport;
    this.closed = new Promise((resolve) => {
      transport.start({
        message: (value) => this.#take(value as Record<string, unknown>),
        malformed: (error) => void this.malformed.push(error),
        closed: (reason) => {
          this.reasons.push(reason);
          resolve(reason);
        },
      });
    });
    onTestFinished(() => transport.close());
  }

  tell(command: AnyCommand): void | Promise<void> {
    return this.transport.send(JSON.stringify(command));
  }

  /** The first message from now on that has the key, or fits. */
  next(wanted: string | Wanted): Promise<Record<string, unknown>> {
    const fits: Wanted = typeof wanted === "string" ? (value) => wanted in value : wanted;
    return new Promise((resolve) => this.#waiting.push({ wanted: fits, resolve }));
  }

  /** Tells and waits for the answer. */
  async ask(command: AnyCommand, answer: string): Promise<Record<string, unknown>> {
    const next = this.next(answer);
    await this.tell(command);
    return next;
  }

  #take(value: Record<string, unknown>): void | Promise<void> {
    this.received.push(value);
    for (const { wanted, resolve } of this.#waiting) if (wanted(value)) resolve(value);
    this.#waiting = this.#waiting.filter(({ wanted }) => !wanted(value));
    return this.onMessage(value);
  }
}

/** A promise and its `resolve`. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
