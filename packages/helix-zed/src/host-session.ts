import { WireError } from "@editwire/core";
import type { HostLink } from "./host-link.js";
import type { Interaction, InteractionEvent } from "./interaction.js";
import { maxMessageLength } from "./message-length.js";
import type { InteractionRecord } from "./records.js";

/** How a message is sent. */
export interface SendOptions {
  /**
   * Names the interaction. Sending under a name that the store has gives the interaction of that name instead of a new one, so a
   * caller that does not know whether it was heard can ask again. Default: a new id.
   */
  requestId?: string | undefined;
  /** Aborting cancels the interaction. */
  signal?: AbortSignal | undefined;
  /** 2026: which agent should answer. */
  agentName?: string | undefined;
  /** 2026: cancels the running turn instead of waiting for it. Waits while the session has no thread yet. */
  interrupt?: boolean | undefined;
}

/** A user's message under way: iterate it for its answer, of which the last event is `end`; or await `done` alone. */
export interface HelixInteraction extends AsyncIterable<InteractionEvent> {
  readonly requestId: string;
  /**
   * The ended interaction, once the store has it. Rejects with what the store threw, or with `WireError("closed")` when the host
   * is closed first; the iteration throws the same. An error of the agent is no rejection but the state `error`.
   */
  readonly done: Promise<InteractionRecord>;
  /**
   * Ends it as `interrupted`: at once while it has not been sent, else as soon as the agent says so. Rejects with
   * `WireError("invalid_params")` when it was sent and the dialect cannot cancel.
   */
  cancel(): Promise<void>;
}

/** A conversation with an agent. One message waits for its answer at a time; sessions do not wait for each other. */
export interface HelixSession {
  readonly id: string;
  /** The id under which the session's agent dials. */
  readonly agentId: string;
  /** The agent's thread, once it has created one. */
  readonly threadId: string | undefined;
  readonly title: string | undefined;
  /** The agent is connected. */
  readonly connected: boolean;
  /**
   * Sends a message as soon as those before it are answered and the agent is there. It is durable before it leaves. Throws
   * `WireError("invalid_params")` for what cannot be sent, and `too_large` for a message of more than 10 Mi characters.
   */
  send(message: string, options?: SendOptions): HelixInteraction;
  /** What was said so far, in order. */
  interactions(): Promise<readonly InteractionRecord[]>;
  /** Maps the session to a thread that the agent has, or to none: the next message then begins a new one. */
  bind(threadId: string | undefined): Promise<void>;
}

/** A `HelixSession` with the side that the connection drives. */
export class HostSession implements HelixSession {
  readonly id: string;
  threadId: string | undefined;
  title: string | undefined;
  /** The store has it. */
  saved: boolean;
  /** The interactions that wait, oldest first. */
  readonly queue: Interaction[] = [];
  readonly #link: HostLink;

  constructor(id: string, link: HostLink, stored?: { threadId: string | undefined; title: string | undefined }) {
    if (id === "") throw new WireError("invalid_params", "session: expected an id, received an empty text");
    this.id = id;
    this.#link = link;
    this.saved = stored !== undefined;
    this.threadId = stored?.threadId;
    this.title = stored?.title;
  }

  get agentId(): string {
    return this.#link.agentId;
  }

  get connected(): boolean {
    return this.#link.connected;
  }

  /** The interaction that an event without a request belongs to: the one that was sent last. */
  get current(): Interaction | undefined {
    return this.queue.findLast(({ sentOn }) => sentOn !== undefined);
  }

  send(message: string, options: SendOptions = {}): HelixInteraction {
    const { requestId = `req_${crypto.randomUUID()}`, signal, interrupt = false } = options;
    if (typeof message !== "string")
      throw new WireError("invalid_params", `send: message must be a text, received ${typeof message}`);
    if (message.length > maxMessageLength)
      throw new WireError("too_large", `send: a message may not be longer than ${maxMessageLength} characters`);
    if (typeof requestId !== "string" || requestId === "")
      throw new WireError("invalid_params", "send: requestId must be a text that is not empty");
    if ((interrupt || options.agentName !== undefined) && !this.#link.traits.cancel) {
      throw new WireError(
        "invalid_params",
        `send: interrupt and agentName are not part of the profile "spec"; the profile "v2026" has them`,
      );
    }
    const found = this.#link.open(this, { ...options, requestId, message, interrupt });
    const done = found.then((interaction) => interaction.done);
    done.catch(() => {});
    const cancel = async (): Promise<void> => this.#link.cancel(this, await found);
    if (signal !== undefined) {
      const abort = (): void => void cancel().catch((error: unknown) => this.#link.report(error));
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
      const release = (): void => signal.removeEventListener("abort", abort);
      done.then(release, release);
    }
    return {
      requestId,
      done,
      cancel,
      async *[Symbol.asyncIterator]() {
        yield* (await found).read();
      },
    };
  }

  interactions(): Promise<readonly InteractionRecord[]> {
    return this.#link.history(this);
  }

  bind(threadId: string | undefined): Promise<void> {
    return this.#link.bind(this, threadId);
  }
}
