import { expect, it, onTestFinished, vi } from "vitest";
import { contentLength, type Frame, ndjson } from "../src/index.js";

const mebibyte = 1024 * 1024;
const framed = {
  ndjson: (body: Buffer) => Buffer.concat([body, Buffer.from("\n")]),
  "content-length": (body: Buffer) => Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]),
};
const codecs = { ndjson, "content-length": contentLength };

/** Pushes a message in chunks of a pipe. */
function read(framer: ReturnType<ReturnType<typeof ndjson>["open"]>, bytes: Buffer): Frame | undefined {
  let frame: Frame | undefined;
  for (let at = 0; at < bytes.length; at += 65_536) {
    framer.push(bytes.subarray(at, at + 65_536));
    frame ??= framer.next();
  }
  return frame;
}

it.each(["ndjson", "content-length"] as const)("reads messages of 3 MiB that come in chunks (%s)", (name) => {
  const framer = codecs[name]().open();
  for (const text of ["x".repeat(3 * mebibyte), "\uFFFD".repeat(mebibyte), "é".repeat(2 * mebibyte), "small"]) {
    const frame = read(framer, framed[name](Buffer.from(JSON.stringify({ text }))));
    expect(frame?.ok === true && (frame.value as { text: string }).text === text).toBe(true);
  }
});

it.each(["ndjson", "content-length"] as const)("shows the beginning of a bad message of 3 MiB (%s)", (name) => {
  const framer = codecs[name]().open();
  const filled = (byte: number): Buffer => Buffer.concat([Buffer.from('{"text":'), Buffer.alloc(3 * mebibyte, byte)]);
  for (const [body, message] of [
    [filled(0x78), "not readable as JSON"],
    [filled(0xff), "not valid UTF-8"],
  ] as const) {
    const frame = read(framer, framed[name](body));
    expect(frame).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) as string } });
    const { excerpt } = (frame as { error: { data: { excerpt: string } } }).error.data;
    expect(excerpt).toMatch(/^\{"text":/);
    expect(excerpt).toHaveLength(200);
  }
});

it.each(["ndjson", "content-length"] as const)("gives the memory of each large message back (%s)", (name) => {
  const resize = vi.spyOn(ArrayBuffer.prototype as unknown as { resize(size: number): void }, "resize");
  onTestFinished(() => resize.mockRestore());
  const framer = codecs[name]().open();
  const bytes = framed[name](Buffer.from(JSON.stringify({ text: "x".repeat(3 * mebibyte) })));
  read(framer, bytes);
  resize.mockClear();
  expect(read(framer, bytes)?.ok).toBe(true);
  const shrunk = resize.mock.contexts as unknown as ArrayBuffer[];
  expect(shrunk.map(({ byteLength }) => byteLength)).toEqual([0]);
});
