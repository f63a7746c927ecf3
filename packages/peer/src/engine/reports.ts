import type { PeerHandler } from "@editwire/core";

/** Calls the handler's listeners. Their errors must not break the connection, so they are dropped. */
export class Reports {
  handler: PeerHandler | undefined;

  error(error: unknown, method: string | undefined): void {
    try {
      this.handler?.error?.(error, method);
    } catch {
      // No listener is left.
    }
  }

  diagnostic(id: string, method: string | undefined, message: string): void {
    try {
      this.handler?.diagnostic?.({ id, method, message });
    } catch (error) {
      this.error(error, method);
    }
  }
}
