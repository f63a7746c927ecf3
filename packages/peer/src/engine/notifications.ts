import type { PeerHandler } from "@editwire/core";
import { Context, type Lifetime, type Received } from "./context.js";
import type { Lanes } from "./lanes.js";
import { isThenable } from "./thenable.js";

/** What the notifications need of their peer. */
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
    const work = (): Promise<void> | undefined => this.#handle(received);
    if (lane === undefined) lanes.run(session, length, work);
    else lanes.queueNotification(lane, length, work);
  }

  #handle(received: Received): Promise<void> | undefined {
    const { handler, lifetime } = this.#parts;
    const { method, params } = received;
    const context = new Context(undefined, received, lifetime);
    const failed = (error: unknown): void => {
      lifetime.reports.error(error, method);
      context.finish();
    };
    try {
      const running: unknown = handler.notification(method, params, context);
      if (isThenable(running)) return Promise.resolve(running).then(() => context.finish(), failed);
    } catch (error) {
      failed(error);
      return undefined;
    }
    context.finish();
    return undefined;
  }
}
