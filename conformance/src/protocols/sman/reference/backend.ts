import { createServer, type IncomingMessage, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject } from "@editwire/core";
import { WebSocket, WebSocketServer } from "ws";
import type { WsServerReference } from "../../../core/protocol.js";
import { type Control, UnsupportedAction } from "../../../wire/link.js";
import type { Outcome } from "../backend-role.js";
import {
  type BackendBehavior,
  type BackendOddity,
  type BackendSite,
  type BackendWords,
  type PendingCall,
  rightBackend,
} from "./backend-behavior.js";
import type { Json } from "./tool-failure.js";

const REFUSED = 1003;

/** The reference backend, with some of its switches replaced: it listens on a port of its own. */
export const listenReferenceBackend: WsServerReference["listen"] = async (patch: Partial<BackendBehavior> = {}) => {
  const behavior = { ...rightBackend, ...patch };
  const backend = new ReferenceBackend(behavior);
  const server = createServer((_request, response) => void response.writeHead(404).end());
  const upgrader = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: behavior.maxBytes,
    autoPong: false,
  });
  server.on("upgrade", (request: IncomingMessage, socket, head) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const status = behavior.refuses(url, request.headers.origin);
    socket.on("error", () => {});
    if (status === undefined)
      return upgrader.handleUpgrade(request, socket, head, (ws) => backend.connect(url.searchParams, ws));
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    control: backend,
    async close() {
      backend.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

interface Connection {
  readonly site: BackendSite;
  readonly socket: WebSocket;
  /** Chats that wait for a file. */
  chats: number;
}

interface Waiting extends PendingCall {
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
}

class ReferenceBackend implements Control {
  readonly #behavior: BackendBehavior;
  readonly #connections: Connection[] = [];
  readonly #pending = new Set<Waiting>();
  readonly #log: string[] = [];

  constructor(behavior: BackendBehavior) {
    this.#behavior = behavior;
  }

  async do(action: string, args: Json = {}): Promise<unknown> {
    if (action === "log") return { lines: this.#log };
    if (action !== "call") throw new UnsupportedAction(`there is no action "${action}"`);
    const { session, tool, params, timeoutMs } = args;
    const ms = typeof timeoutMs === "number" ? timeoutMs : undefined;
    return this.#call(String(session), String(tool), isObject(params) ? params : {}, ms);
  }

  connect(query: URLSearchParams, socket: WebSocket): void {
    const behavior = this.#behavior;
    const reason = behavior.rejects(query);
    socket.on("error", () => {});
    if (reason !== undefined) return socket.close(REFUSED, reason);
    const site = {
      session: query.get("sessionId") ?? "",
      projectKey: query.get("projectKey") ?? "",
      id: behavior.siteId(),
    };
    const connection: Connection = { site, socket, chats: 0 };
    this.#connections.push(connection);
    for (const message of behavior.greeting(site)) this.#write(socket, message);
    socket.on("message", (data, isBinary) => this.#read(connection, data as Buffer, isBinary));
    socket.on("ping", (data) => {
      const pong = behavior.pong(data);
      if (pong !== undefined && socket.readyState === socket.OPEN) socket.pong(pong);
    });
    socket.once("close", () => {
      this.#connections.splice(this.#connections.indexOf(connection), 1);
      const lost = behavior.lost(site, [...this.#pending]);
      for (const one of this.#pending) if (lost.includes(one)) this.#fail(one, "the connection was lost");
    });
  }

  close(): void {
    for (const { socket } of this.#connections) socket.terminate();
    for (const one of [...this.#pending]) this.#fail(one, "the backend is closed");
  }

  #call(session: string, tool: string, params: Json, ms: number | undefined): Promise<Outcome> {
    const behavior = this.#behavior;
    const connection = this.#connections.findLast(({ site }) => site.session === session);
    if (connection === undefined) throw new Error(`WebSocket Session 未找到: ${session}`);
    const { site, socket } = connection;
    const missing = behavior.missing(tool, params);
    if (missing !== undefined) throw new Error(`${missing} 参数缺失`);
    const id = behavior.callId(tool, site);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(waiting, `工具调用超时: ${tool}`), behavior.timeoutMs(ms));
      const settle = (): void => {
        clearTimeout(timer);
        this.#pending.delete(waiting);
      };
      const waiting: Waiting = {
        id,
        tool,
        site,
        resolve(outcome) {
          settle();
          resolve(outcome);
        },
        reject(error) {
          settle();
          reject(error);
        },
      };
      this.#pending.add(waiting);
      this.#write(socket, behavior.call(id, tool, params, site));
    });
  }

  #fail(waiting: Waiting, reason: string): void {
    waiting.reject(new Error(reason));
  }

  #read(connection: Connection, data: Buffer, isBinary: boolean): void {
    const behavior = this.#behavior;
    const { site, socket } = connection;
    const text = data.toString("utf8");
    const drop = (what: BackendOddity, message: Json = {}): void => {
      if (behavior.odd(what, text) === "die") socket.terminate();
      else this.#talk(connection, behavior.words(what, message, site));
    };
    if (behavior.isDeafInChats && connection.chats > 0) return;
    if (isBinary) return drop("binary");
    const message = objectOf(text);
    if (message === undefined) return drop("frame");
    if (!behavior.isResult(message["type"])) return drop("type", message);
    const result = behavior.result(message);
    if (result === undefined) return drop("data");
    const matched = behavior.match(result, site, [...this.#pending]);
    const waiting = [...this.#pending].find((one) => one === matched);
    if (waiting !== undefined) {
      const problem = behavior.problem(result.fields);
      return problem === undefined ? waiting.resolve(behavior.outcome(result.fields)) : this.#fail(waiting, problem);
    }
    this.#log.push(...behavior.strayLog(result.id));
    for (const reply of behavior.strayReply(result.id)) this.#write(socket, reply);
    drop("id");
  }

  #talk(connection: Connection, { messages, reads, afterwards = [] }: BackendWords): void {
    const { site, socket } = connection;
    for (const message of messages) this.#write(socket, message);
    if (reads === undefined) return;
    connection.chats += 1;
    const finish = (): void => {
      connection.chats -= 1;
      for (const message of afterwards) this.#write(socket, message);
    };
    this.#call(site.session, "read_file", { relativePath: reads }, undefined).then(finish, finish);
  }

  #write(socket: WebSocket, message: Json): void {
    for (const one of this.#behavior.outgoing(message))
      if (socket.readyState === WebSocket.OPEN) socket.send(this.#behavior.encode(one));
  }
}

/** The JSON object in a text; `undefined` when there is none. */
function objectOf(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
