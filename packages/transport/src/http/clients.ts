import { WireError } from "@editwire/core/errors";
import { answerLater, answerText, readBody } from "./answers.js";
import type { HttpClient, HttpServerOptions } from "./options.js";
import type { ListenerReports } from "../listening/reports.js";
import { closedText, type HttpSession, ownStream } from "./session.js";
import { eventsAnswer, HttpSessions } from "./sessions.js";

/** The clients of one HTTP server that choose their ids themselves. Each has one event stream. */
export class HttpClients {
  readonly #options: HttpServerOptions;
  readonly #sessions: HttpSessions;

  constructor(options: HttpServerOptions, reports: ListenerReports) {
    this.#options = options;
    this.#sessions = new HttpSessions(options, 1, reports);
  }

  /** Takes a client's message, after those that it sent before. */
  async post(request: Request, client: HttpClient): Promise<Response> {
    const { maxWaitingPosts = 64 } = this.#options;
    const session = this.#admit(client);
    if (session instanceof Response) return session;
    if (session.waitingPosts >= maxWaitingPosts) return answerLater(429, "too many messages wait");
    const answer = await session.inOrder(() => this.#take(request, session));
    if (session.isUseless) session.leave(new WireError("closed", "the client sent no valid message"));
    return answer;
  }

  /** Opens a client's event stream, after the event that `Last-Event-ID` names. */
  openEvents(request: Request, client: HttpClient): Response {
    const after = request.headers.get("last-event-id");
    if (after !== null && this.#sessions.get(client) === undefined) return eventsAnswer(undefined, ownStream, after);
    const session = this.#admit(client);
    return session instanceof Response ? session : eventsAnswer(session, ownStream, after);
  }

  /** Ends the session of a client that will not return. */
  leave(client: HttpClient): void {
    this.#sessions.get(client)?.leave();
  }

  /** Admits no more clients, and closes those that are there. */
  close(): Promise<void> {
    return this.#sessions.close();
  }

  #admit(client: HttpClient): HttpSession | Response {
    const known = this.#sessions.get(client);
    if (known !== undefined) return known.over ? answerText(410, closedText("client", known)) : known;
    const session = this.#sessions.add(client);
    if (!(session instanceof Response)) this.#options.onClient(session, client);
    return session;
  }

  async #take(request: Request, session: HttpSession): Promise<Response> {
    const { maxBodyBytes = 4 * 1024 * 1024, statusOf = () => 202, opens = () => true } = this.#options;
    const body = await readBody(request, maxBodyBytes);
    if (!body.ok) return answerText(body.status, body.message);
    const status = statusOf(body.value);
    if (status >= 400) return answerText(status, "the body is not a message");
    if (opens(body.value)) session.opened = true;
    const taken = await session.deliver(body.value, body.text.length, request.headers.get("idempotency-key"));
    return taken ? new Response(null, { status }) : answerText(410, closedText("client", session));
  }
}
