import { WireError } from "@editwire/core";
import type { HostEvents, SessionsLink } from "./events.js";
import type { HostSession } from "./sessions.js";
import { hostClosed, Interaction } from "./interaction.js";
import type { HelixZedPromptFields } from "./prompt-fields.js";
import type { HelixZedInteraction } from "./records.js";

/** A message to open an interaction with. */
export interface Opening {
  readonly requestId: string;
  readonly message: string;
  readonly interrupt: boolean;
  readonly fields: HelixZedPromptFields;
}

/** The requests of callers to a link; each runs in its mailbox. */
export class HostRequests {
  readonly #link: SessionsLink;
  readonly #events: HostEvents;

  constructor(link: SessionsLink, events: HostEvents) {
    this.#link = link;
    this.#events = events;
  }

  /** Opens an interaction, or finds the one of this request id. */
  async open(sessionId: string, opening: Opening): Promise<Interaction> {
    if (this.#link.isClosed) throw hostClosed();
    const session = this.#link.sessions.of(sessionId);
    const known = await this.#known(session, opening.requestId, "prompt");
    if (known !== undefined) {
      if (known.message !== opening.message)
        throw new WireError(
          "invalid_params",
          `prompt: requestId: expected an unused id, ${opening.requestId} belongs to another message`,
        );
      return known;
    }
    if (!session.saved) await this.#checkNew(session);
    const { requestId, message, interrupt, fields } = opening;
    const record: HelixZedInteraction = {
      sessionId,
      requestId,
      message,
      state: "waiting",
      messages: [],
      createdAt: Date.now(),
      ...fields,
      ...(session.queue.length === 0 || interrupt ? {} : { fromQueue: true }),
    };
    const interaction = new Interaction(record, this.#link.context.answer(record), interrupt);
    await this.#link.keeper.saveNew(session, interaction);
    if (this.#link.isClosed) interaction.fail(hostClosed());
    else session.queue.push(interaction);
    session.state.changed();
    this.#link.dispatch(session);
    return interaction;
  }

  /** The interaction of this request id. Throws `invalid_params` when the session has none. */
  async watch(sessionId: string, requestId: string): Promise<Interaction> {
    const known = await this.#known(this.#link.sessions.of(sessionId), requestId, "watch");
    if (known !== undefined) return known;
    throw new WireError("invalid_params", `watch: requestId: the session ${sessionId} has no request ${requestId}`);
  }

  /** Ends an interaction early: at once while no connected agent has it, else as soon as the agent says so. */
  async cancel(sessionId: string, interaction: Interaction): Promise<void> {
    const session = this.#link.sessions.get(sessionId);
    const { requestId, ending, sentOn } = interaction;
    if (session === undefined || ending !== undefined || !session.queue.includes(interaction)) return;
    if (sentOn === undefined || this.#link.connection === undefined)
      return this.#link.keeper.interrupt(session, interaction);
    if (!this.#link.context.traits.cancel)
      throw new WireError(
        "invalid_params",
        `cancel: ${requestId} was sent, and the profile cannot cancel; the profile "v2026" can`,
      );
    interaction.isCancelled = true;
    void this.#link.dispatcher.send("cancel_current_turn", { request_id: requestId });
  }

  /** All interactions; those that run as they are now. */
  async history(sessionId: string): Promise<readonly HelixZedInteraction[]> {
    const stored = await this.#link.context.store.interactions(sessionId);
    const open = new Map((this.#link.sessions.get(sessionId)?.open ?? []).map((one) => [one.requestId, one]));
    return stored.map((record) => open.get(record.requestId)?.record ?? record);
  }

  /** The session with its past, for its state. */
  async view(sessionId: string): Promise<HostSession> {
    const session = this.#link.sessions.of(sessionId);
    await this.#link.keeper.recall(session);
    return session;
  }

  async bind(sessionId: string, threadId: string | undefined): Promise<void> {
    await this.#events.map(this.#link.sessions.of(sessionId), threadId);
  }

  async rename(sessionId: string, title: string): Promise<void> {
    await this.#events.rename(this.#link.sessions.of(sessionId), title);
  }

  /** Deletes a session and its interactions. The running interaction is canceled where the dialect can, and rejects. */
  async delete(sessionId: string): Promise<void> {
    const { sessions, context, dispatcher, connection } = this.#link;
    const session = sessions.of(sessionId);
    for (const interaction of [...session.open]) {
      sessions.answered(interaction);
      session.remove(interaction);
      if (context.traits.cancel && interaction.sentOn !== undefined && interaction.sentOn === connection)
        void dispatcher.send("cancel_current_turn", { request_id: interaction.requestId });
      interaction.fail(new WireError("aborted", `the session ${sessionId} was deleted`));
    }
    sessions.remove(session);
    await context.store.deleteSession(sessionId);
    session.state.changed();
  }

  async #known(session: HostSession, requestId: string, method: string): Promise<Interaction | undefined> {
    const live = session.open.find((interaction) => interaction.requestId === requestId);
    if (live !== undefined) return live;
    const { context } = this.#link;
    const record = await context.store.interaction(requestId);
    if (record === undefined) return undefined;
    if (record.sessionId !== session.id)
      throw new WireError("invalid_params", `${method}: requestId: ${requestId} belongs to another session`);
    const interaction = new Interaction(record, context.answer(record));
    // The store failed after it had saved it.
    if (record.state === "waiting") session.queue.push(interaction);
    return interaction;
  }

  /** A session that the store does not know for this agent may be another agent's. */
  async #checkNew({ id, agentId }: HostSession): Promise<void> {
    const stored = await this.#link.context.store.session(id);
    if (stored !== undefined && stored.agentId !== agentId)
      throw new WireError("invalid_params", `prompt: the session ${id} belongs to the agent ${stored.agentId}`);
  }
}
