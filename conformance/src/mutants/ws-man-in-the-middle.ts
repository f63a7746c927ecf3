import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { isObject } from "@editwire/core";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { Changes, type OnChange } from "./changes.js";
import type { Rewriter } from "./rewriter.js";

/** The two ends of a man in the middle of WebSockets, and the end that it breaks. */
export interface WsMiddleOptions {
  /** The URL at which the listening program is. */
  readonly connect: string;
  /** The port of this machine's loopback interface to listen on. Default: a free one. */
  readonly port?: number | undefined;
  /** Whose messages are rewritten: those of the program that dials, or of the one that listens. */
  readonly breaks: "dials" | "listens";
  /** Makes the rewriter of one connection. */
  rewriter(): Rewriter;
  readonly onChange?: OnChange | undefined;
}

/** A man in the middle that listens. */
export interface WsMiddle {
  /** The URL to dial in place of `connect`. */
  readonly url: string;
  /** Messages that were read from the side that is broken, and how many of them were changed. */
  readonly changes: Pick<Changes, "messages" | "changed">;
  /** Ends every connection. */
  close(): Promise<void>;
}

const CONNECT_MS = 10_000;
/** Headers that belong to one connection, and are not passed on. */
const own = /^(host|connection|upgrade|sec-websocket-.*)$/;
const json = (message: unknown): string => JSON.stringify(message);

/**
 * Listens for WebSockets, dials the program at `connect` for each with the same path, query, headers and subprotocols,
 * and passes everything on. Messages of the broken side are rewritten. Rejects when the port is taken.
 */
export async function listenBetween(options: WsMiddleOptions): Promise<WsMiddle> {
  const { pathname, search } = new URL(options.connect);
  const changes = new Changes(options.onChange);
  const sockets = new Set<WebSocket>();
  const server = createServer((_request, response) => void response.writeHead(426).end("expected a WebSocket\n"));
  server.on("upgrade", (request, socket, head) => dialFor({ request, socket, head }, options, changes, sockets));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.terminate();
      server.closeAllConnections();
    });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}${search}`, changes, close };
}

/** A handshake that waits for its answer. */
interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Dials the listening program. A handshake that it refuses is refused with the same status. */
function dialFor(
  { request, socket, head }: Upgrade,
  options: WsMiddleOptions,
  changes: Changes,
  sockets: Set<WebSocket>,
): void {
  const { "sec-websocket-protocol": asked = "" } = request.headers;
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !own.test(name)));
  const up = new WebSocket(
    new URL(request.url ?? "/", options.connect),
    asked.split(",").flatMap((name) => name.trim() || []),
    { headers, perMessageDeflate: false, handshakeTimeout: CONNECT_MS, autoPong: false },
  );
  const refuse = (status: number): void => void socket.end(`HTTP/1.1 ${status} \r\nConnection: close\r\n\r\n`);
  socket.on("error", () => up.terminate());
  up.once("unexpected-response", (dialed, { statusCode = 502 }) => {
    dialed.destroy();
    refuse(statusCode);
  });
  up.once("error", () => refuse(502));
  // A message that a program sends right behind its handshake arrives in the same turn, so both ends are coupled in it.
  up.once("open", () => {
    const handleProtocols = (): string | false => (up.protocol === "" ? false : up.protocol);
    const accepts = new WebSocketServer({ noServer: true, perMessageDeflate: false, autoPong: false, handleProtocols });
    accepts.handleUpgrade(request, socket, head, (down) => {
      for (const one of [up, down]) {
        sockets.add(one);
        one.once("close", () => sockets.delete(one));
      }
      const rewriter = options.rewriter();
      const [bad, good] = options.breaks === "dials" ? [down, up] : [up, down];
      rewriteAll(bad, good, rewriter, changes);
      good.on("message", (data, binary) => {
        if (!binary) rewriter.received(parsed(data));
        send(bad, data, binary);
      });
      passRest(up, down);
      passRest(down, up);
    });
  });
}

function rewriteAll(from: WebSocket, to: WebSocket, rewriter: Rewriter, changes: Changes): void {
  from.on("message", (data, binary) => {
    const message = binary ? undefined : parsed(data);
    if (!isObject(message)) return send(to, data, binary);
    const before = json(message);
    const after = rewriter.rewrite(message).map((one) => rewriter.text(one));
    const isSame = after.length === 1 && after[0] === before;
    changes.take(before, after.map(String), !isSame);
    // A message that is not changed keeps the bytes in which it came.
    if (isSame) return send(to, data, false);
    for (const one of after) send(to, one, typeof one !== "string");
  });
}

/** Pings, pongs and the end of one side go to the other as they are. */
function passRest(from: WebSocket, to: WebSocket): void {
  const whileOpen = (act: () => void): void => {
    if (to.readyState === WebSocket.OPEN) act();
  };
  from.on("ping", (data) => whileOpen(() => to.ping(data)));
  from.on("pong", (data) => whileOpen(() => to.pong(data)));
  from.on("error", () => {}); // the close event reports it
  from.once("close", (code, reason) => {
    if (code === 1006) to.terminate();
    else if (code === 1005) to.close();
    else to.close(code, reason);
  });
}

function send(to: WebSocket, data: RawData | string | Uint8Array, binary: boolean): void {
  if (to.readyState === WebSocket.OPEN) to.send(data, { binary });
}

function parsed(data: RawData): unknown {
  try {
    return JSON.parse(String(data)) as unknown;
  } catch {
    return undefined;
  }
}
