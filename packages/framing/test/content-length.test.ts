import { describe, expect, it } from "vitest";
import { contentLength } from "@editwire/framing";
import {
  bad,
  bytewise,
  concat,
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

const one = '{"a":1}';
const two = '{"a":2}';
const both = [{ a: 1 }, { a: 2 }];

const badHeaders: [string, string][] = [
  ["no Content-Length", "Content-Type: application/json\r\n\r\n"],
  ["a negative length", header(-7)],
  ["a signed length", header("+7")],
  ["a length with a unit", header("7abc")],
  ["a fraction", header("7.0")],
  ["no digits", header("")],
  ["a length that is not a safe integer", header("9007199254740993")],
  ["two lengths", "Content-Length: 7\r\nContent-Length: 8\r\n\r\n"],
  ["a good length after a bad one", "Content-Length: x\r\nContent-Length: 7\r\n\r\n"],
];

describe.each(platforms)("contentLength (%s)", (platform) => {
  const strict = () => open(contentLength(), undefined, platform);
  const resync = () => open(contentLength({ noise: "resync" }), undefined, platform);

  it("S06: frames a message by its size in bytes, header and body in one string", () => {
    expect(strict().encode('{"a":"é🙂"}')).toBe('Content-Length: 14\r\n\r\n{"a":"é🙂"}');
  });

  it("S06: counts bytes of multi-byte text", () => {
    const text = JSON.stringify({ text: "日本語 — 🙂" });
    expect(values(decode(strict(), frame(text) + frame(one)))).toEqual([{ text: "日本語 — 🙂" }, { a: 1 }]);
  });

  it("S07: decodes several messages of one chunk, and messages split at every byte", () => {
    const text = frame(one) + frame('"é"') + frame(two);
    const expected = [{ a: 1 }, "é", { a: 2 }];
    expect(values(decode(strict(), text))).toEqual(expected);
    expect(values(decode(strict(), ...bytewise(utf8(text))))).toEqual(expected);
  });

  it("holds the bytes of an unfinished message and no others", () => {
    const framer = strict();
    framer.push(utf8(frame(one) + frame(two).slice(0, -1)));
    expect(values(drain(framer))).toEqual([{ a: 1 }]);
    expect(framer.pending).toBe(6);
    framer.push(utf8("}"));
    expect(values(drain(framer))).toEqual([{ a: 2 }]);
    expect(framer.pending).toBe(0);
  });

  it.each([
    ["a lower-case name", "content-length: 7\r\n\r\n"],
    ["an upper-case name", "CONTENT-LENGTH: 7\r\n\r\n"],
    ["LF alone", "Content-Length: 7\n\n"],
    ["no space after the colon", "Content-Length:7\r\n\r\n"],
    ["blanks around the colon", "Content-Length \t: \t 7 \r\n\r\n"],
    ["leading zeros", "Content-Length: 007\r\n\r\n"],
    ["a header after it", "Content-Length: 7\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n"],
    ["a header before it", "Content-Type: application/vscode-jsonrpc;charset=UTF8\r\nContent-Length: 7\r\n\r\n"],
    ["a header whose name ends alike", "X-Raw-Content-Length: 90\r\nContent-Length: 7\r\n\r\n"],
    ["the same length twice", "Content-Length: 7\r\nContent-Length: 7\r\n\r\n"],
    ["a quoted charset", 'Content-Length: 7\r\ncontent-type: a/b; charset="utf-8"\r\n\r\n'],
    ["a blank line before it", "\r\n\nContent-Length: 7\r\n\r\n"],
    ["a byte order mark at the start", "\uFEFFContent-Length: 7\r\n\r\n"],
  ])("S04: accepts %s", (_name, head) => {
    const text = frame(one, head) + frame(two, head.replace("\uFEFF", ""));
    for (const framer of [strict(), resync()])
      expect(decode(framer, text)).toEqual(both.map((value) => ({ ok: true, value, length: 7 })));
    expect(values(decode(strict(), ...bytewise(utf8(text))))).toEqual(both);
  });

  it.each(badHeaders)("ends the stream at a header with %s", (_name, head) => {
    for (const chunks of [[head + one + frame(two)], bytewise(utf8(head + one + frame(two)))]) {
      const framer = strict();
      const frames = decode(framer, ...chunks);
      expect(outline(frames)).toEqual(["framing"]);
      expect(bad(frames)[0]?.fatal).toBe(true);
      expect(framer.pending).toBe(0);
    }
  });

  it("ends the stream at noise", () => {
    const frames = decode(strict(), `${frame(one)}listening on port 80\n${frame(two)}`);
    expect(outline(frames)).toEqual([{ a: 1 }, "framing"]);
    expect(bad(frames)[0]).toMatchObject({ fatal: true, error: { data: { excerpt: "listening on port 80" } } });
  });

  it.each(badHeaders)("skips a header with %s and its body, when it may", (_name, head) => {
    for (const chunks of [
      [head + one + frame(two) + frame(one)],
      bytewise(utf8(head + one + frame(two) + frame(one))),
    ]) {
      const frames = decode(resync(), ...chunks);
      expect(outline(frames)).toEqual(["framing", { a: 2 }, { a: 1 }]);
      expect(bad(frames)[0]?.fatal).toBe(false);
    }
  });

  it.each([
    ["log lines", "2026-01-01 INFO listening\nanother line\n\nWARN: careful\n"],
    ["coloured log lines", "\u001B[32mINFO\u001B[0m listening\n"],
    ["text without a line break", "loading..."],
    ["text without a line break that could begin a field name", "done"],
    ["text without a line break that looks like a field", "Progress: 50%"],
    ["a long line", `${"x".repeat(20_000)}\n`],
    ["a long line without a line break", "x".repeat(20_000)],
    ["bytes that are not text", "\u0000\u0001\n"],
    ["a number that looks like a length", "Content-Length: soon\n\n"],
  ])("reports noise once and goes on at the next header: %s", (_name, noise) => {
    const text = frame(one) + noise + frame(two) + noise + frame(one);
    const expected = [{ a: 1 }, "framing", { a: 2 }, "framing", { a: 1 }];
    expect(outline(decode(resync(), text))).toEqual(expected);
    expect(outline(decode(resync(), ...bytewise(utf8(text))))).toEqual(expected);
  });

  it("takes noise that looks like a header field for one", () => {
    expect(decode(resync(), `INFO: listening\n${frame(one)}`)).toEqual([{ ok: true, value: { a: 1 }, length: 7 }]);
  });

  it.each([
    ["shorter", frame(one, header(6))],
    ["longer", frame(one, header(11))],
  ])("finds back after a length that is %s than its body", (_name, wrong) => {
    const frames = decode(resync(), frame(one) + wrong + frame(two) + frame(one) + frame(two));
    expect(values(frames).slice(-2)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(bad(frames).length).toBeGreaterThan(0);
  });

  it("reports an empty message and decodes the next", () => {
    const frames = decode(strict(), header(0) + frame(one));
    expect(outline(frames)).toEqual(["framing", { a: 1 }]);
    expect(bad(frames)[0]).toMatchObject({ fatal: false, error: { message: expect.stringContaining("is 0") } });
  });

  it("reports a body that is not JSON or not UTF-8 and decodes the next", () => {
    const invalid = concat(header(3), '"', Uint8Array.of(0xff), '"');
    const frames = decode(strict(), concat(frame("{oops}"), invalid, frame(one)));
    expect(outline(frames)).toEqual(["framing", "framing", { a: 1 }]);
    expect(bad(frames).map(({ fatal }) => fatal)).toEqual([false, false]);
    expect(bad(frames)[0]?.error.data).toEqual({ excerpt: "{oops}" });
  });

  it("names a charset that is not UTF-8, skips the body and decodes the next", () => {
    const utf16 = `Content-Length: 14\r\nContent-Type: application/json; charset=utf-16\r\n\r\n`;
    const frames = decode(strict(), concat(utf16, Buffer.from(one, "utf16le"), frame(two)));
    expect(outline(frames)).toEqual(["framing", { a: 2 }]);
    expect(bad(frames)[0]).toMatchObject({ fatal: false, error: { message: expect.stringContaining("utf-16") } });
  });

  it.each([
    ["a header", "Content-Length: 12\r\n", "inside a header"],
    ["a header line", "Content-Len", undefined],
    ["a body", `${header(12)}{"a"`, "after 4 of a message's 12 bytes"],
    ["an empty body", header(12), "after 0 of a message's 12 bytes"],
  ])("reports a stream that ends inside %s", (_name, text, message) => {
    const framer = strict();
    const frames = decode(framer, frame(one) + text);
    expect(outline(frames)).toEqual([{ a: 1 }, "framing"]);
    if (message !== undefined) expect(bad(frames)[0]?.error.message).toContain(message);
    expect(framer.pending).toBe(0);
    expect(framer.next()).toBeUndefined();
  });
});
