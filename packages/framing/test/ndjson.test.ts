import { describe, expect, it, vi } from "vitest";
import { ndjson } from "@editwire/framing";
import { isWireError } from "@editwire/core/errors";
import { bad, bytewise, concat, decode, drain, open, outline, platforms, utf8, values } from "./support/streams.js";

describe.each(platforms)("ndjson (%s)", (platform) => {
  const framer = () => open(ndjson(), undefined, platform);

  it("frames a message as one line", () => {
    expect(framer().encode('{"a":1}')).toBe('{"a":1}\n');
  });

  it("S07: decodes several messages of one chunk, and one message of several chunks", () => {
    expect(decode(framer(), '{"a":1}\n{"a":2}\n{"a"', ":", "3}\n")).toEqual(
      [1, 2, 3].map((a) => ({ ok: true, value: { a }, length: 7 })),
    );
  });

  it("S07: decodes multi-byte text that is split at every byte", () => {
    const text = { text: "naïve — 日本語 🙂" };
    expect(values(decode(framer(), ...bytewise(utf8(`${JSON.stringify(text)}\n`))))).toEqual([text]);
  });

  it("gives the bytes of a message, not its characters", () => {
    expect(decode(framer(), '"日本"\n')).toEqual([{ ok: true, value: "日本", length: 8 }]);
  });

  it("delivers a message as soon as its line is whole", () => {
    const lines = framer();
    lines.push(utf8('{"a":1}'));
    expect(lines.next()).toBeUndefined();
    expect(lines.pending).toBe(7);
    lines.push(utf8("\n"));
    expect(values(drain(lines))).toEqual([{ a: 1 }]);
    expect(lines.pending).toBe(0);
  });

  it("keeps the order of chunks that were pushed before anything was read", () => {
    const lines = framer();
    for (const chunk of ["1\n2", "", "3\n", "4\n", "5"]) lines.push(utf8(chunk));
    expect(lines.pending).toBe(8);
    expect(values(drain(lines))).toEqual([1, 23, 4]);
    expect(lines.pending).toBe(1);
  });

  it.each([
    ["a carriage return before the line feed", '{"a":1}\r\n{"a":2}\r\n'],
    ["blank lines", '\n\r\n{"a":1}\n \t\r\n\n{"a":2}\n\n'],
    ["blanks around a message", '  {"a":1}\t\n {"a":2} \r\n'],
    ["a byte order mark at the start", '\uFEFF{"a":1}\n{"a":2}\n'],
    ["no line break at the end", '{"a":1}\n{"a":2}'],
  ])("tolerates %s", (_name, text) => {
    expect(outline(decode(framer(), text))).toEqual([{ a: 1 }, { a: 2 }]);
    expect(values(decode(framer(), ...bytewise(utf8(text))))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("takes a byte order mark for a mark at the start only", () => {
    expect(outline(decode(framer(), "1\n\uFEFF2\n3\n"))).toEqual([1, "framing", 3]);
  });

  it("reports a line that is not JSON, with its beginning, and decodes the next", () => {
    const frames = decode(framer(), `Listening on port 80 ${"x".repeat(300)}\n{"a":1}\n`);
    expect(outline(frames)).toEqual(["framing", { a: 1 }]);
    const [first] = bad(frames);
    expect(first?.fatal).toBe(false);
    expect(isWireError(first?.error, "framing")).toBe(true);
    expect(first?.error.message).toContain("not readable as JSON");
    expect(first?.error.cause).toBeInstanceOf(SyntaxError);
    expect(first?.error.data).toEqual({ excerpt: `Listening on port 80 ${"x".repeat(179)}` });
  });

  it("reports an unfinished message at the end of the stream", () => {
    expect(outline(decode(framer(), '1\n{"a":'))).toEqual([1, "framing"]);
  });

  it.each([
    ["a byte that is not UTF-8", [0xff]],
    ["half a character", [0xe2, 0x82]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
  ])("reports a message that is not UTF-8: %s", (_name, bytes) => {
    const line = (...inside: number[]) => concat('{"a":"', Uint8Array.from(inside), '"}\n');
    for (const chunks of [[line(...bytes), line(65)], bytewise(concat(line(...bytes), line(65)))]) {
      const frames = decode(framer(), ...chunks);
      expect(outline(frames)).toEqual(["framing", { a: "A" }]);
      expect(bad(frames)[0]?.error.message).toContain("UTF-8");
    }
  });

  it("shows what a message says that is not UTF-8, when it is JSON otherwise", () => {
    const frames = decode(framer(), concat('{"id":1,"a":"', Uint8Array.of(0xff), '"}\n{', Uint8Array.of(0xff), "}\n"));
    expect(frames).toMatchObject([{ ok: false, fatal: false, value: { id: 1, a: "\uFFFD" } }, { ok: false }]);
    expect(frames[1]).not.toHaveProperty("value");
  });

  it("reports a message that is not UTF-8 among many that are", () => {
    const good = utf8('{"a":"A"}\n');
    const frames = decode(
      framer(),
      concat(...Array(20).fill(good), '"', Uint8Array.of(0xff), '"\n', ...Array(20).fill(good)),
    );
    expect(frames.map(({ ok }) => ok)).toEqual([...Array(20).fill(true), false, ...Array(20).fill(true)]);
  });

  it("accepts a replacement character that was sent as such", () => {
    expect(values(decode(framer(), '"\uFFFD"\n'))).toEqual(["\uFFFD"]);
  });

  it("survives nesting of 100,000 levels", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const frames = decode(framer(), `${deep}\n1\n`);
    expect(frames).toHaveLength(2);
    expect(frames[1]).toEqual({ ok: true, value: 1, length: 1 });
  });

  it("reports a message that exhausts the parser's stack", () => {
    const lines = framer();
    const parse = vi.spyOn(JSON, "parse").mockImplementationOnce(() => {
      throw new RangeError("Maximum call stack size exceeded");
    });
    const frames = decode(lines, "[]\n1\n");
    parse.mockRestore();
    expect(outline(frames)).toEqual(["framing", 1]);
    expect(bad(frames)[0]?.error.cause).toBeInstanceOf(RangeError);
  });
});
