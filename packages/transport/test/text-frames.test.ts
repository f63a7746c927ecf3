import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { maxFrameLength, textFrames } from "../src/text-frames.js";
import { connectWebSocket } from "../src/ws.js";

/** Decodes unfragmented text frames by the letter of RFC 6455, 5.2. */
function decode(bytes: Buffer): { texts: string[]; masks: string[] } {
  const texts: string[] = [];
  const masks: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0x81);
    const second = bytes[at + 1] ?? 0;
    const short = second & 0x7f;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
    expect(short).toBe(length < 126 ? length : 126);
    at += 2 + (short === 126 ? 2 : 0);
    const mask = (second & 0x80) === 0 ? Buffer.alloc(4) : bytes.subarray(at, at + 4);
    if ((second & 0x80) !== 0) at += masks.push(mask.toString("hex")) && 4;
    texts.push(
      Buffer.from(bytes.subarray(at, at + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0))).toString("utf8"),
    );
    at += length;
  }
  return { texts, masks };
}

const sizes = [0, 1, 2, 3, 4, 124, 125, 126, 127, 1_000, maxFrameLength];
const texts = sizes.flatMap((size) => ["x".repeat(size), "é".repeat(size), "漢".repeat(size), "😀".repeat(size / 2)]);

describe("text frames", () => {
  it("carry texts of every size, in one piece and in order", () => {
    for (const masked of [false, true]) expect(decode(textFrames(texts, masked)).texts).toEqual(texts);
    for (const text of texts) expect(decode(textFrames([text], true)).texts).toEqual([text]);
  });

  it("of a client have masks that do not repeat", () => {
    const { masks } = decode(
      textFrames(
        Array.from({ length: 5_000 }, () => "x"),
        true,
      ),
    );
    expect(masks).toHaveLength(5_000);
    expect(new Set(masks).size).toBeGreaterThan(4_990);
  });
});

it("what is sent in one tick leaves as one write", async () => {
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const near = connectWebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [request, socket, head] = (await once(server, "upgrade")) as [IncomingMessage, Socket, Buffer];
  sockets.handleUpgrade(request, socket, head, () => socket.removeAllListeners("data"));
  const transport = await near;
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  for (let i = 0; i < 1_000; i += 1) void transport.send(String(i));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const last = (): boolean => Buffer.concat(chunks).length >= 1_000 * 6 + 2_890;
  while (!last()) await once(socket, "data");
  expect(decode(Buffer.concat(chunks)).texts).toEqual(Array.from({ length: 1_000 }, (_, i) => String(i)));
  expect(chunks.length).toBeLessThan(4); // the system may hand a write over in pieces
});
