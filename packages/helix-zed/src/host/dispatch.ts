import type { HostConnection } from "./context.js";
import type { HostKeeper, LinkCore } from "./keeper.js";
import type { HostSession } from "./sessions.js";
import type { Interaction } from "./interaction.js";
import { startTimer } from "@editwire/core/timers";

/** The parts of a link that the dispatcher uses. */
export interface DispatchLink extends LinkCore {
  readonly connection: HostConnection | undefined;
  /** Names the process that dialed the connection, where the agent gave such a name. */
  readonly instance: string | undefined;
  readonly keeper: HostKeeper;
  /** Closes a connection that failed. */
  drop(connection: HostConnection, error: unknown): void;
}

/** Decides which message goes out when, and watches whether it is answered. */
export class HostDispatcher {
  readonly #link: DispatchLink;
  #isReady = false;
  #stopWaiting = (): void => {};

  constructor(link: DispatchLink) {
    this.#link = link;
  }

  /** Begins with a new connection: opens the threads in which something waits, and sends what may go out. */
  greet(connection: HostConnection): void {
    const { context, sessions } = this.#link;
    const { readyTimeoutMs = 60_000 } = context.options;
    this.stop();
    this.#isReady = !context.traits.readiness;
    if (!this.#isReady)
      this.#stopWaiting = startTimer(
        readyTimeoutMs,
        () => void this.#link.run(() => (this.#link.connection === connection ? this.ready() : undefined)),
      );
    const cancels = sessions.takeCancels();
    if (context.traits.cancel) for (const request_id of cancels) this.send("cancel_current_turn", { request_id });
    for (const session of sessions) {
      if (context.traits.agents) this.#openThread(session);
      this.dispatch(session);
    }
  }

  /** Shows the agent the thread of what waits, and says which of its agents has it. */
  #openThread({ id, threadId, queue: [first] }: HostSession): void {
    if (threadId === undefined || first === undefined) return;
    const { agentName } = first.record;
    const named = agentName === undefined ? {} : { agent_name: agentName };
    this.send("open_thread", { acp_thread_id: threadId, session_id: id, ...named });
  }

  /** The agent takes messages from now on. */
  ready(): void {
    this.stop();
    if (this.#isReady) return;
    this.#isReady = true;
    for (const session of this.#link.sessions) this.dispatch(session);
  }

  /** No longer waits for the agent to be ready. */
  stop(): void {
    this.#stopWaiting();
    this.#stopWaiting = () => {};
  }

  /** Sends the oldest waiting interaction, once on each connection, and those that interrupt it. */
  dispatch(session: HostSession): void {
    const { connection } = this.#link;
    if (connection === undefined || !this.#isReady) return;
    for (const [place, interaction] of session.queue.entries()) {
      if (interaction.ending !== undefined || interaction.sentOn === connection) continue;
      const interrupts = interaction.interrupt && session.threadId !== undefined;
      if (place > 0 && !interrupts) continue;
      if (interrupts) for (const earlier of session.queue.slice(0, place)) earlier.isCancelled = true;
      interaction.send(connection);
      this.#link.sessions.sent(session, interaction);
      this.send("chat_message", interaction.chat(session.threadId));
      this.#watch(session, interaction);
    }
  }

  /** Sends to the agent. One that takes nothing more is dropped: what waits is sent on its next connection. */
  readonly send: HostConnection["notify"] = (name, params) => {
    const { connection } = this.#link;
    try {
      return connection?.notify(name, params);
    } catch (error) {
      if (connection !== undefined) this.#link.drop(connection, error);
    }
  };

  /**
   * Takes an agent's error about an interaction. True when it is the refusal of a copy: the turn that the agent has may
   * go on, and the error is its end only after `refusedCopyMs` of silence. An agent that names its process, as that of
   * `dialHelixZed` does, knows a copy when it gets one: its error is always the turn's.
   */
  refused(session: HostSession, interaction: Interaction, error: string): boolean {
    const { connection, instance, context } = this.#link;
    if (connection === undefined || instance !== undefined || !interaction.refuse(connection, error)) return false;
    const text = `the agent refused the copy of ${interaction.requestId}; the first one may go on: ${error}`;
    context.diagnose("refused-copy", "chat_response_error", text);
    this.#watch(session, interaction);
    return true;
  }

  /** Ends an interaction when a connected agent says nothing about it for too long. */
  #watch(session: HostSession, interaction: Interaction): void {
    const { answerTimeoutMs = 7_200_000, refusedCopyMs = 60_000 } = this.#link.context.options;
    const { sentOn } = interaction;
    const limit = (): number => (interaction.refusal === undefined ? answerTimeoutMs : refusedCopyMs);
    interaction.activeAt = performance.now();
    const expire = async (): Promise<void> => {
      const { refusal: error = `the agent said nothing for ${answerTimeoutMs} ms` } = interaction;
      await this.#link.keeper.end(session, interaction, { state: "error", error });
    };
    const look = (): void => {
      if (this.#link.connection !== sentOn) return; // it is sent, and watched, again
      const left = interaction.activeAt + limit() - performance.now();
      if (left > 0) interaction.stopWatching = startTimer(left, look);
      else void this.#link.run(expire);
    };
    interaction.stopWatching();
    interaction.stopWatching = startTimer(limit(), look);
  }
}
