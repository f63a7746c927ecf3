import type { WireError } from "@editwire/core";
import type { HttpClientRoutes, StreamChange } from "@editwire/transport";
import { answerStream, mayArriveTwice, refusedAnswer, routedMessage } from "./messages.js";

/** A request of the client that is not answered yet. */
interface Pending {
  readonly method: string;
  readonly sessionId: string;
}

/** Methods after which nothing more comes on the stream of their session. */
const lastMethods = new Set(["session/close", "session/delete"]);

/**
 * The routes of one connection of a client: what names a session travels on its stream, an answer where it was asked.
 */
export class ClientRoutes implements HttpClientRoutes {
  /** The client's own requests, by their ids. */
  readonly #pending = new Map<string, Pending>();
  /** The sessions of the agent's requests, by their ids. */
  readonly #asked = new Map<string, string>();

  outgoing(message: unknown): string {
    const { method, id, sessionId = "" } = routedMessage(message);
    if (method !== undefined) {
      if (id !== undefined) this.#pending.set(id, { method, sessionId });
      return sessionId;
    }
    const asked = id === undefined ? undefined : this.#asked.get(id);
    if (id !== undefined) this.#asked.delete(id);
    return asked ?? "";
  }

  incoming(message: unknown, stream: string): StreamChange {
    const { method, id, sessionId, failed } = routedMessage(message);
    if (id === undefined) return {};
    if (method !== undefined) {
      if (stream !== "") this.#asked.set(id, stream);
      return {};
    }
    const asked = this.#pending.get(id);
    this.#pending.delete(id);
    if (asked === undefined) return {}; // it comes too late: its request has failed
    const isLast = !failed && lastMethods.has(asked.method);
    return isLast ? { ends: asked.sessionId } : { opens: sessionId };
  }

  mayArriveTwice(message: unknown): boolean {
    return mayArriveTwice(message);
  }

  refused(message: unknown, why: WireError): unknown {
    return refusedAnswer(message, why);
  }

  awaits(stream: string): boolean {
    return [...this.#pending.values()].some(({ method, sessionId }) => answerStream(method, sessionId) === stream);
  }
}
