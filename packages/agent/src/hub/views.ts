import { onAbort } from "@editwire/core/aborts";
import type { Listeners } from "@editwire/session";
import { type Deferred, deferred } from "../shared/deferred.js";
import type { AgentEvent } from "../api/events.js";
import type { AgentTurn, AskContext, SessionView, ViewContext } from "../api/session.js";
import { ViewLane } from "./view-lane.js";

/** A turn, and the view that prompted it. */
export interface PromptedTurn extends AgentTurn {
  readonly promptedBy: SessionView | undefined;
}

/** The views of one session. */
export class SessionViews {
  readonly #sessionId: string;
  readonly #listeners: Listeners;
  readonly #onEmpty: () => void;
  readonly #lanes = new Map<SessionView, ViewLane>();
  /** Asks a view what is open. */
  readonly #open = new Set<(view: SessionView, lane: ViewLane) => void>();

  /** `onEmpty` is called when the last view is removed. */
  constructor(sessionId: string, listeners: Listeners, onEmpty: () => void) {
    this.#sessionId = sessionId;
    this.#listeners = listeners;
    this.#onEmpty = onEmpty;
  }

  get size(): number {
    return this.#lanes.size;
  }

  /** Adds a view; it receives what happens from now on, and what is asked now. Returns a function that removes it. */
  add(view: SessionView): () => void {
    if (!this.#lanes.has(view)) {
      const lane = this.#laneOf(view);
      this.#lanes.set(view, lane);
      for (const ask of this.#open) ask(view, lane);
    }
    return () => this.#remove(view);
  }

  has(view: SessionView): boolean {
    return this.#lanes.has(view);
  }

  /** Gives an event to every view. Returns a promise when one of them is slow. */
  send(event: AgentEvent, turn: PromptedTurn | undefined): void | Promise<void> {
    let slow: Promise<void>[] | undefined;
    for (const [view, lane] of this.#lanes) {
      const given = lane.push(event, contextOf(view, turn));
      if (given !== undefined) (slow ??= []).push(given);
    }
    if (slow !== undefined) return slow.length === 1 ? slow[0] : Promise.all(slow).then(() => {});
  }

  /** Resolves when every view has taken everything so far. */
  async drained(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.drained()));
  }

  /**
   * Asks every view at once, and those that are added before there is an answer. The first answer counts; the others
   * are aborted. `undefined` when no view can answer.
   */
  async ask<Answer>(
    ask: (view: SessionView, context: AskContext) => Promise<Answer | undefined> | undefined,
    turn: PromptedTurn,
  ): Promise<Answer | undefined> {
    const open = new OpenAsk<Answer>(turn.signal);
    const askView = (view: SessionView, lane: ViewLane): void =>
      open.add(lane.ask(() => ask(view, { ...contextOf(view, turn), signal: open.signal })));
    this.#open.add(askView);
    for (const [view, lane] of this.#lanes) askView(view, lane);
    try {
      return await open.answer();
    } finally {
      this.#open.delete(askView);
    }
  }

  #laneOf(view: SessionView): ViewLane {
    const { onError, onDiagnostic } = this.#listeners;
    return new ViewLane({
      view,
      onError: (error) => onError(error, view.name),
      onLeave: (_, reason) => {
        this.#remove(view);
        if (reason === undefined) return;
        const message = `The view ${view.name} of session ${this.#sessionId} was detached: ${reason}`;
        onDiagnostic({ id: "agent.view-detached", method: undefined, message });
      },
    });
  }

  #remove(view: SessionView): void {
    this.#lanes.get(view)?.close();
    if (this.#lanes.delete(view) && this.#lanes.size === 0) this.#onEmpty();
  }
}

function contextOf(view: SessionView, turn: PromptedTurn | undefined): ViewContext {
  return { turn, own: turn !== undefined && turn.promptedBy === view };
}

/** A question that several may answer: the first answer counts. */
class OpenAsk<Answer> {
  /** Aborts when there is an answer, or none will come. */
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #answer: Deferred<Answer | undefined> = deferred();
  readonly #stopWatching: (() => void) | undefined;
  #waiting = 0;

  /** `signal` ends it without an answer. */
  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#over.signal]);
    if (signal.aborted) this.#answer.resolve(undefined);
    else this.#stopWatching = onAbort(signal, () => this.#answer.resolve(undefined));
  }

  /** Adds one more who may answer. */
  add(answer: Promise<Answer | undefined>): void {
    this.#waiting++;
    void answer.then((given) => {
      this.#waiting--;
      if (given !== undefined || this.#waiting === 0) this.#answer.resolve(given);
    });
  }

  /** The first answer that is not `undefined`; `undefined` when nobody is left who could give one. */
  async answer(): Promise<Answer | undefined> {
    if (this.#waiting === 0) this.#answer.resolve(undefined);
    try {
      return await this.#answer.promise;
    } finally {
      this.#stopWatching?.();
      this.#over.abort();
    }
  }
}
