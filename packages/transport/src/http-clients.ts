import { WireError } from "@editwire/core/errors";
import { defaultCloseTimeoutMs } from "./byte-stream-transport.js";
import { answerText } from "./http-answers.js";
import { readBody } from "./http-body.js";
import type { HttpClient, HttpServerOptions } from "./http-server.js";
import { HttpSession, type HttpSessionLimits } from "./http-session.js";

const lostEvents =
  "what followed this event is not kept: the client was away for too long, or the server was restarted";

/** The clients of one HTTP server, by their callers and ids. */
export class HttpClients {
  readonly #options: HttpServerOptions;
  readonly #limits: HttpSessionLimits;
  readonly #sessions = new Map<string, HttpSession>();
  #closing = false;

  constructor(options: HttpServerOptions) {
    const { maxQueuedBytes = 16 * 1024 * 1024, maxReplayBytes = 16 * 1024 * 1024 } = options;
    const { idleMs = 300_000, keepAliveMs = 5_000, closeTimeoutMs = defaultCloseTimeoutMs } = options;
    this.#options = options;
    this.#limits = { maxQueuedBytes, maxReplayBytes, idleMs, keepAliveMs, closeTimeoutMs };
  }

  /** Takes a client's message, after those that it sent before. */
  async post(request: Request, client: HttpClient): Promise<Response> {
    const { maxWaitingPosts = 64 } = this.#options;
    const session = this.#admit(client);
    if (session instanceof Response) return session;
    if (session.waitingPosts >= maxWaitingPosts) return answerText(429, "too many messages wait");
    const answer = await session.inOrder(() => this.#take(request, session));
    if (session.isUseless) session.leave(new WireError("closed", "the client sent nothing valid"));
    return answer;
  }

  /** Opens a client's event stream, after the event that `Last-Event-ID` names. */
  openEvents(request: Request, client: HttpClient): Response {
    const after = request.headers.get("last-event-id");
    if (after !== null && !this.#sessions.has(keyOf(client))) return answerText(410, lostEvents);
    const session = this.#admit(client);
    if (session instanceof Response) return session;
    const position = after === null ? undefined : session.positionOf(after);
    if (after !== null && position === undefined) return answerText(410, lostEvents);
    const headers = {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      // The event that the stream continues after, for a client that loses it before its first event.
      "last-event-id": after ?? session.lastEventId,
    };
    return new Response(session.attach(position), { headers });
  }

  /** Ends the session of a client that will not return. */
  leave(client: HttpClient): void {
    this.#sessions.get(keyOf(client))?.leave();
  }

  /** Admits no more clients, and closes those that are there. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(Array.from(this.#sessions.values(), (session) => session.close()));
  }

  #admit(client: HttpClient): HttpSession | Response {
    const key = keyOf(client);
    const known = this.#sessions.get(key);
    if (known !== undefined) return known.over ? answerText(410, "this client was closed") : known;
    if (this.#closing) return answerText(503, "the server is closing");
    if (!this.#makeRoom()) return answerText(503, "too many clients");
    const session = new HttpSession(this.#limits, () => {
      if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    });
    this.#sessions.set(key, session);
    this.#options.onClient(session, client);
    return session;
  }

  /** Ends the oldest client that keeps no slot, if all slots are taken. False when every client keeps its own. */
  #makeRoom(): boolean {
    const { maxClients = 256 } = this.#options;
    if (this.#sessions.size < maxClients) return true;
    const oldest = [...this.#sessions.values()].find((session) => !session.keepsSlot);
    oldest?.leave(
      new WireError("closed", "another client took the place of this one, which never completed its start"),
    );
    return oldest !== undefined;
  }

  async #take(request: Request, session: HttpSession): Promise<Response> {
    const { maxBodyBytes = 4 * 1024 * 1024, statusOf = () => 202, opens = () => true } = this.#options;
    const body = await readBody(request, maxBodyBytes);
    if (!body.ok) return answerText(body.status, body.message);
    const status = statusOf(body.value);
    if (status >= 400) return answerText(status, "the body is not a message");
    if (opens(body.value)) session.opened = true;
    const taken = await session.deliver(body.value, body.length, request.headers.get("idempotency-key"));
    return taken ? new Response(null, { status }) : answerText(410, "this client was closed");
  }
}

/** Ids of two callers may be equal. JSON keeps what one caller chooses from looking like another's. */
function keyOf({ id, caller }: HttpClient): string {
  return JSON.stringify([caller, id]);
}
