import type { Socket } from "node:net";
import { contentLength } from "@editwire/framing";
import { nodeStreamTransport } from "@editwire/transport/node";
import { afterEach, describe, expect, it } from "vitest";
import { createMessageConnection, type MessageConnection } from "vscode-jsonrpc/node";
import { transportStreams } from "../../src/vscode-jsonrpc/index.js";
import { quiet, socketPair } from "./support.js";

let connection: MessageConnection;
let socket: Socket;
let text = "";
const waiting = new Set<() => void>();

/** A connection over our Content-Length framing at one end of a socket; the test writes bytes at the other. */
async function open(noise: "strict" | "resync" = "resync", maxMessageBytes?: number) {
  const [near, far] = await socketPair();
  const streams = transportStreams(nodeStreamTransport(near, near, contentLength({ noise }), { maxMessageBytes }));
  connection = createMessageConnection(streams.reader, streams.writer, quiet);
  connection.onRequest((method) => method);
  socket = far;
  text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (const look of [...waiting]) look();
  });
  connection.listen();
  return streams;
}

afterEach(() => {
  connection.end();
  socket.destroy();
});

/** Resolves once the connection has written that. */
function written(part: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!text.includes(part)) return;
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
    look();
  });
}

const frame = (json: string): string => `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
const call = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"grün"}`;
const answer = (id: number): string => frame(`{"jsonrpc":"2.0","id":${id},"result":"grün"}`);

describe("framing faults that vscode-jsonrpc's reader does not survive", () => {
  const faults: [string, string, number][] = [
    ["a line of noise before a header", "listening\n", 0],
    ["a negative length", "Content-Length: -5\r\n\r\n", 0],
    ["a length that is not only digits", "Content-Length: 7abc\r\n\r\n", 0],
    ["a body that is not JSON", frame("{"), -32700],
    ["a length that is one byte short", `Content-Length: ${Buffer.byteLength(call(0)) - 1}\r\n\r\n${call(0)}`, -32700],
    ["a byte order mark", frame(`\uFEFF${call(0)}`), 0],
    ["a charset other than UTF-8", `Content-Type: text/plain; charset=utf-16\r\n${frame("{}")}`, 0],
  ];
  it.each(faults)("%s", async (_what, bytes, code) => {
    await open("resync", 100);
    socket.write(bytes + frame(call(1)));
    await written(answer(1));
    if (code !== 0) expect(text).toContain(`"code":${code}`);
  });

  it("reads lines that end in LF", async () => {
    await open("strict");
    socket.write(`Content-Length: ${Buffer.byteLength(call(1))}\n\n${call(1)}`);
    await written(answer(1));
  });

  it.each(["strict", "resync"] as const)("closes at a length beyond the limit (%s)", async (noise) => {
    const { closed } = await open(noise, 100);
    socket.write("Content-Length: 99999999999\r\n\r\n");
    expect(await closed).toMatchObject({ name: "WireError", code: "too_large" });
  });

  it("tells why it gave up a stream that it cannot read on", async () => {
    const { closed } = await open("strict");
    socket.write("listening on port 80\r\n\r\n");
    expect(await closed).toMatchObject({ name: "WireError", code: "framing" });
  });
});

describe("what it writes", () => {
  it("is header and body in one piece, flushed before the end", async () => {
    await open();
    socket.removeAllListeners("data");
    const chunks: string[] = [];
    socket.on("data", (chunk: string) => void chunks.push(chunk));
    const ended = new Promise((resolve) => socket.on("end", resolve));
    void connection.sendNotification("a", { text: "grün" });
    void connection.sendNotification("b", {});
    connection.end();
    await ended;
    expect(chunks.join("")).toBe(
      frame(`{"jsonrpc":"2.0","method":"a","params":{"text":"grün"}}`) +
        frame(`{"jsonrpc":"2.0","method":"b","params":{}}`),
    );
    expect(chunks[0]).toMatch(/^Content-Length: \d+\r\n\r\n\{"jsonrpc":"2.0","method":"a"/);
  });

  it("fails when nobody is there any more, and says so to the connection", async () => {
    const { closed, writer } = await open();
    const failures: unknown[] = [];
    writer.onError(([error, message, count]) => void failures.push([error, message, count]));
    socket.destroy();
    const reason = await closed;
    expect(reason.code).toBe("closed");
    const message = { jsonrpc: "2.0", method: "late" };
    await expect(writer.write(message)).rejects.toMatchObject({ code: "closed" });
    expect(failures).toEqual([[expect.objectContaining({ code: "closed" }), message, 1]]);
  });
});

it("reads no faster than the connection handles", async () => {
  const [near, far] = await socketPair();
  socket = far;
  const { reader, writer } = transportStreams(nodeStreamTransport(near, near, contentLength()));
  let [read, handled, behind] = [0, 0, 0];
  const listen: typeof reader.listen = (callback) =>
    reader.listen((message) => {
      behind = Math.max(behind, ++read - handled);
      callback(message);
    });
  connection = createMessageConnection({ ...reader, listen }, writer, quiet);
  const count = 5_000;
  const done = new Promise<void>((resolve) => {
    connection.onNotification(() => {
      if (++handled === count) resolve();
    });
  });
  connection.listen();
  socket.write(frame(`{"jsonrpc":"2.0","method":"n","params":{"text":"${"x".repeat(200)}"}}`).repeat(count));
  await done;
  expect(behind).toBeLessThanOrEqual(3);
});
