import type { PeerHandler } from "@editwire/core";

/** The handler's ears. What they throw must not break the connection, so it is dropped. */
export class Reports {
  handler: PeerHandler | undefined;

  error(error: unknown, method: string | undefined): void {
    try {
      this.handler?.error?.(error, method);
    } catch {
      // Nobody is left to tell.
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
