import type { PeerHandler } from "@editwire/core";
import type { Reports } from "./reports.js";

/** Asks the handler for the session of a message; one that it fails to name belongs to none. */
export function sessionOf(handler: PeerHandler, reports: Reports, method: string, params: unknown): string | undefined {
  try {
    return handler.session?.(method, params);
  } catch (error) {
    reports.error(error, method);
    return undefined;
  }
}
