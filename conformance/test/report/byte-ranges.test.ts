import { describe, expect, test } from "vitest";
import { byteRanges } from "../../src/report/byte-ranges.js";
import { Trace, type TraceEntry } from "../../src/trace/trace.js";
import { encodeFrame, FrameCutter } from "../../src/wire/framing.js";
import { chunk } from "./reports.js";

const message = (seq: number, value: unknown, framing: string, from: "suite" | "target" = "target"): TraceEntry => ({
  seq,
  at: seq,
  from,
  kind: "message",
  message: value,
  frame: { framing, size: 0 },
});

/** Records chunks of the target as a link does. */
function record(...chunks: readonly string[]): TraceEntry[] {
  const trace = new Trace();
  const cutter = new FrameCutter();
  const keep = (frames: ReturnType<FrameCutter["push"]>): void => {
    for (const cut of frames) {
      if (cut.ok) trace.add({ kind: "message", from: "target", message: cut.message, frame: cut.frame });
      else trace.add({ kind: "malformed", from: "target", problem: cut.problem, excerpt: cut.excerpt });
    }
  };
  for (const text of chunks) {
    trace.add({ kind: "bytes", from: "target", bytes: Buffer.from(text, "utf8") });
    keep(cutter.push(Buffer.from(text, "utf8")));
  }
  keep(cutter.end());
  return trace.entries;
}

/** The text of each message's bytes, put together from the chunks. */
function textsOf(trace: readonly TraceEntry[]): string[] {
  return [...byteRanges(trace).values()].map(({ first, start, last, end }) =>
    trace
      .filter((entry) => entry.kind === "bytes" && entry.seq >= first && entry.seq <= last)
      .map((entry) =>
        entry.kind === "bytes"
          ? Buffer.from(entry.bytes)
              .subarray(entry.seq === first ? start : 0, entry.seq === last ? end : undefined)
              .toString()
          : "",
      )
      .join("|"),
  );
}

describe("the target's messages", () => {
  test("one in a chunk, two in a chunk, one over three chunks", () => {
    expect(textsOf(record('{"a":1}\n'))).toEqual(['{"a":1}\n']);
    expect(textsOf(record('{"a":1}\n{"b":2}\n'))).toEqual(['{"a":1}\n', '{"b":2}\n']);
    expect(textsOf(record('{"a', '":1', '}\n{"b":2}\n'))).toEqual(['{"a|":1|}\n', '{"b":2}\n']);
  });

  test("blank lines belong to no message, broken lines have their own bytes", () => {
    expect(textsOf(record('\n\r\n{"a":1}\r\n', "oops\n", '{"b":2}\n'))).toEqual(['{"a":1}\r\n', "oops\n", '{"b":2}\n']);
  });

  test("behind a header, whose end is in another chunk", () => {
    const texts = textsOf(record("Content-Length: 7\r\nX: y\r\n", '\r\n{"a":1}Content-Length: 7\r\n\r\n{"b":2}'));
    expect(texts).toEqual(['Content-Length: 7\r\nX: y\r\n|\r\n{"a":1}', 'Content-Length: 7\r\n\r\n{"b":2}']);
  });

  test("events of a stream, with comments in between", () => {
    const trace = [
      chunk(0, ':hi\n\nid: 1\ndata: {"a":1}\n\n:x\n\n'),
      message(1, { a: 1 }, "sse"),
      chunk(2, 'data: {"b":2}\r\n\r\n'),
      message(3, { b: 2 }, "sse"),
    ];
    expect(textsOf(trace)).toEqual(['id: 1\ndata: {"a":1}\n\n', 'data: {"b":2}\r\n\r\n']);
  });

  test("a message whose bytes are not there has none, and the next one is not given them", () => {
    const trace = [message(0, { early: true }, "line"), chunk(1, '{"a":1}\n'), message(2, { a: 1 }, "line")];
    expect(byteRanges(trace).has(0)).toBe(false);
    expect(textsOf(trace)).toEqual(['{"a":1}\n']);
  });

  test("many chunks of one byte", () => {
    const text = '{"n":1}\n'.repeat(60);
    expect(new Set(textsOf(record(...text)).map((part) => part.replaceAll("|", "")))).toEqual(new Set(['{"n":1}\n']));
  });
});

describe("the suite's messages", () => {
  const sent = { jsonrpc: "2.0", method: "m" };

  test.each(["line", "header"] as const)("in %s framing, written late and in pieces", (framing) => {
    const bytes = Buffer.from(encodeFrame(sent, framing)).toString();
    const trace = [
      message(0, sent, framing, "suite"),
      chunk(1, bytes.slice(0, 5), "suite"),
      chunk(2, bytes.slice(5), "suite"),
    ];
    expect(textsOf(trace)).toEqual([`${bytes.slice(0, 5)}|${bytes.slice(5)}`]);
  });

  test("behind bytes that a fault put there", () => {
    const trace = [message(0, sent, "line", "suite"), chunk(1, `garbage\n${JSON.stringify(sent)}\n`, "suite")];
    expect(textsOf(trace)).toEqual([`${JSON.stringify(sent)}\n`]);
  });

  test("changed by a fault: none", () => {
    expect(textsOf([message(0, sent, "line", "suite"), chunk(1, '{"other":1}\n', "suite")])).toEqual([]);
  });
});
