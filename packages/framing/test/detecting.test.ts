import { describe, expect, it } from "vitest";
import { detecting } from "@editwire/framing";
import type { DetectingOptions } from "../src/detecting.js";
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

const one = '{"a":1}';
const two = '{"a":2}';
const asLine = '{"b":"é"}\n';
const asFrame = 'Content-Length: 10\r\n\r\n{"b":"é"}';

describe.each(platforms)("detecting (%s)", (platform) => {
  const framer = (options?: DetectingOptions) => open(detecting(options), undefined, platform);
  /** The framing of an answer after each received chunk. */
  const replies = (options: DetectingOptions, ...chunks: string[]) => {
    const both = framer(options);
    return chunks.map((chunk) => {
      both.push(utf8(chunk));
      drain(both);
      return both.encode('{"b":"é"}') === asLine ? "line" : "frame";
    });
  };

  it("S02: replies in Content-Length framing, by bytes, when the first message is framed so", () => {
    const both = framer();
    both.push(utf8(frame(one)));
    expect(values(drain(both))).toEqual([{ a: 1 }]);
    expect(both.encode('{"b":"é"}')).toBe(asFrame);
  });

  it("S03: replies with lines when the first message is a line", () => {
    const both = framer({ send: "content-length" });
    expect(both.encode('{"b":"é"}')).toBe(asFrame);
    both.push(utf8(`${one}\n`));
    expect(values(drain(both))).toEqual([{ a: 1 }]);
    expect(both.encode('{"b":"é"}')).toBe(asLine);
  });

  it("S05: keeps to the framing of the first message, or follows the latest", () => {
    const chunks = [`${one}\n`, frame(two), `${one}\n`];
    expect(replies({}, ...chunks)).toEqual(["line", "line", "line"]);
    expect(replies({ follow: "first" }, ...chunks.slice(1))).toEqual(["frame", "frame"]);
    expect(replies({ follow: "latest" }, ...chunks)).toEqual(["line", "frame", "line"]);
  });

  it("keeps to its own choice, whatever it receives", () => {
    expect(replies({ follow: "none" }, frame(one), `${two}\n`)).toEqual(["line", "line"]);
    expect(replies({ send: "content-length", follow: "none" }, `${one}\n`, frame(two))).toEqual(["frame", "frame"]);
  });

  it("decides by messages, not by noise between them", () => {
    expect(replies({ send: "content-length" }, "loading\n", header(-1), one + "\n")).toEqual([
      "frame",
      "frame",
      "line",
    ]);
    expect(replies({}, "loading\n", header(0))).toEqual(["line", "frame"]);
  });

  it("decides by a header as soon as it is whole, and only when its message is read", () => {
    const both = framer({ follow: "latest" });
    both.push(utf8(`${one}\n${frame(two)}${one}\n`));
    const sent = Array.from({ length: 3 }, () => {
      both.next();
      return both.encode("0");
    });
    expect(sent).toEqual(["0\n", "Content-Length: 1\r\n\r\n0", "0\n"]);
  });

  it("S47: accepts lines and headers on one stream, split at every byte", () => {
    const text = `${one}\n${frame(two)}${frame('"é"')}\r\n\n${two}\r\n${frame(one, "content-length:7\n\n")}\n${one}`;
    const expected = [{ a: 1 }, { a: 2 }, "é", { a: 2 }, { a: 1 }, { a: 1 }];
    expect(outline(decode(framer(), text))).toEqual(expected);
    expect(outline(decode(framer(), ...bytewise(utf8(text))))).toEqual(expected);
  });

  it.each([
    ["any case", "cOnTeNt-lEnGtH: 7\r\n\r\n"],
    ["LF lines", "Content-Length: 7\n\n"],
    ["no space after the colon", "Content-Length:7\r\n\r\n"],
    ["an extra header after it", "Content-Length: 7\r\nX-Trace: 1\r\n\r\n"],
    ["an extra header before it", "Content-Type: application/json\r\nContent-Length: 7\r\n\r\n"],
    ["a byte order mark at the start", "\uFEFFContent-Length: 7\r\n\r\n"],
  ])("S04: recognises a header with %s", (_name, head) => {
    const text = `${frame(one, head)}${two}\n`;
    expect(outline(decode(framer(), text))).toEqual([{ a: 1 }, { a: 2 }]);
    expect(outline(decode(framer(), ...bytewise(utf8(text))))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("decodes lines that hold other JSON than objects", () => {
    expect(values(decode(framer(), '[1,{"a":"b: c"}]\n"Content-Length: 7"\n7\nnull\n'))).toEqual([
      [1, { a: "b: c" }],
      "Content-Length: 7",
      7,
      null,
    ]);
  });

  it.each([
    ["one that is not a header", "listening on port 80\n", ["framing"]],
    ["one that looks like a header", "Warning: careful\n", ["framing"]],
    ["several of both", "Warning: careful\nlistening\nInfo: a\nInfo: b\n", ["framing", "framing", "framing"]],
    ["a header without its empty line", "Content-Length: 7\n", ["framing"]],
    ["a header without Content-Length", "Content-Type: application/json\r\n\r\n", ["framing"]],
    ["a bad length", "Content-Length: -7\r\n\r\n", ["framing"]],
  ])("reports noise and loses no line after it: %s", (_name, noise, expected) => {
    const frames = decode(framer(), `${one}\n${noise}${two}\n${noise}${one}\n`);
    expect(outline(frames)).toEqual([{ a: 1 }, ...expected, { a: 2 }, ...expected, { a: 1 }]);
    expect(bad(frames).every(({ fatal }) => !fatal)).toBe(true);
  });

  it("loses no frame after noise, with or without a line break", () => {
    for (const noise of ["listening on port 80\n", "listening on port 80"]) {
      expect(outline(decode(framer(), frame(one) + noise + frame(two) + frame(one)))).toEqual([
        { a: 1 },
        "framing",
        { a: 2 },
        { a: 1 },
      ]);
    }
  });

  it("loses neither the message of a bad length nor the frames after it", () => {
    const frames = decode(framer(), header(-7) + one + frame(two) + frame(one));
    expect(outline(frames)).toEqual(["framing", "framing", { a: 1 }, { a: 2 }, { a: 1 }]);
  });

  it("reports a header that ends the stream", () => {
    expect(outline(decode(framer(), `${one}\nContent-Length: 7\r\n`))).toEqual([{ a: 1 }, "framing"]);
    expect(outline(decode(framer(), `${one}\n${header(7)}{"a"`))).toEqual([{ a: 1 }, "framing"]);
  });
});
