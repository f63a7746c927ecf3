import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

/** Text messages over a WebSocket of the package `ws`, one frame each, as its users send them. */
export interface TextSocket {
  /** Sends one message; a promise comes back while more than 1 MiB waits. */
  send(text: string): void | Promise<void>;
  onText(listener: (text: string) => void): void;
  close(): void;
}

const highWaterMark = 1024 * 1024;

function textSocket(socket: WebSocket): TextSocket {
  socket.on("error", () => {});
  return {
    send(text) {
      if (socket.bufferedAmount < highWaterMark) return socket.send(text);
      return new Promise((resolve) => socket.send(text, () => resolve()));
    },
    onText: (listener) => void socket.on("message", (data) => listener((data as Buffer).toString("utf8"))),
    close: () => socket.terminate(),
  };
}

/** Dials a WebSocket. */
export async function dialWebSocket(url: string): Promise<TextSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  return textSocket(socket);
}

/** Serves WebSockets on a free port of this machine and gives the URL. */
export async function listenWebSocket(onSocket: (socket: TextSocket) => void): Promise<string> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false, backlog: 1024 });
  server.on("connection", (socket) => onSocket(textSocket(socket)));
  await once(server, "listening");
  return urlOf("ws", server);
}

/** Starts a plain HTTP server on a free port of this machine and gives its URL. */
export async function listenOn(server: Server, scheme: "ws" | "http"): Promise<string> {
  server.listen(0, "127.0.0.1", 1024);
  await once(server, "listening");
  return urlOf(scheme, server);
}

/** An HTTP server that answers nothing but upgrades. */
export function upgradeServer(): Server {
  return createServer((_request, response) => response.writeHead(404).end());
}

function urlOf(scheme: string, server: { address(): unknown }): string {
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
