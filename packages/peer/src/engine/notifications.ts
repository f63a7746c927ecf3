import type { PeerHandler } from "@editwire/core";
import { Context, type Lifetime } from "./context.js";
import type { Lanes } from "./lanes.js";
import { isThenable } from "./thenable.js";

/** What the notifications need of their peer. */
interface Parts {
  readonly handler: PeerHandler;
  readonly lanes: Lanes;
  readonly lifetime: Lifetime;
}

/** Handles notifications one at a time in each lane, at once if the lane is free. What came before the end is still handled. */
export class Notifications {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes a notification of the peer. */
  accept(method: string, params: unknown, session: string | undefined): void {
    const { lanes } = this.#parts;
    const lane = lanes.busy(session);
    const work = (): Promise<void> | undefined => this.#handle(method, params);
    if (lane === undefined) lanes.run(session, work);
    else lanes.queueNotification(lane, work);
  }

  #handle(method: string, params: unknown): Promise<void> | undefined {
    const { handler, lifetime } = this.#parts;
    const context = new Context(undefined, method, lifetime);
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
