import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Codec, contentLength, detecting, ndjson } from "@editwire/framing";
import { concat, cutAt, drain, frame, open, outline, platforms, utf8, values } from "./support/streams.js";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("Content-Length: 7\r\n\r\n{}", "\uFEFF", "\uFFFD", "\u2028", "\\u0000"),
);
const json = fc
  .oneof(
    fc.record({ jsonrpc: fc.constant("2.0"), method: text, params: fc.dictionary(text, text) }),
    fc.jsonValue({ stringUnit: "binary" }),
  )
  .map((value) => JSON.stringify(value));
const messages = fc.array(json, { maxLength: 12 });
/** Where a stream is cut, as shares of its length; and whether frames are read after each of the chunks. */
const chunking = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()), { maxLength: 20 });
type Chunking = [number, boolean][];

function decodeChunked(framer: ReturnType<Codec["open"]>, bytes: Uint8Array, chunks: Chunking) {
  const pieces = cutAt(
    bytes,
    chunks.map(([share]) => Math.round(share * bytes.length)),
  );
  const frames = pieces.flatMap((piece, i) => {
    framer.push(piece);
    return chunks[i]?.[1] === false ? [] : drain(framer);
  });
  framer.end();
  return [...frames, ...drain(framer)];
}

const parsed = (texts: readonly string[]): unknown[] => texts.map((each) => JSON.parse(each) as unknown);

const codecs: [string, Codec][] = [
  ["ndjson", ndjson()],
  ["contentLength", contentLength()],
  ["contentLength that resyncs", contentLength({ noise: "resync" })],
  ["detecting", detecting()],
  ["detecting, sending headers", detecting({ send: "content-length" })],
];

describe.each(platforms)("every codec (%s)", (platform) => {
  it.each(codecs)("S06, S07: %s decodes what it encodes, split anywhere", (_name, codec) => {
    fc.assert(
      fc.property(messages, chunking, (texts, chunks) => {
        const framer = open(codec, undefined, platform);
        const bytes = utf8(texts.map((each) => framer.encode(each)).join(""));
        const frames = decodeChunked(framer, bytes, chunks);
        expect(values(frames)).toEqual(parsed(texts));
        expect(frames).toHaveLength(texts.length);
        expect(framer.pending).toBe(0);
      }),
    );
  });

  it("S47: detecting decodes any mix of framings, split anywhere", () => {
    const heads = [
      "\n",
      "\r\n\n",
      "content-length:%\n\n",
      "Content-Type: a/b; charset=utf-8\r\nContent-Length: %\r\n\r\n",
      "Content-Length: %\r\n\r\n",
    ];
    const wire = fc.tuple(json, fc.constantFrom(...heads)).map(([each, head]) => ({
      each,
      bytes: head.includes("%") ? frame(each, head.replace("%", String(utf8(each).length))) : `${head}${each}\n`,
    }));
    fc.assert(
      fc.property(fc.array(wire, { maxLength: 12 }), chunking, (wires, chunks) => {
        const frames = decodeChunked(
          open(detecting(), undefined, platform),
          utf8(wires.map(({ bytes }) => bytes).join("")),
          chunks,
        );
        expect(outline(frames)).toEqual(parsed(wires.map(({ each }) => each)));
      }),
    );
  });

  const tolerant: [string, Codec][] = [
    ["contentLength that resyncs", contentLength({ noise: "resync" })],
    ["detecting", detecting()],
  ];

  it.each(tolerant)("%s loses no message to the noise between messages", (_name, codec) => {
    const line = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("Progress: 50%", "WARN: careful", "done", "{", "[1,", "\u001B[0m"),
    );
    const noise = fc
      .tuple(line, fc.constantFrom("", "\n", "\r\n", "\n\n"))
      .map((parts) => parts.join(""))
      .filter((each) => !/content-|-$/i.test(each));
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 8 }), chunking, (noises, chunks) => {
        const bytes = utf8(noises.map((each, i) => each + frame(`{"message":${i}}`)).join(""));
        const received = values(decodeChunked(open(codec, undefined, platform), bytes, chunks));
        expect(received.filter((value) => typeof value === "object" && value !== null && "message" in value)).toEqual(
          noises.map((_, message) => ({ message })),
        );
      }),
    );
  });

  it.each(codecs)("%s reads any bytes the same way, however they are split", (_name, codec) => {
    const token = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          "\n",
          "\r\n",
          "{",
          "}",
          '"',
          "1",
          "Content-Length: ",
          "content-length:",
          "Content-Type: a; charset=x",
          " ",
          "\uFEFF",
        ),
      },
      fc.uint8Array({ maxLength: 4 }),
      json,
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 20 }), chunking, (tokens, chunks) => {
        const limits = { maxMessageBytes: 60, maxHeaderBytes: 40 };
        const whole = decodeChunked(open(codec, limits, platform), concat(...tokens), []);
        const split = decodeChunked(open(codec, limits, platform), concat(...tokens), chunks);
        expect(outline(split)).toEqual(outline(whole));
      }),
    );
  });
});
