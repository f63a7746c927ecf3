import { WireError } from "@editwire/core/errors";
import { type Backlog, Mailbox, type MailboxLimits } from "./mailbox.js";

/** The limits of the event streams of one client. */
export interface MailboxesLimits extends MailboxLimits {
  readonly maxStreams: number;
}

/** The event streams of one client, by their names. */
export class Mailboxes {
  readonly #limits: MailboxesLimits;
  readonly #backlog: Backlog = { queuedBytes: 0 };
  readonly #byName = new Map<string, Mailbox>();

  constructor(limits: MailboxesLimits) {
    this.#limits = limits;
  }

  /** Characters that wait in all streams. */
  get queuedBytes(): number {
    return this.#backlog.queuedBytes;
  }

  /** Characters that all streams keep after they were sent. */
  get keptBytes(): number {
    return this.#all.reduce((sum, mailbox) => sum + mailbox.keptBytes, 0);
  }

  /** Drops what was sent. A stream that is lost now cannot go on. */
  dropKept(): void {
    for (const mailbox of this.#all) mailbox.dropKept();
  }

  /** True while one of the streams is open. */
  get attached(): boolean {
    return this.#all.some((mailbox) => mailbox.attached);
  }

  /** True where `of` does not throw. */
  hasRoomFor(stream: string): boolean {
    return this.#byName.has(stream) || this.#byName.size < this.#limits.maxStreams || this.#unused !== undefined;
  }

  /**
   * The mailbox of a stream, which is made at its first use. Takes the place of one that is neither open nor waited
   * for, if there are too many. Throws `overloaded` without such a one.
   */
  of(stream: string): Mailbox {
    const known = this.#byName.get(stream);
    if (known !== undefined) return known;
    if (!this.hasRoomFor(stream)) throw tooManyStreams(this.#limits.maxStreams);
    if (this.#byName.size >= this.#limits.maxStreams) this.#byName.delete(this.#unused ?? "");
    const mailbox = new Mailbox(this.#limits, this.#backlog);
    this.#byName.set(stream, mailbox);
    return mailbox;
  }

  /** The mailbox of a stream that was used before. */
  known(stream: string): Mailbox | undefined {
    return this.#byName.get(stream);
  }

  /** Sends a comment on every open stream. */
  ping(): void {
    for (const mailbox of this.#all) mailbox.ping();
  }

  /** Accepts no more messages. Resolves when the streams have sent what is queued. */
  async end(): Promise<void> {
    await Promise.all(this.#all.map((mailbox) => mailbox.end()));
  }

  /** Closes every stream immediately and drops every message. */
  drop(): void {
    for (const mailbox of this.#all) mailbox.drop();
  }

  get #all(): readonly Mailbox[] {
    return [...this.#byName.values()];
  }

  /** The oldest stream that is neither open nor waited for. */
  get #unused(): string | undefined {
    return [...this.#byName].find(([, mailbox]) => !mailbox.attached && !mailbox.waits)?.[0];
  }
}

function tooManyStreams(maxStreams: number): WireError {
  return new WireError(
    "overloaded",
    `the client already has ${maxStreams} event streams, which is the limit (maxStreams)`,
  );
}
