import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Serve } from "../../../wire/memory.js";
import { memoryPipe, type PipeEnd } from "../../../wire/pipe.js";
import { FrameCutter } from "../../../wire/framing.js";

/** Every decision of the reference agent's HTTP side, as the spec and real clients want it. */
export const rightHttp = {
  /** Status for a POST that was taken. */
  taken: (kind: "request" | "notification" | "response", _message: unknown): number =>
    kind === "response" ? 204 : 202,
  /** Body of such an answer. */
  body: (_message: unknown): string => "",
  clientIdRequired: true,
  notJson: 400,
  otherVerb: 405,
  contentType: "text/event-stream",
  /** Written as soon as the stream is open; `""`: nothing. */
  greeting: ": connected\n\n",
  event: (json: string): string => `data: ${json}\n\n`,
  /** Milliseconds between comments that keep the stream alive. */
  pingMs: 1_000,
  /** Whether what is sent before the stream is opened waits for it. */
  queues: true,
  /** Which clients of all get a message that is meant for `clientId`. */
  route: (clientId: string, _all: readonly string[], _json: string): readonly string[] => [clientId],
  /** The handling of a client's older stream when it opens another one. */
  secondStream: "newest" as "newest" | "refused",
};

/** The switches of the HTTP side. */
export type HttpBehavior = typeof rightHttp;

interface Client {
  readonly pipe: PipeEnd;
  stream: ServerResponse | undefined;
  readonly queue: string[];
}

/** Serves an agent over `POST /acp/rpc` and `GET /acp/sse`; one agent for each client id. `close` ends every stream. */
export async function serveHttp(
  serve: Serve,
  patch: Partial<HttpBehavior> = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const front = new HttpFront(serve, { ...rightHttp, ...patch });
  const server = createServer((request, response) => {
    // A client that breaks off is nobody's trouble.
    front.handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server, front) };
}

async function closeServer(server: Server, front: HttpFront): Promise<void> {
  front.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

class HttpFront {
  readonly #clients = new Map<string, Client>();

  readonly #serve: Serve;
  readonly #behavior: HttpBehavior;

  constructor(serve: Serve, behavior: HttpBehavior) {
    this.#serve = serve;
    this.#behavior = behavior;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const clientId = url.searchParams.get("client_id")?.trim() ?? "";
    const { clientIdRequired, otherVerb } = this.#behavior;
    const [verb, action] =
      url.pathname === "/acp/rpc" ? ["POST", this.#take] : url.pathname === "/acp/sse" ? ["GET", this.#stream] : [];
    if (action === undefined) return void response.writeHead(404).end();
    if (request.method !== verb) return void response.writeHead(otherVerb).end("method not allowed");
    if (clientId === "" && clientIdRequired) return void response.writeHead(400).end("client_id is required");
    await action.call(this, clientId, request, response);
  }

  close(): void {
    for (const { stream, pipe } of this.#clients.values()) {
      stream?.end();
      pipe.end();
    }
  }

  async #take(clientId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    let message: unknown;
    try {
      message = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    } catch {
      return void response.writeHead(this.#behavior.notJson).end("invalid json-rpc payload");
    }
    const { method, id } = (message ?? {}) as { method?: unknown; id?: unknown };
    const kind = method === undefined ? "response" : id === undefined ? "notification" : "request";
    response.writeHead(this.#behavior.taken(kind, message)).end(this.#behavior.body(message));
    this.#clientOf(clientId).pipe.write(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  #stream(clientId: string, _request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { contentType, greeting, pingMs, secondStream } = this.#behavior;
    const client = this.#clientOf(clientId);
    if (client.stream !== undefined && secondStream === "refused")
      return Promise.resolve(void response.writeHead(409).end());
    client.stream?.end();
    client.stream = response;
    response.writeHead(200, { "content-type": contentType, "cache-control": "no-cache" });
    if (greeting !== "") response.write(greeting);
    for (const event of client.queue.splice(0)) response.write(event);
    const ping = setInterval(() => response.write(": ping\n\n"), pingMs);
    response.once("close", () => {
      clearInterval(ping);
      if (client.stream === response) client.stream = undefined;
    });
    return Promise.resolve();
  }

  #clientOf(clientId: string): Client {
    const found = this.#clients.get(clientId);
    if (found !== undefined) return found;
    const [near, far] = memoryPipe();
    const client: Client = { pipe: near, stream: undefined, queue: [] };
    this.#clients.set(clientId, client);
    const cutter = new FrameCutter();
    near.listen({
      data: (chunk) => {
        for (const cut of cutter.push(chunk)) if (cut.ok) this.#deliver(clientId, JSON.stringify(cut.message));
      },
      end: () => {},
    });
    this.#serve(far);
    return client;
  }

  #deliver(from: string, json: string): void {
    const event = this.#behavior.event(json);
    for (const to of this.#behavior.route(from, [...this.#clients.keys()], json)) {
      const client = this.#clientOf(to);
      if (client.stream !== undefined) client.stream.write(event);
      else if (this.#behavior.queues) client.queue.push(event);
    }
  }
}
