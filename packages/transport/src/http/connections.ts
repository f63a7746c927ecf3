import { answerJson, answerLater, answerText, type Body, readBody } from "./answers.js";
import { keysHeader, keysTaken } from "./keys.js";
import { parseMessage } from "../shared/json.js";
import type { HttpServerRoutes } from "./routes.js";
import type { ListenerReports } from "../listening/reports.js";
import { closedText, type HttpSession, ownStream } from "./session.js";
import { eventsAnswer, HttpSessions } from "./sessions.js";
import type { HttpStreamsServerOptions } from "./options.js";

/** A connection that this server opened. */
interface HttpConnection {
  readonly session: HttpSession;
  readonly routes: HttpServerRoutes;
}

const maxNameLength = 1024;

/** The connections of one HTTP server, whose clients have several event streams. */
export class HttpConnections {
  readonly #options: HttpStreamsServerOptions;
  readonly #sessions: HttpSessions;
  readonly #routes = new WeakMap<HttpSession, HttpServerRoutes>();

  constructor(options: HttpStreamsServerOptions, reports: ListenerReports) {
    const { maxStreams = 256, maxReplayBytes = 1024 * 1024 } = options;
    this.#options = options;
    this.#sessions = new HttpSessions({ ...options, maxReplayBytes }, maxStreams, reports);
  }

  /** Opens a connection, or takes the message of a client that has one, after those that it sent before. */
  async post(request: Request, caller: string | undefined): Promise<Response> {
    const { maxWaitingPosts = 64, headers } = this.#options;
    if (!request.headers.has(headers.connection)) return this.#open(await this.#read(request), caller);
    const connection = this.#find(request, caller);
    if (connection instanceof Response) return connection;
    if (connection.session.waitingPosts >= maxWaitingPosts) return answerLater(429, "too many messages wait");
    return connection.session.inOrder(() => this.#take(request, connection));
  }

  /** Opens an event stream. One that is open is not opened again, unless the request names its last event. */
  openEvents(request: Request, caller: string | undefined): Response {
    const connection = this.#find(request, caller);
    if (connection instanceof Response) return connection;
    const stream = this.#streamOf(request) ?? ownStream;
    if (stream.length > maxNameLength) return answerText(400, `${this.#options.headers.stream} is too long`);
    const after = request.headers.get("last-event-id");
    if (after === null && connection.session.isOpen(stream))
      return answerText(409, "this event stream is already open");
    if (!connection.session.hasRoomFor(stream)) return answerLater(503, "too many event streams");
    return eventsAnswer(connection.session, stream, after);
  }

  /** Ends the connection of a client that will not return. */
  leave(request: Request, caller: string | undefined): Response {
    const connection = this.#find(request, caller);
    if (connection instanceof Response) return connection;
    connection.session.leave();
    return new Response(null, { status: 202 });
  }

  /** Admits no more clients, and closes those that are there. */
  close(): Promise<void> {
    return this.#sessions.close();
  }

  /** The connection that a request names. To another caller it does not exist. */
  #find({ headers }: Request, caller: string | undefined): HttpConnection | Response {
    const name = this.#options.headers.connection;
    const id = headers.get(name) ?? "";
    if (id === "") return answerText(400, `${name} is required`);
    const session = this.#sessions.get({ id, caller });
    const routes = session === undefined ? undefined : this.#routes.get(session);
    if (session === undefined || routes === undefined) return answerText(404, `${name} is not known`);
    if (session.over) return answerText(404, closedText("connection", session));
    return { session, routes };
  }

  #streamOf({ headers }: Request): string | undefined {
    return headers.get(this.#options.headers.stream) ?? undefined;
  }

  async #read(request: Request): Promise<Response | Extract<Body, { ok: true }>> {
    const body = await readBody(request, this.#options.maxBodyBytes ?? 16 * 1024 * 1024);
    if (!body.ok) return answerText(body.status, body.message);
    const refusal = this.#options.refuse?.(body.value);
    return refusal === undefined ? body : answerJson(400, refusal);
  }

  async #open(body: Response | Extract<Body, { ok: true }>, caller: string | undefined): Promise<Response> {
    if (body instanceof Response) return body;
    const { headers, keeps = () => true, onClient } = this.#options;
    if (!this.#options.opens(body.value)) return answerText(400, `${headers.connection} is required`);
    const client = { id: crypto.randomUUID(), caller };
    const routes = this.#options.routes(body.value);
    let answered = (_json: string): void => {};
    const first = new Promise<string>((resolve) => (answered = resolve));
    const session = this.#sessions.add(client, (json) => {
      const stream = routes.outgoing(parseMessage(json));
      if (stream === undefined) answered(json);
      return stream;
    });
    if (session instanceof Response) return session;
    this.#routes.set(session, routes);
    session.opened = keeps(body.value);
    onClient(session, client);
    await session.inOrder(() => session.deliver(body.value, body.text.length, null));
    const json = await Promise.race([first, session.ended()]);
    if (json === undefined) return answerText(503, "the connection was closed before its first answer");
    return new Response(json, {
      status: 200,
      headers: { "content-type": "application/json", [headers.connection]: client.id, [keysHeader]: keysTaken },
    });
  }

  async #take(request: Request, { session, routes }: HttpConnection): Promise<Response> {
    const body = await this.#read(request);
    if (body instanceof Response) return body;
    if (this.#options.opens(body.value)) return answerText(400, "this connection is already open");
    const key = request.headers.get("idempotency-key");
    const refusal = session.repeats(key) ? undefined : routes.incoming(body.value, this.#streamOf(request));
    if (refusal !== undefined) return answerText(400, refusal);
    const taken = await session.deliver(body.value, body.text.length, key);
    return taken ? new Response(null, { status: 202 }) : answerText(404, closedText("connection", session));
  }
}
