import { backoff } from "@editwire/session";
import type { HostContext } from "./context.js";
import type { HostSession, HostSessions } from "./sessions.js";
import { type Ending, Interaction } from "./interaction.js";
import { startTimer } from "@editwire/core/timers";

/** The parts of a link that all of its helpers use. */
export interface LinkCore {
  readonly agentId: string;
  readonly context: HostContext;
  readonly sessions: HostSessions;
  readonly isClosed: boolean;
  /** Does it after everything before it. */
  run(work: () => void | Promise<void>): void | Promise<void>;
  /** Sends what may go out now. */
  dispatch(session: HostSession): void;
}

/** Saves what an agent's sessions have to outlive the process, and loads it. */
export class HostKeeper {
  readonly #link: LinkCore;

  constructor(link: LinkCore) {
    this.#link = link;
  }

  /** Loads the agent's sessions with what waits in them. */
  async load(): Promise<void> {
    const { agentId, context, sessions } = this.#link;
    const stored = await context.store.load(agentId);
    sessions.clear();
    for (const { waiting, ...record } of stored) {
      const session = sessions.add(record);
      session.saved = true;
      for (const one of waiting) {
        // A message of the user on the agent's side cannot be sent again from here.
        if (one.origin === "agent")
          await context.store.saveInteraction({ ...one, state: "interrupted", endedAt: Date.now() });
        else session.queue.push(new Interaction(one, context.answer(one)));
      }
      const [oldest] = session.queue;
      if (oldest !== undefined) oldest.mayBeKnown = true; // an earlier host may have sent it
    }
  }

  /** Gives a session its past, which its state begins with. */
  async recall(session: HostSession): Promise<void> {
    if (!session.state.hasHistory) session.state.recall(await this.#link.context.store.interactions(session.id));
  }

  async saveSession(session: HostSession): Promise<void> {
    await this.#link.context.store.saveSession(session.record);
    session.saved = true;
    session.state.changed();
  }

  /** Saves an interaction that begins, and its session if that is new. */
  async saveNew(session: HostSession, interaction: Interaction): Promise<void> {
    if (!session.saved) await this.saveSession(session);
    await this.#link.context.store.saveInteraction(interaction.record);
  }

  /** Saves an answer that grows, at the end of `saveMs`. */
  saveSoon(interaction: Interaction): void {
    const { context } = this.#link;
    interaction.stopSaving ??= startTimer(context.saveMs, () => {
      interaction.stopSaving = undefined;
      void this.#link.run(async () => {
        if (interaction.ending === undefined && !this.#link.isClosed)
          await context.store.saveInteraction(interaction.record);
      });
    });
  }

  /** Ends an interaction. Its readers get the end when it is durable; then the next one may go out. */
  async end(session: HostSession, interaction: Interaction, ending: Ending): Promise<void> {
    if (interaction.ending !== undefined) return;
    interaction.end(ending);
    this.#link.sessions.answered(interaction);
    await this.#saveEnd(session, interaction, 0);
  }

  /** Ends an interaction as `interrupted`. An agent that may have it gets the cancel when it returns. */
  async interrupt(session: HostSession, interaction: Interaction): Promise<void> {
    if (interaction.mayBeKnown) this.#link.sessions.cancelLater(interaction.requestId);
    await this.end(session, interaction, { state: "interrupted" });
  }

  /** A store that fails, as one on a full disk does, is asked again: the answer is kept in memory until then. */
  async #saveEnd(session: HostSession, interaction: Interaction, failures: number): Promise<void> {
    const { context, isClosed } = this.#link;
    const { record } = interaction;
    if (isClosed || !session.open.includes(interaction)) return;
    try {
      await context.store.saveInteraction(record);
    } catch (error) {
      context.report(error);
      const waitMs = backoff(failures, { minMs: context.saveMs, jitter: 0 });
      interaction.stopSaving = startTimer(
        waitMs,
        () => void this.#link.run(() => this.#saveEnd(session, interaction, failures + 1)),
      );
      return;
    }
    session.remove(interaction);
    session.state.ended(record);
    interaction.publish(record);
    this.#link.dispatch(session);
  }
}
