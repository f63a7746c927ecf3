import type { FullConfiguration } from "@editwire/kaiak-schema";
import type { Evictable } from "@editwire/session";

/** A session as a server's handlers see it. */
export interface KaiakServerSession {
  readonly id: string;
  /** The configuration with which it works. */
  readonly configuration: FullConfiguration;
}

/** A run that holds its session. */
export interface Lock {
  readonly turn: { readonly requestId: string; cancel(): void };
  /** When the run began, as in RFC 3339. */
  readonly since: string;
  /** Resolves when the run was answered, or its connection has ended. */
  readonly released: Promise<void>;
}

/** A session with its lock. */
export class ServerSession implements KaiakServerSession, Evictable {
  readonly id: string;
  configuration: FullConfiguration;
  lock: Lock | undefined;
  /** Notifications that were sent in it. */
  messages = 0;

  constructor(id: string, configuration: FullConfiguration) {
    this.id = id;
    this.configuration = configuration;
  }

  get running(): boolean {
    return this.lock !== undefined;
  }

  nextMessageId(): string {
    return `msg-${++this.messages}`;
  }
}
