import { afterEach, describe, expect, it, vi } from "vitest";
import { type Codec, contentLength, detecting, ndjson } from "@editwire/framing";
import { bytewise, drain, utf8 } from "./support/streams.js";

/** Bytes that native calls searched and copied while a stream was decoded: neither may grow faster than the stream. */
function countWork(
  codec: Codec,
  chunks: readonly Uint8Array[],
): { frames: number; searched: number; copied: number; largestCopies: number } {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const { indexOf } = Buffer.prototype;
  const { set } = typedArray;
  const work = { frames: 0, searched: 0, copied: 0, largestCopies: 0 };
  vi.spyOn(Buffer.prototype, "indexOf").mockImplementation(function (this: Buffer, value, from) {
    const found = indexOf.call(this, value as number, from as number);
    work.searched += (found < 0 ? this.length : found + 1) - (from as number);
    return found;
  });
  vi.spyOn(typedArray, "set").mockImplementation(function (this: Uint8Array, source, at) {
    work.copied += source.length;
    set.call(this, source, at);
  });
  const framer = codec.open();
  for (const chunk of chunks) {
    framer.push(chunk);
    work.frames += drain(framer).filter(({ ok }) => ok).length;
  }
  return work;
}

afterEach(() => vi.restoreAllMocks());

const slices = (bytes: Uint8Array, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => Buffer.from(bytes.slice(i * size, (i + 1) * size)));

const codecs: [string, Codec][] = [
  ["ndjson", ndjson()],
  ["contentLength", contentLength()],
  ["detecting", detecting()],
  ["detecting, sending headers", detecting({ send: "content-length" })],
];

describe.each(codecs)("work of %s", (_name, codec) => {
  const encode = (json: string) => utf8(codec.open().encode(json));

  it("P1: grows with the stream for 16 MB in chunks of 64 KiB", () => {
    const chunks = slices(encode(JSON.stringify("x".repeat(16_000_000))), 65_536);
    const { frames, searched, copied } = countWork(codec, chunks);
    expect(frames).toBe(1);
    expect(searched).toBeLessThanOrEqual(16_100_000);
    expect(copied).toBeLessThanOrEqual(3 * 16_000_000);
  });

  it("grows with the stream for 200 KB in chunks of one byte", () => {
    const chunks = bytewise(encode(JSON.stringify("x".repeat(200_000)))).map((chunk) => Buffer.from(chunk));
    const { frames, searched, copied } = countWork(codec, chunks);
    expect(frames).toBe(1);
    expect(searched).toBeLessThanOrEqual(201_000);
    expect(copied).toBeLessThanOrEqual(3 * 200_000);
  });

  it("grows with the stream for small messages in chunks of 64 KiB", () => {
    const json = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { text: "x".repeat(150) } });
    const bytes = utf8(codec.open().encode(json).repeat(5000));
    const { frames, searched, copied } = countWork(codec, slices(bytes, 65_536));
    expect(frames).toBe(5000);
    expect(searched).toBeLessThanOrEqual(bytes.length);
    expect(copied).toBeLessThanOrEqual(bytes.length / 10);
  });
});

it("searches nothing in messages whose length is known", () => {
  const { encode } = contentLength().open();
  const { searched } = countWork(
    contentLength(),
    slices(utf8(encode(JSON.stringify("x".repeat(150))).repeat(500)), 65_536),
  );
  expect(searched).toBeLessThan(100);
});

/** Reads lines as the official SDK did until 0.12: the whole buffer is searched again at every chunk. */
const quadratic: Codec = {
  name: "quadratic",
  open() {
    let buffer = Buffer.alloc(0);
    return {
      ...ndjson().open(),
      push: (chunk) => void (buffer = Buffer.concat([buffer, chunk])),
      next() {
        const end = buffer.indexOf("\n", 0);
        if (end < 0) return undefined;
        const length = end;
        const value: unknown = JSON.parse(buffer.subarray(0, end).toString("utf8"));
        buffer = buffer.subarray(end + 1);
        return { ok: true, value, length };
      },
    };
  },
};

it("P1: the count finds a reader that looks at every byte again", () => {
  const chunks = slices(utf8(`${JSON.stringify("x".repeat(4_000_000))}\n`), 65_536);
  const { frames, searched } = countWork(quadratic, chunks);
  expect(frames).toBe(1);
  expect(searched).toBeGreaterThan(20 * 4_000_000);
});
