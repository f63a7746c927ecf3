import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isObject } from "@editwire/core";
import { FrameCutter } from "../../../wire/framing.js";
import type { Serve } from "../../../wire/memory.js";
import { memoryPipe, type PipeEnd } from "../../../wire/pipe.js";
import type { Json } from "./agent-behavior.js";

/** Every decision of the reference agent's Streamable HTTP side, as the proposal of version 1 wants it. */
export const rightStreamable = {
  /** Statuses for what is refused. */
  otherType: 415,
  otherAccept: 406,
  unnamedPost: 400,
  unnamedGet: 400,
  unnamedDelete: 400,
  unknownPost: 404,
  unknownGet: 404,
  withoutSession: 400,
  secondStream: 409,
  batch: 501,
  /** Statuses for what is taken. */
  initialized: 200,
  taken: 202,
  takenNotification: 202,
  takenAnswer: 202,
  deleted: 202,
  /** The type of the answer to `initialize`. */
  initializedType: "application/json",
  /** Whether the answer to `initialize` names the connection in its body, too. */
  namesInBody: false,
  /** Whether every request after `initialize` must return a cookie, as a balancer of several servers demands. */
  demandsCookie: false,
  /** Body of the answer to a message that was taken. */
  takenBody: "",
  /** Whether the answer to `initialize` names the connection. */
  names: true,
  /** Whether a connection that was ended is forgotten, and its streams end. */
  forgets: true,
  endsStreams: true,
  endsSessionStreams: true,
  /** Whether `session/new` is answered in the body of its own request. */
  answersInBody: false,
  /** The session on whose stream a message about a session goes; `""` for that of the connection. */
  streamOf: (sessionId: string): string => sessionId,
};

/** The switches of the Streamable HTTP side. */
export type StreamableBehavior = typeof rightStreamable;

interface Stream {
  readonly queue: string[];
  response: ServerResponse | undefined;
}

const PATH = "/acp";

/** Serves an agent on one endpoint; one agent for each connection. `close` ends every stream. */
export async function serveStreamable(serve: Serve, patch: Partial<StreamableBehavior> = {}) {
  const front = new Endpoint(serve, { ...rightStreamable, ...patch });
  const server = createServer((request, response) => {
    front.handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const close = async (): Promise<void> => {
    front.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

class Endpoint {
  readonly #connections = new Map<string, Connection>();
  readonly #serve: Serve;
  readonly #behavior: StreamableBehavior;

  constructor(serve: Serve, behavior: StreamableBehavior) {
    this.#serve = serve;
    this.#behavior = behavior;
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.end();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers, url } = request;
    if (url !== PATH) return void response.writeHead(404).end();
    const named = headers["acp-connection-id"];
    const session = headers["acp-session-id"];
    const scope = typeof session === "string" ? decodeURI(session) : "";
    const connection = this.#connections.get(String(named));
    if (this.#behavior.demandsCookie && connection !== undefined && !String(headers.cookie).includes(`route=${named}`))
      return void response.writeHead(503).end();
    if (method === "POST") return this.#post(request, response, connection, scope);
    const [unnamed, unknown] =
      method === "GET"
        ? [this.#behavior.unnamedGet, this.#behavior.unknownGet]
        : [this.#behavior.unnamedDelete, this.#behavior.unknownGet];
    if (method === "GET" && !String(headers.accept).includes("text/event-stream") && this.#behavior.otherAccept !== 200)
      return void response.writeHead(this.#behavior.otherAccept).end();
    if (connection === undefined) return void response.writeHead(named === undefined ? unnamed : unknown).end();
    if (method === "GET") return connection.attach(scope, response);
    response.writeHead(this.#behavior.deleted).end();
    if (this.#behavior.forgets) this.#connections.delete(String(named));
    if (this.#behavior.endsStreams) connection.end();
  }

  async #post(
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection | undefined,
    scope: string,
  ): Promise<void> {
    const behavior = this.#behavior;
    const { headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (headers["content-type"] !== "application/json" && behavior.otherType !== 202)
      return void response.writeHead(behavior.otherType).end();
    const message = JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
    if (Array.isArray(message)) return void response.writeHead(behavior.batch).end();
    const { method, params } = isObject(message) ? message : {};
    const named = headers["acp-connection-id"];
    if (method === "initialize" && named === undefined) return this.#initialize(message as Json, response);
    if (connection === undefined)
      return void response.writeHead(named === undefined ? behavior.unnamedPost : behavior.unknownPost).end();
    const sessionId = isObject(params) ? params["sessionId"] : undefined;
    if (typeof sessionId === "string" && sessionId !== scope && behavior.withoutSession !== 202)
      return void response.writeHead(behavior.withoutSession).end();
    if (behavior.answersInBody && method === "session/new" && isObject(message) && message["id"] !== undefined)
      return connection.answerInto(message as Json, (answer) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer)),
      );
    response.writeHead(statusFor(message as Json, behavior)).end(behavior.takenBody);
    connection.take(message as Json, scope);
  }

  #initialize(message: Json, response: ServerResponse): void {
    const id = randomUUID();
    const connection = new Connection(this.#serve, this.#behavior, (first) => {
      const { initialized, initializedType, names, namesInBody, demandsCookie } = this.#behavior;
      const headers = {
        "content-type": initializedType,
        ...(names && { "Acp-Connection-Id": id }),
        ...(demandsCookie && { "set-cookie": [`route=${id}; Path=/; HttpOnly`, "theme=dark"] }),
      };
      response.writeHead(initialized, headers).end(JSON.stringify(namesInBody ? withConnection(first, id) : first));
    });
    this.#connections.set(id, connection);
    connection.take(message, "");
  }
}

function withConnection(answer: unknown, connectionId: string): unknown {
  if (!isObject(answer) || !isObject(answer["result"])) return answer;
  return { ...answer, result: { ...answer["result"], connectionId } };
}

/** The status of a message that was taken. */
function statusFor({ id, method }: Json, { taken, takenNotification, takenAnswer }: StreamableBehavior): number {
  if (method === undefined) return takenAnswer;
  return id === undefined ? takenNotification : taken;
}

class Connection {
  readonly #pipe: PipeEnd;
  readonly #streams = new Map<string, Stream>();
  readonly #asked = new Map<string, string>();
  readonly #behavior: StreamableBehavior;
  #first: ((message: unknown) => void) | undefined;
  /** Where the answer to a request goes in place of a stream. */
  readonly #bodies = new Map<string, (answer: unknown) => void>();

  constructor(serve: Serve, behavior: StreamableBehavior, first: (message: unknown) => void) {
    this.#behavior = behavior;
    this.#first = first;
    const [near, far] = memoryPipe();
    this.#pipe = near;
    const cutter = new FrameCutter();
    near.listen({
      data: (chunk) => {
        for (const cut of cutter.push(chunk)) if (cut.ok) this.#deliver(cut.message);
      },
      end: () => {},
    });
    serve(far);
  }

  take(message: Json, scope: string): void {
    if (message["id"] !== undefined && "method" in message) this.#asked.set(JSON.stringify(message["id"]), scope);
    this.#pipe.write(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  answerInto(message: Json, into: (answer: unknown) => void): void {
    this.#bodies.set(JSON.stringify(message["id"]), into);
    this.take(message, "");
  }

  attach(scope: string, response: ServerResponse): void {
    const stream = this.#stream(scope);
    if (stream.response !== undefined && this.#behavior.secondStream !== 200)
      return void response.writeHead(this.#behavior.secondStream).end();
    stream.response = response;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": open\n\n");
    for (const event of stream.queue.splice(0)) response.write(event);
    response.once("close", () => {
      if (stream.response === response) stream.response = undefined;
    });
  }

  end(): void {
    for (const [scope, { response }] of this.#streams)
      if (scope === "" || this.#behavior.endsSessionStreams) response?.end();
    this.#pipe.end();
  }

  #deliver(message: unknown): void {
    if (this.#first !== undefined) {
      this.#first(message);
      this.#first = undefined;
      return;
    }
    const { method, params, id } = isObject(message) ? message : {};
    const into = method === undefined ? this.#bodies.get(JSON.stringify(id)) : undefined;
    if (into !== undefined) return into(message);
    const named = isObject(params) ? params["sessionId"] : undefined;
    const scope = method === undefined ? this.#asked.get(JSON.stringify(id)) : named;
    const stream = this.#stream(typeof scope === "string" ? this.#behavior.streamOf(scope) : "");
    const event = `data: ${JSON.stringify(message)}\n\n`;
    if (stream.response === undefined) stream.queue.push(event);
    else stream.response.write(event);
  }

  #stream(scope: string): Stream {
    const found = this.#streams.get(scope) ?? { queue: [], response: undefined };
    this.#streams.set(scope, found);
    return found;
  }
}
