import type { PeerHandler } from "@editwire/core";
import type { Received } from "./context.js";
import type { Engine } from "./engine.js";
import type { Notifications } from "./notifications.js";
import type { Requests } from "./requests.js";

/** The receivers of messages, by their kind. */
export interface ReceiverParts {
  readonly engine: Engine;
  readonly handler: PeerHandler;
  readonly requests: Requests;
  readonly notifications: Notifications;
}

/** A received message with its session. If the handler throws when it is asked for one, the message belongs to none. */
export function receivedBy(
  { engine, handler }: ReceiverParts,
  method: string,
  params: unknown,
  length: number,
): Received {
  let session: string | undefined;
  try {
    session = handler.session?.(method, params);
  } catch (error) {
    engine.reports.error(error, method);
  }
  return { method, params, session, length };
}
