import { type Codec, contentLength, detecting, ndjson } from "@editwire/framing";
import { describe, expect, it } from "vitest";
import { drain, header, open, platforms, utf8 } from "./support/streams.js";

const strict = contentLength();
const resync = contentLength({ noise: "resync" });

describe.each(platforms)("what is unfinished (%s)", (platform) => {
  it.each<[string, Codec, string, number, number | undefined]>([
    ["half a line", ndjson(), '{"a":', 5, undefined],
    ["half a line behind blanks", ndjson(), '1\n \t{"a":', 7, undefined],
    ["half a line", detecting(), '{"a":', 5, undefined],
    ["half a body", strict, header(10) + "123", 3, 10],
    ["half a body", resync, header(10) + "123", 3, 10],
    ["half a body", detecting(), header(10) + "123", 3, 10],
    ["a header alone", strict, header(10), 0, 10],
    ["a header without its empty line", strict, "Content-Length: 10\r\n", 18, undefined],
    ["a header without its empty line", resync, "content-length: 10\r\n", 18, undefined],
    ["half a header line", strict, "X-", 2, undefined],
    ["half a header line", resync, "Content-Le", 10, undefined],
    ["half a header line", detecting(), "Content-Le", 10, undefined],
  ])("counts %s (%#)", (_name, codec, text, receivedBytes, expectedBytes) => {
    const framer = open(codec, undefined, platform);
    framer.push(utf8(text));
    drain(framer);
    expect(framer.unfinished).toEqual({ receivedBytes, expectedBytes });
  });

  it.each<[string, Codec, string]>([
    ["nothing", ndjson(), ""],
    ["a whole line", ndjson(), '{"a":1}\n'],
    ["noise", ndjson(), "Starting"],
    ["noise", detecting(), "Starting"],
    ["noise", resync, "Starting"],
    ["a whole message", strict, `${header(1)}1`],
    ["a stream that has ended", strict, `${header(99_999_999_999)}1`],
  ])("does not count %s (%#)", (_name, codec, text) => {
    const framer = open(codec, undefined, platform);
    framer.push(utf8(text));
    drain(framer);
    expect(framer.unfinished).toBeUndefined();
  });
});
