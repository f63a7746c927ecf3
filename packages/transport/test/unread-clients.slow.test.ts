// Clients that never read: what waits for all of them together has a bound, and so has the memory of the process.
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { server } = await bundle(import.meta.url, { server: "fixtures/unread.ts" });

const clients = 248;
const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
const upgrade = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", key];

/** The first message of a client of each kind. */
const greetings: Readonly<Record<string, (index: number) => string>> = {
  sockets: () => "",
  WebSockets: () => ["GET / HTTP/1.1", "Host: localhost", ...upgrade, "", ""].join("\r\n"),
  HTTP: (index) => `GET /sse?client_id=${index} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
};

it.each(["sockets", "WebSockets", "HTTP"])("a listener of %s stays below 640 MiB", async (kind) => {
  const child = fork(server, [kind]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  for (let index = 0; index < clients; index += 1) {
    const accepted = once(child, "message");
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(greetings[kind]?.(index) ?? "");
    await accepted;
  }
  child.send("send");
  const [{ peak }] = (await once(child, "message")) as [{ peak: number }];
  expect(peak).toBeLessThan(640);
});
