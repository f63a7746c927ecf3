import { describe, expect, it } from "vitest";
import { isWireError } from "@editwire/core/errors";
import { type Codec, contentLength, detecting, type FramingLimits, ndjson } from "@editwire/framing";
import {
  bad,
  bytewise,
  decode,
  drain,
  frame,
  header,
  open,
  outline,
  platforms,
  utf8,
  values,
} from "./support/streams.js";

const fits = '"12345678"';
const exceeds = '"123456789"';
const limits: FramingLimits = { maxMessageBytes: 10 };
const line = (json: string) => `${json}\n`;
const headed = (json: string) => frame(json);
const crlf = (json: string) => `${json}\r\n`;

type Wires = readonly [string, Codec, (json: string) => string][];

const lines: Wires = [
  ["ndjson", ndjson(), line],
  ["ndjson with CRLF", ndjson(), crlf],
  ["detecting, lines", detecting(), line],
  ["detecting, lines with CRLF", detecting(), crlf],
];
const headers: Wires = [
  ["contentLength", contentLength(), headed],
  ["contentLength that resyncs", contentLength({ noise: "resync" }), headed],
  ["detecting, headers", detecting(), headed],
];

describe.each(platforms)("limits (%s)", (platform) => {
  it.each(lines)("%s: refuses a message over maxMessageBytes and decodes the next", (_name, codec, wire) => {
    const text = [fits, exceeds, fits, exceeds, fits].map(wire).join("");
    for (const chunks of [[text], bytewise(utf8(text))]) {
      const frames = decode(open(codec, limits, platform), ...chunks);
      expect(outline(frames)).toEqual(["12345678", "too_large", "12345678", "too_large", "12345678"]);
      for (const { error, fatal } of bad(frames)) {
        expect(fatal).toBe(false);
        expect(isWireError(error, "too_large")).toBe(true);
        expect(error.message).toContain("10 bytes");
      }
    }
  });

  it.each([...lines, ...headers])("%s: counts bytes, not characters", (_name, codec, wire) => {
    const frames = decode(open(codec, limits, platform), wire('"éééé"') + wire('"ééééé"'));
    expect(outline(frames)).toEqual(["éééé", "too_large"]);
  });

  it.each(headers)("%s: ends at a length over maxMessageBytes, before any of the body", (_name, codec, wire) => {
    const [head = ""] = wire(exceeds).split('"');
    for (const chunks of [[wire(fits) + head], bytewise(utf8(wire(fits) + head))]) {
      const framer = open(codec, limits, platform);
      const frames = decode(framer, ...chunks);
      expect(outline(frames)).toEqual(["12345678", "too_large"]);
      expect(bad(frames)).toEqual([
        expect.objectContaining({
          fatal: true,
          error: expect.objectContaining({
            code: "too_large",
            message: "Content-Length is 11: expected at most 10 bytes",
            data: { excerpt: "Content-Length: 11" },
          }),
        }),
      ]);
      framer.push(utf8(exceeds + wire(fits)));
      expect(drain(framer)).toEqual([]);
      expect(framer.pending).toBe(0);
    }
  });

  it.each(lines)("%s: reports a message over the limit at once and holds none of its bytes", (_name, codec, wire) => {
    const framer = open(codec, { maxMessageBytes: 100, maxHeaderBytes: 100 }, platform);
    const bytes = utf8(wire(`"${"x".repeat(100_000)}"`) + wire("1"));
    const start = 200;
    framer.push(bytes.slice(0, start));
    expect(outline(drain(framer))).toEqual(["too_large"]);
    for (let at = start; at < bytes.length; at += 1000) {
      expect(framer.pending).toBe(0);
      framer.push(bytes.slice(at, at + 1000));
      if (at + 1000 < bytes.length) expect(drain(framer)).toEqual([]);
    }
    expect(values(drain(framer))).toEqual([1]);
  });

  it.each([...lines, ...headers])("%s: a message over the limit may end the stream", (_name, codec, wire) => {
    expect(outline(decode(open(codec, limits, platform), wire(exceeds).trimEnd()))).toEqual(["too_large"]);
    expect(outline(decode(open(codec, limits, platform), wire("1"), wire(`"${"x".repeat(50)}"`).slice(0, 40)))).toEqual(
      [1, "too_large"],
    );
  });

  it.each(headers)("%s: does not wait for a length that never comes", (_name, codec) => {
    const framer = open(codec, undefined, platform);
    framer.push(utf8(header(99_999_999_999)));
    expect(outline(drain(framer))).toEqual(["too_large"]);
    framer.push(utf8("x".repeat(1000)));
    expect(drain(framer)).toEqual([]);
    expect(framer.pending).toBe(0);
  });

  it("has 64 MiB and 8 KiB as defaults", () => {
    const size = 64 * 1024 * 1024;
    const framer = open(contentLength(), undefined, platform);
    framer.push(utf8(header(size)));
    expect(drain(framer)).toEqual([]);
    expect(outline(decode(open(contentLength(), undefined, platform), header(size + 1)))).toEqual(["too_large"]);
    const padded = (bytes: number) => frame("1", `X: ${"x".repeat(bytes - 20)}\r\nContent-Length: 1\r\n\r\n`);
    expect(values(decode(open(contentLength(), undefined, platform), padded(8192)))).toEqual([1]);
    expect(outline(decode(open(contentLength(), undefined, platform), padded(8193)))).toEqual(["framing"]);
  });

  const wide = (length: number) => `Content-Length: 1\r\nX: ${"x".repeat(length)}\r\n\r\n`;
  const many = (count: number) => `Content-Length: 1\r\n${"X: 1\r\n".repeat(count)}\r\n`;

  it.each([
    ["one long line", frame("1", wide(20)), frame("1", wide(100))],
    ["many lines", frame("1", many(5)), frame("1", many(30))],
  ])("refuses a header over maxHeaderBytes: %s", (_name, within, over) => {
    const small: FramingLimits = { maxHeaderBytes: 64 };
    for (const split of [(text: string) => [text], (text: string) => bytewise(utf8(text))]) {
      const strict = decode(open(contentLength(), small, platform), ...split(within + over + frame("2")));
      expect(outline(strict)).toEqual([1, "framing"]);
      expect(bad(strict)[0]).toMatchObject({ fatal: true, error: { message: expect.stringContaining("64 bytes") } });
      for (const codec of [contentLength({ noise: "resync" }), detecting()]) {
        const frames = decode(open(codec, small, platform), ...split(within + over + frame("2")));
        expect(values(frames)).toEqual([1, 2]);
        expect(bad(frames).every(({ error, fatal }) => !fatal && isWireError(error, "framing"))).toBe(true);
        expect(bad(frames).length).toBeGreaterThan(0);
      }
    }
  });

  it("refuses a header line that never ends", () => {
    const framer = open(contentLength(), { maxHeaderBytes: 64 }, platform);
    framer.push(utf8(`X: ${"x".repeat(62)}`));
    expect(outline(drain(framer))).toEqual(["framing"]);
    expect(framer.pending).toBe(0);
  });
});
