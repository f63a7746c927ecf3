import { WireError } from "@editwire/core";
import { onAbort } from "@editwire/core/aborts";
import type { HelixZedProfile } from "@editwire/helix-zed-schema";
import type { HostLink } from "./link.js";
import type { HostSession } from "./sessions.js";
import { type Interaction, stopReasonOf } from "./interaction.js";
import { maxMessageLength } from "../agent/message-length.js";
import { checkPromptFields, promptFields } from "./prompt-fields.js";
import type { HelixZedInteraction } from "./records.js";
import type { HelixZedSessionState } from "./session-state.js";
import type { HelixZedPromptOptions, HelixZedSession, HelixZedTurn } from "./session-api.js";

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
