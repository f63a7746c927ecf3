import { spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import type { Readable, Writable } from "node:stream";
import { type Contender, type Handlers, type Link, unsupported } from "./contender.js";
import { dialWebSocket, listenWebSocket, type TextSocket } from "./web-sockets.js";

/** Puts an implementation on a pair of Node streams, or on one duplex given twice. */
export type AttachStreams = (readable: Readable, writable: Writable, handlers: Handlers) => Link | Promise<Link>;

/** Puts an implementation on a WebSocket. */
export type AttachSocket = (socket: TextSocket, handlers: Handlers) => Link;

/** Makes a contender of an implementation that leaves processes and sockets to its user. */
export function overStreams(
  attach: AttachStreams,
  attachSocket: AttachSocket = () => unsupported("WebSockets"),
): Contender {
  return {
    async spawn([command = "", ...args], handlers) {
      const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
      const link = await attach(child.stdout, child.stdin, handlers);
      return {
        call: link.call,
        update: link.update,
        async close() {
          const exited = once(child, "exit");
          child.stdin.end();
          await exited;
        },
      };
    },
    stdio(handlers) {
      process.stdin.once("end", () => process.exit());
      void attach(process.stdin, process.stdout, handlers);
    },
    async dial(address, handlers) {
      if (address.startsWith("ws:")) return attachSocket(await dialWebSocket(address), handlers);
      const socket = createConnection(address);
      await once(socket, "connect");
      const link = await attach(socket, socket, handlers);
      return { call: link.call, update: link.update, close: () => socket.destroy() };
    },
    async listen(address, handlers) {
      if (address.startsWith("ws:")) return listenWebSocket((socket) => attachSocket(socket, handlers));
      const server = createServer((socket) => {
        socket.on("error", () => {});
        void attach(socket, socket, handlers);
      });
      server.listen(address, 1024);
      await once(server, "listening");
      return address;
    },
  };
}
