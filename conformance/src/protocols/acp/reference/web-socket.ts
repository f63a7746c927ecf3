import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { FrameCutter } from "../../../wire/framing.js";
import type { Serve } from "../../../wire/memory.js";
import { memoryPipe } from "../../../wire/pipe.js";

/** Every decision of the reference agent's WebSocket side, as the proposal of version 1 wants it. */
export const rightWebSocket = {
  /** The connection that the answer to an upgrade names, if it names one. */
  names: (): string | undefined => randomUUID(),
  /** Whether messages are sent as binary messages. */
  binary: false,
  /** The reaction to a binary message. */
  binaryMessage: "nothing" as "nothing" | "end" | "read",
  /** Whether a connection stays open when the next one is made. */
  keeps: true,
  /** How many connections may be open at once. */
  most: Number.POSITIVE_INFINITY,
};

/** The switches of the agent's WebSocket side. */
export type WebSocketBehavior = typeof rightWebSocket;

/** Serves an agent over WebSockets at any path; one agent for each. `close` drops every connection. */
export async function serveWebSocket(serve: Serve, patch: Partial<WebSocketBehavior> = {}) {
  const behavior: WebSocketBehavior = { ...rightWebSocket, ...patch };
  const http = createServer((_request, response) => void response.writeHead(426).end());
  const accepts = new WebSocketServer({
    server: http,
    perMessageDeflate: false,
    verifyClient: () => accepts.clients.size < behavior.most,
  });
  accepts.on("headers", (headers) => {
    const name = behavior.names();
    if (name !== undefined) headers.push(`Acp-Connection-Id: ${name}`);
  });
  accepts.on("connection", (socket) => {
    for (const other of behavior.keeps ? [] : accepts.clients) if (other !== socket) other.close(1000);
    attach(socket, serve, behavior);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as { port: number };
  const close = async (): Promise<void> => {
    for (const socket of accepts.clients) socket.terminate();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url: `ws://127.0.0.1:${port}`, close };
}

/** Connects a socket with an agent of its own. */
function attach(socket: WebSocket, serve: Serve, { binary, binaryMessage }: WebSocketBehavior): void {
  const [near, far] = memoryPipe();
  const cutter = new FrameCutter();
  near.listen({
    data(chunk) {
      for (const cut of cutter.push(chunk)) if (cut.ok) socket.send(JSON.stringify(cut.message), { binary });
    },
    end: () => socket.close(1000),
  });
  socket.on("message", (data, isBinary) => {
    if (!isBinary || binaryMessage === "read") near.write(Buffer.from(`${String(data)}\n`));
    else if (binaryMessage === "end") socket.terminate();
  });
  socket.on("error", () => {});
  socket.once("close", () => near.end());
  serve(far);
}
