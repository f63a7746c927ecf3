import { WireError } from "@editwire/core";
import { onAbort } from "@editwire/core/aborts";
import type { HelixZedProfile } from "@editwire/helix-zed-schema";
import type { HostLink } from "./link.js";
import type { HostSession } from "./sessions.js";
import { type HelixZedStopReason, type HelixZedTurnEvent, type Interaction, stopReasonOf } from "./interaction.js";
import { maxMessageLength } from "../agent/message-length.js";
import { checkPromptFields, type HelixZedPromptFields, promptFields } from "./prompt-fields.js";
import type { HelixZedInteraction } from "./records.js";
import type { HelixZedSessionState } from "./session-state.js";

/** How a message is sent. */
export interface HelixZedPromptOptions extends HelixZedPromptFields {
  /**
   * Names the interaction. The same id with the same message gives the interaction that exists, so a caller that does
   * not know whether its message arrived can ask again. Default: a new id.
   */
  requestId?: string | undefined;
  /** Aborting it cancels the turn. */
  signal?: AbortSignal | undefined;
  /** 2026: cancels the running turn instead of waiting for it. It waits while the session has no thread yet. */
  interrupt?: boolean | undefined;
}

/**
 * A user's message and its answer: iterate it for its events, of which the last is `stop`; or await `stopReason` alone.
 * It may be iterated more than once, and leaving the loop early does not end it.
 */
export interface HelixZedTurn extends AsyncIterable<HelixZedTurnEvent> {
  readonly requestId: string;
  /**
   * How the turn ended, once that is durable. Rejects with what the store threw when the message could not be saved,
   * and with `WireError("closed")` when the host is closed first; the iteration throws the same. An agent's error is
   * the reason `error`.
   */
  readonly stopReason: Promise<HelixZedStopReason>;
  /** The ended interaction. Rejects like `stopReason`. */
  readonly interaction: Promise<HelixZedInteraction>;
  /**
   * Ends the turn as `cancelled`: at once when it was not sent or the agent is not connected, else as soon as the agent
   * says so. Rejects with `WireError("invalid_params")` when a connected agent has it and the profile cannot cancel.
   */
  cancel(): Promise<void>;
}

/** A conversation with an agent. One message waits for its answer at a time; sessions do not wait for each other. */
export interface HelixZedSession {
  readonly id: string;
  /** The id under which the session's agent dials. */
  readonly agentId: string;
  /**
   * The state that a view renders. It is complete from `host.session()` on for as long as the session has a subscriber
   * or a turn runs.
   */
  readonly state: HelixZedSessionState;
  /**
   * Calls the listener after each tick in which the state changed. Returns a function that ends it. It needs no `this`,
   * so that `useSyncExternalStore` of React and its like can take it.
   */
  readonly subscribe: (listener: (state: HelixZedSessionState) => void) => () => void;
  /**
   * Sends a message when those before it are answered and the agent is connected. It is durable before it leaves.
   * Throws `WireError("invalid_params")` for what cannot be sent, and `too_large` for a message of more than 10 Mi
   * characters.
   */
  prompt(message: string, options?: HelixZedPromptOptions): HelixZedTurn;
  /**
   * The turn of a request that was made before, also in another process. It rejects with `invalid_params` for an
   * unknown id.
   */
  watch(requestId: string): HelixZedTurn;
  /** Cancels all turns that wait. Rejects like the `cancel` of a turn. */
  cancel(): Promise<void>;
  /** All interactions, in order. Those that run have the answer as it is now. */
  interactions(): Promise<readonly HelixZedInteraction[]>;
  /** Maps the session to a thread that the agent has, or to none: the next message then begins a new one. */
  bind(threadId: string | undefined): Promise<void>;
  /** Gives the session another title. The protocol does not tell the agent. */
  rename(title: string): Promise<void>;
}

interface Host {
  readonly profile: HelixZedProfile;
  /** The link of an agent, made if there is none. */
  of(agentId: string): HostLink;
  find(agentId: string): HostLink | undefined;
  report(error: unknown): void;
}

/** A `HelixZedSession`. It holds no link: its host may have dropped that since. */
export class SessionHandle implements HelixZedSession {
  readonly id: string;
  readonly agentId: string;
  readonly #host: Host;
  #known: HostSession;

  constructor(session: HostSession, host: Host) {
    this.id = session.id;
    this.agentId = session.agentId;
    this.#known = session;
    this.#host = host;
  }

  get state(): HelixZedSessionState {
    return this.#session().state.value;
  }

  readonly subscribe = (listener: (state: HelixZedSessionState) => void): (() => void) => {
    const link = this.#host.of(this.agentId);
    let stop: (() => void) | undefined;
    let isStopped = false;
    const start = (session: HostSession): void => {
      this.#known = session;
      if (!isStopped) stop = session.state.subscribe(listener);
    };
    const live = link.sessions.get(this.id);
    if (live?.state.hasHistory === true) start(live);
    else
      link
        .ask(async () => start(await link.requests.view(this.id)))
        .catch((error: unknown) => this.#host.report(error));
    return () => {
      isStopped = true;
      stop?.();
      link.released();
    };
  };

  prompt(message: string, options: HelixZedPromptOptions = {}): HelixZedTurn {
    const { requestId = `req_${crypto.randomUUID()}`, signal, interrupt = false } = options;
    checkPrompt(message, requestId, this.#host.profile, options);
    const turn = this.#turn(requestId, (link) =>
      link.requests.open(this.id, { requestId, message, interrupt, fields: promptFields(options) }),
    );
    if (signal === undefined) return turn;
    const abort = (): void => void turn.cancel().catch((error: unknown) => this.#host.report(error));
    if (signal.aborted) abort();
    const stopWatching = onAbort(signal, abort);
    turn.stopReason.then(stopWatching, stopWatching);
    return turn;
  }

  watch(requestId: string): HelixZedTurn {
    return this.#turn(requestId, (link) => link.requests.watch(this.id, requestId));
  }

  async cancel(): Promise<void> {
    const link = this.#host.of(this.agentId);
    await link.ask(async () => {
      for (const interaction of [...(link.sessions.get(this.id)?.queue ?? [])].reverse())
        await link.requests.cancel(this.id, interaction);
    });
  }

  interactions(): Promise<readonly HelixZedInteraction[]> {
    return this.#ask((link) => link.requests.history(this.id));
  }

  bind(threadId: string | undefined): Promise<void> {
    return this.#ask((link) => link.requests.bind(this.id, threadId));
  }

  rename(title: string): Promise<void> {
    return this.#ask((link) => link.requests.rename(this.id, title));
  }

  #ask<T>(work: (link: HostLink) => Promise<T>): Promise<T> {
    const link = this.#host.of(this.agentId);
    return link.ask(() => work(link));
  }

  /** The session that the host works with now, if that one has its past; else the last one that did. */
  #session(): HostSession {
    const live = this.#host.find(this.agentId)?.sessions.get(this.id);
    if (live?.state.hasHistory === true) this.#known = live;
    return this.#known;
  }

  #turn(requestId: string, find: (link: HostLink) => Promise<Interaction>): HelixZedTurn {
    const found = this.#ask(find);
    const interaction = found.then(({ done }) => done);
    const stopReason = interaction.then(stopReasonOf);
    stopReason.catch(() => {});
    return {
      requestId,
      interaction,
      stopReason,
      cancel: async () => {
        const running = await found;
        await this.#ask((link) => link.requests.cancel(this.id, running));
      },
      async *[Symbol.asyncIterator]() {
        yield* (await found).read();
      },
    };
  }
}

function checkPrompt(
  message: string,
  requestId: string,
  profile: HelixZedProfile,
  options: HelixZedPromptOptions,
): void {
  if (typeof message !== "string")
    throw new WireError("invalid_params", `prompt: message: expected a string, received ${typeof message}`);
  if (message.length > maxMessageLength)
    throw new WireError("too_large", `prompt: message: expected at most ${maxMessageLength} characters`);
  if (typeof requestId !== "string" || requestId === "")
    throw new WireError("invalid_params", "prompt: requestId: expected a string that is not empty");
  if (options.interrupt === true && !profile.traits.cancel)
    throw new WireError(
      "invalid_params",
      `prompt: interrupt: this profile does not have the field; the profile "v2026" has it`,
    );
  checkPromptFields(options, profile);
}
