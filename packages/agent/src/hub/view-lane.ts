import { isWireError, WireError } from "@editwire/core";
import { startTimer } from "@editwire/core/timers";
import type { AgentEvent } from "../api/events.js";
import type { SessionView, ViewContext } from "../api/session.js";
import { isEnd } from "../api/tool-call-state.js";

/** Events that may wait for one view. */
const maxWaiting = 10_000;

/** Milliseconds that a view which did not prompt the turn may hold the agent up. */
const maxStallMs = 5_000;

export interface LaneParts {
  readonly view: SessionView;
  /** Called once, when the view gets nothing more. `reason` is absent when its connection is closed. */
  readonly onLeave: (view: SessionView, reason?: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Gives events to one view, one after the other. */
export class ViewLane {
  readonly #parts: LaneParts;
  #tail: Promise<void> | undefined;
  #waiting = 0;
  #left = false;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** Gives an event. Returns a promise when the view, or what waits before, is slow. */
  push(event: AgentEvent, context: ViewContext): void | Promise<void> {
    if (this.#left) return;
    if (this.#tail === undefined) {
      const given = this.#give(event, context);
      return given && this.#heldUp(this.#follow(given), context);
    }
    if (this.#waiting >= maxWaiting && !isClosing(event)) return this.#overflow(context);
    this.#waiting++;
    const next = this.#tail.then(() => {
      this.#waiting--;
      return this.#give(event, context);
    });
    return this.#heldUp(this.#follow(next), context);
  }

  /** Asks the view when it has taken what came before. `undefined` for a view that cannot answer. */
  async ask<Answer>(ask: () => Promise<Answer | undefined> | undefined): Promise<Answer | undefined> {
    await this.#tail;
    if (this.#left) return undefined;
    try {
      return await ask();
    } catch (error) {
      if (isWireError(error, "closed")) this.#leave();
      else if (!isWireError(error, "aborted")) this.#parts.onError(error);
      return undefined;
    }
  }

  /** Resolves when the view has taken everything so far. */
  async drained(): Promise<void> {
    await this.#tail;
  }

  /** Gives nothing more. */
  close(): void {
    this.#left = true;
  }

  #give(event: AgentEvent, context: ViewContext): void | Promise<void> {
    if (this.#left) return;
    try {
      return this.#parts.view.event(event, context)?.catch((error: unknown) => this.#failed(error));
    } catch (error) {
      this.#failed(error);
    }
  }

  #follow(given: Promise<void>): Promise<void> {
    const tail = given.finally(() => {
      if (this.#tail === tail) this.#tail = undefined;
    });
    return (this.#tail = tail);
  }

  /** The view that prompted holds the agent up as long as it is slow; the others do not. */
  #heldUp(given: Promise<void>, { own }: ViewContext): Promise<void> {
    if (own) return given;
    return new Promise((resolve) => {
      const stop = startTimer(maxStallMs, () => {
        this.#leave(`it took no events for ${maxStallMs} ms`);
        resolve();
      });
      void given.then(() => {
        stop();
        resolve();
      });
    });
  }

  #overflow({ own }: ViewContext): void {
    const reason = `${maxWaiting} events wait for the view ${this.#parts.view.name}`;
    if (own) throw new WireError("overloaded", `${reason}; await the promises that the methods of the turn return`);
    this.#leave(reason);
  }

  #failed(error: unknown): void {
    if (isWireError(error, "closed")) this.#leave();
    else this.#parts.onError(error);
  }

  #leave(reason?: string): void {
    if (this.#left) return;
    this.#left = true;
    this.#parts.onLeave(this.#parts.view, reason);
  }
}

/**
 * The events that end a turn and its calls: there are few of them, and without them the turn would be over before the
 * waiting events are delivered.
 */
function isClosing(event: AgentEvent): boolean {
  return event.type === "stop" || (event.type === "tool_call" && isEnd(event.toolCall.status));
}
