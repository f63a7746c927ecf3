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

/** Takes a notification of the peer. */
export type AcceptNotification = (method: string, params: unknown, session: string | undefined) => void;

/** Handles notifications one at a time in each lane, at once if the lane is free. What came before the end is still handled. */
export function notificationsOf({ handler, lanes, lifetime }: Parts): AcceptNotification {
  const handle = (method: string, params: unknown): Promise<void> | undefined => {
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
  };

  return (method, params, session) => {
    const lane = lanes.busy(session);
    const work = (): Promise<void> | undefined => handle(method, params);
    if (lane === undefined) lanes.run(session, work);
    else lanes.queueNotification(lane, work);
  };
}
