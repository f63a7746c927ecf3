import { type WebSocket, WebSocketServer } from "ws";
import type { Seat } from "./seat.js";
import { wsLink } from "./ws.js";

/** The client connects to a WebSocket server of the suite, whose address is `{url}`. */
export function wsSeat(path = "/"): Seat {
  return {
    transport: "ws",
    async prepare(options) {
      const server = new WebSocketServer({ host: "127.0.0.1", port: 0, path, perMessageDeflate: false });
      await new Promise<void>((resolve, reject) => {
        server.once("listening", resolve);
        server.once("error", reject);
      });
      const { port } = server.address() as { port: number };
      const url = `ws://127.0.0.1:${port}${path}`;
      let first: WebSocket | undefined;
      const taken = new Promise<ReturnType<typeof wsLink>>((resolve) => {
        server.on("connection", (socket, request) => {
          options.trace.add({ kind: "event", from: "target", name: first === undefined ? "connected" : "second-connection", data: { url: request.url } });
          if (first !== undefined) return void socket.close(1013, "one connection at a time");
          first = socket;
          resolve(wsLink(socket, options));
        });
      });
      return { agent: { url }, variables: { url }, taken, close: async () => void server.close() };
    },
  };
}
