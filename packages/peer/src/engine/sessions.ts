import type { PeerHandler } from "@editwire/core";
import type { Reports } from "./reports.js";

/** Asks the handler for the session of a message. If it throws, the message belongs to no session. */
export function sessionOf(handler: PeerHandler, reports: Reports, method: string, params: unknown): string | undefined {
  try {
    return handler.session?.(method, params);
  } catch (error) {
    reports.error(error, method);
    return undefined;
  }
}
