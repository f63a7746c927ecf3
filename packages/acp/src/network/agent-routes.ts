import type { HttpServerRoutes } from "@editwire/transport/node";
import { answerStream, remoteHeaders, routedMessage } from "./messages.js";

/** Methods of sessions that need no session. */
const withoutSession = new Set(["session/new", "session/list"]);

/**
 * The routes of one connection of an agent: what names a session travels on its stream, an answer where its request
 * came from.
 */
export class AgentRoutes implements HttpServerRoutes {
  #opening: string | undefined;
  readonly #strict: boolean;
  /** The streams of the answers to the client's requests, by their ids. */
  readonly #answers = new Map<string, string>();
  /** The sessions of the agent's own requests, by their ids. */
  readonly #asked = new Map<string, string>();

  /** `strict` refuses answers that do not name their session. The Python SDK's client sends such. */
  constructor(opening: unknown, strict = false) {
    this.#opening = routedMessage(opening).id;
    this.#strict = strict;
  }

  outgoing(message: unknown): string | undefined {
    const { method, id, sessionId = "" } = routedMessage(message);
    if (method !== undefined) {
      if (id !== undefined && sessionId !== "") this.#asked.set(id, sessionId);
      return sessionId;
    }
    if (id === undefined) return "";
    if (id === this.#opening) {
      this.#opening = undefined;
      return undefined;
    }
    const stream = this.#answers.get(id) ?? "";
    this.#answers.delete(id);
    return stream;
  }

  incoming(message: unknown, stream: string | undefined): string | undefined {
    const { method, id, sessionId } = routedMessage(message);
    if (method === undefined) return this.#answered(id, stream);
    const needsSession = method.startsWith("session/") && !withoutSession.has(method);
    if (stream === undefined && (needsSession || sessionId !== undefined)) return missing;
    if (stream !== undefined && sessionId !== undefined && stream !== sessionId) return mismatched;
    if (id !== undefined && stream !== undefined) this.#answers.set(id, answerStream(method, stream));
    return undefined;
  }

  #answered(id: string | undefined, stream: string | undefined): string | undefined {
    const asked = id === undefined ? undefined : this.#asked.get(id);
    if (id === undefined || asked === undefined) return undefined;
    if (stream === undefined && this.#strict) return missing;
    if (stream !== undefined && stream !== asked) return mismatched;
    this.#asked.delete(id);
    return undefined;
  }
}

const missing = `${remoteHeaders.stream} is required`;
const mismatched = `${remoteHeaders.stream} names another session than the message`;
