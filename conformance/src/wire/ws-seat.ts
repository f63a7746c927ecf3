import { type WebSocket, WebSocketServer } from "ws";
import type { Seat } from "./seat.js";
import { freshName } from "./ws-address.js";
import { anyLength, wsLink } from "./ws-link.js";

const UNAVAILABLE = 503;

/**
 * The client connects to a WebSocket server of the suite: `{url}` is its address, `{session}` an id and `{token}` a
 * bearer token to dial it with, for protocols that have those.
 */
export function wsSeat({ path = "" }: { readonly path?: string | undefined } = {}): Seat {
  return {
    transport: "ws",
    async prepare(options) {
      let refusals = 0;
      const verifyClient = (_info: unknown, answer: (isWelcome: boolean, status?: number) => void): void => {
        if (refusals === 0) return answer(true);
        refusals -= 1;
        options.trace.add({ kind: "event", from: "target", name: "refused" });
        answer(false, UNAVAILABLE);
      };
      const server = new WebSocketServer({
        host: "127.0.0.1",
        port: 0,
        perMessageDeflate: false,
        autoPong: false,
        ...anyLength,
        verifyClient,
      });
      await new Promise<void>((resolve, reject) => {
        server.once("listening", resolve);
        server.once("error", reject);
      });
      const { port } = server.address() as { port: number };
      const url = `ws://127.0.0.1:${port}${path}`;
      const { id, token } = freshName();
      const waiting: ((socket: WebSocket) => void)[] = [];
      const taken = new Promise<ReturnType<typeof wsLink>>((resolve) => {
        const next = (adopt: (socket: WebSocket) => void): Promise<void> =>
          new Promise((done) =>
            waiting.push((socket) => {
              adopt(socket);
              done();
            }),
          );
        const refuse = (count: number): void => void (refusals = count);
        waiting.push((socket) => resolve(wsLink(socket, options, { id, next, refuse })));
      });
      server.on("connection", (socket, request) => {
        const take = waiting.shift();
        const data = { url: request.url, authorized: request.headers.authorization === `Bearer ${token}` };
        options.trace.add({
          kind: "event",
          from: "target",
          name: take === undefined ? "second-connection" : "connected",
          data,
        });
        if (take === undefined) return void socket.close(1013, "one connection at a time");
        take(socket);
      });
      return { agent: { url }, variables: { url, session: id, token }, taken, close: async () => void server.close() };
    },
  };
}
