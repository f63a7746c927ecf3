import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket as WsSocket } from "ws";
import type { Transport } from "../src/index.js";
import { webSocketUpgrader, type WebSocketServerOptions } from "../src/node.js";
import { deferred } from "./near-end.js";

/** Everything that a listener receives for these frames, in order. */
async function received(
  frames: readonly (string | Buffer)[],
  options: WebSocketServerOptions = {},
): Promise<unknown[]> {
  const accepted = deferred<Transport>();
  const upgrader = webSocketUpgrader(accepted.resolve, options);
  const server = createServer().on("upgrade", (request, socket, head) => void upgrader.upgrade(request, socket, head));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await upgrader.close();
    server.close();
  });
  const raw = new WsSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(raw, "open");
  const events: unknown[] = [];
  const closed = deferred<void>();
  (await accepted.promise).start({
    message: (value) => Promise.resolve(void events.push(value)),
    malformed: ({ message, data }, value) => void events.push({ message, ...(data as object), value }),
    closed: () => closed.resolve(),
  });
  for (const frame of frames) raw.send(frame);
  raw.close();
  await closed.promise;
  return events;
}

it.each(["", "\n", " "])("reads two messages in one frame, and says so: %j between them", async (between) => {
  const text = `{"id":1,"result":1}${between}{"id":2,"result":2}`;
  expect(await received([text, '{"id":3}'])).toMatchObject([
    { message: "expected one message, received 2", found: "glued", excerpt: text },
    { id: 1 },
    { id: 2 },
    { id: 3 },
  ]);
});

it("says that a message is split over two frames, and which one it is", async () => {
  const [first, second] = ['{"id":1,"result":{"a"', ':"b"}}'];
  expect(await received([first, second, "1"])).toEqual([
    {
      message: expect.stringContaining("expected a whole message in each text frame, received the beginning of one"),
      excerpt: first,
      found: "outline",
      value: { id: 1, result: {} },
    },
    { message: expect.stringContaining("received the end of one"), excerpt: second, value: undefined },
    1,
  ]);
});

it("reads a message behind noise in its frame", async () => {
  expect(await received(['\uFEFF{"id":1}'])).toMatchObject([{ found: "glued" }, { id: 1 }]);
});

it.each([
  [false, undefined],
  ["if-first", "binary"],
] as const)("says which message a binary frame has that is not read (readBinary: %s)", async (readBinary, found) => {
  const frames = ["1", Buffer.from('{"id":1,"result":{}}'), Buffer.from([0xff]), "2"];
  const message = "expected a text frame, received a binary frame";
  expect(await received(frames, { readBinary })).toEqual([
    1,
    { message, excerpt: '{"id":1,"result":{}}', value: { id: 1, result: {} }, ...(found && { found }) },
    { message, excerpt: "", value: undefined, ...(found && { found }) },
    2,
  ]);
});
