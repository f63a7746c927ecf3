// An operator sees who was refused, and why: a refusal reaches onDiagnostic, at a bounded rate and without secrets.
import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type HttpListener,
  httpServer,
  httpStreamsServer,
  listenServed,
  listenWebSockets,
  webSocketUpgrader,
} from "../src/node.js";
import type { GuardOptions } from "../src/listening/guard.js";

const names = { connection: "acp-connection-id", stream: "acp-session-id" };
const key = "AAAAAAAAAAAAAAAAAAAAAA==";
const routes = () => ({ outgoing: () => "", incoming: () => undefined });

type Serve = (options: GuardOptions) => Promise<HttpListener>;
const listeners: readonly [string, Serve, string, string][] = [
  [
    "httpServer",
    (options) => listenServed(httpServer({ rpcPath: "/x", eventsPath: "/e", onClient() {}, ...options })),
    "",
    "GET /e",
  ],
  [
    "httpStreamsServer",
    (options) =>
      listenServed(
        httpStreamsServer({ path: "/e", headers: names, onClient() {}, opens: () => true, routes, ...options }),
      ),
    "",
    "GET /e",
  ],
  [
    "webSocketUpgrader",
    (options) => listenWebSockets(webSocketUpgrader(() => {}, options)),
    `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n`,
    "upgrade /e",
  ],
];

describe.each(listeners)("%s", (_name, serve, upgrade, place) => {
  async function start(options: GuardOptions) {
    const messages: string[] = [];
    const onDiagnostic: GuardOptions["onDiagnostic"] = ({ id, message }) => void messages.push(`${id}: ${message}`);
    const listener = await serve({ onDiagnostic, ...options });
    onTestFinished(() => listener.close());
    const ask = (headers: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(listener.port, "127.0.0.1", () => {
          const accept = "Accept: text/event-stream\r\nConnection: close\r\n";
          socket.end(`GET /e?client_id=s3cret-query HTTP/1.1\r\n${headers}${upgrade === "" ? accept : upgrade}\r\n`);
        });
        let text = "";
        socket.on("data", (part) => (text += part.toString())).on("close", () => resolve(text.slice(9, 12)));
      });
    return { messages, ask };
  }

  it("reports a refused Host, Origin and token, and no secret", async () => {
    const { messages, ask } = await start({ token: "s3cret", origins: ["https://app.example"] });
    const local = "Host: localhost\r\n";
    expect(await ask("Host: evil.example\r\n")).toBe("403");
    expect(await ask(`${local}Origin: https://evil.example\r\n`)).toBe("403");
    expect(await ask(`${local}Authorization: Bearer wr0ng\r\n`)).toBe("401");
    expect(messages).toEqual([
      `listener.refused: 403 this Host is not served here: Host "evil.example" is not in hosts (${place})`,
      `listener.refused: 403 this Origin may not connect: Origin "https://evil.example" is not in origins (${place})`,
      `listener.refused: 401 a bearer token is required: another token was sent (${place})`,
    ]);
  });

  it("reports the first refusal of a kind in each second, and how many others there were", async () => {
    const { messages, ask } = await start({ token: "s3cret" });
    await Promise.all(Array.from({ length: 20 }, () => ask("Host: localhost\r\n")));
    await vi.waitFor(() => expect(messages).toHaveLength(2), { timeout: 5_000 });
    expect(messages).toEqual([
      `listener.refused: 401 a bearer token is required: no token was sent (${place})`,
      "listener.refused: 401 a bearer token is required: 19 more in this second",
    ]);
  });

  it("reports a caller that authenticate does not know, and that it failed, without the text", async () => {
    const { messages, ask } = await start({
      authenticate({ headers }) {
        if (headers.get("authorization") === null) throw new TypeError("the key is s3cret");
        return undefined;
      },
    });
    expect(await ask("Host: localhost\r\nAuthorization: Bearer of-eve\r\n")).toBe("401");
    expect(await ask("Host: localhost\r\n")).toBe("500");
    expect(messages).toEqual([
      `listener.refused: 401 these credentials are not known: authenticate returned undefined (${place})`,
      `listener.refused: 500 internal error: authenticate threw TypeError (${place})`,
    ]);
  });

  it("answers although the application's onDiagnostic fails", async () => {
    const { ask } = await start({
      onDiagnostic() {
        throw new Error("full disk");
      },
    });
    expect(await ask("Host: evil.example\r\n")).toBe("403");
  });
});
