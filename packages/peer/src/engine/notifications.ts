import type { PeerHandler } from "@editwire/core";
import { Context, type Lifetime, type Received } from "./context.js";
import type { Lanes } from "./lanes.js";
import { isThenable } from "./thenable.js";

/** The parts of the peer that its notifications use. */
interface Parts {
  readonly handler: PeerHandler;
  readonly lanes: Lanes;
  readonly lifetime: Lifetime;
}

/**
 * Handles the notifications of each lane one at a time, and at once if the lane is free. Notifications that arrived
 * before the end are still handled.
 */
export class Notifications {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Handles a notification of the peer. */
  accept(received: Received): void {
    const { lanes } = this.#parts;
    const { session, length } = received;
    const lane = lanes.busy(session);
    if (lane !== undefined) return lanes.queueNotification(lane, length, () => this.#handle(received));
    const since = lanes.enter();
    const running = this.#handle(received);
    if (running !== undefined) lanes.occupy({ session, since, running, length });
  }

  /** Creates no closure for a handler that returns no promise, as most do. */
  #handle(received: Received): Promise<void> | undefined {
    const { handler, lifetime } = this.#parts;
    const { method, params } = received;
    const context = new Context(undefined, received, lifetime);
    try {
      const running: unknown = handler.notification(method, params, context);
      if (isThenable(running)) return this.#follow(running, method, context);
    } catch (error) {
      lifetime.reports.error(error, method);
    }
    context.finish();
    return undefined;
  }

  async #follow(running: PromiseLike<unknown>, method: string, context: Context): Promise<void> {
    try {
      await running;
    } catch (error) {
      this.#parts.lifetime.reports.error(error, method);
    }
    context.finish();
  }
}
