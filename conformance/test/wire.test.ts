import fc from "fast-check";
import { createServer } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { faultyWriter } from "../src/wire/faults.js";
import { openFaults } from "../src/wire/fault-names.js";
import { type CutFrame, encodeFrame, FrameCutter } from "../src/wire/framing.js";
import { memoryPipe } from "../src/wire/pipe.js";
import { SseCutter } from "../src/wire/sse.js";
import { jsonRpc, runConformance, unixTarget } from "../src/index.js";
import { UsageError } from "../src/core/errors.js";
import { toy, toyCase, toyServer } from "./toy.js";
import { pipeOf } from "../src/wire/socket.js";

const cut = (bytes: Uint8Array, size: number): CutFrame[] => {
  const cutter = new FrameCutter();
  const frames: CutFrame[] = [];
  for (let at = 0; at < bytes.length; at += size) frames.push(...cutter.push(bytes.subarray(at, at + size)));
  return [...frames, ...cutter.end()];
};
const values = (frames: readonly CutFrame[]): unknown[] =>
  frames.map((frame) => (frame.ok ? frame.message : frame.problem));

describe("FrameCutter", () => {
  test("cuts any messages in any framings at any chunk size", () => {
    const message = fc.record({ text: fc.string({ unit: "binary" }), n: fc.integer() });
    const framed = fc.tuple(message, fc.constantFrom("line" as const, "header" as const));
    fc.assert(
      fc.property(fc.array(framed, { maxLength: 5 }), fc.integer({ min: 1, max: 64 }), (list, size) => {
        const bytes = Buffer.concat(list.map(([value, framing]) => encodeFrame(value, framing)));
        expect(values(cut(bytes, size))).toEqual(list.map(([value]) => JSON.parse(JSON.stringify(value)) as unknown));
      }),
    );
  });

  test.each([
    ["noise", "hello\n{}\n", ["not a JSON message (line framing)", {}]],
    ["a header without a length", "Content-Length: many\r\n\r\n{}\n", ["a header without a valid Content-Length", {}]],
    ["an unterminated line", "{}", ["the stream ended within a line"]],
    ["a body that is too short", "Content-Length: 9\r\n\r\n{}", ["the stream ended within a body of 9 bytes"]],
    [
      "a length in characters instead of bytes",
      'Content-Length: 3\r\n\r\n"ä"\n',
      ["not a JSON message (header framing)", "not a JSON message (line framing)"],
    ],
  ])("reports %s", (_name, text, expected) => {
    expect(values(cut(Buffer.from(text), 1_000))).toEqual(expected);
  });

  test("reports bytes that are not UTF-8", () => {
    expect(values(cut(Buffer.from([34, 0xff, 34, 10]), 1_000))).toEqual(["not valid UTF-8 (line framing)"]);
  });

  test("takes 16 MiB in small chunks in linear time: no byte is copied again and again", () => {
    const bytes = encodeFrame({ text: "x".repeat(16 * 1024 * 1024) }, "header");
    const { concat } = Buffer;
    let copied = 0;
    const spy = vi.spyOn(Buffer, "concat").mockImplementation((list, length) => {
      const joined = concat(list, length);
      copied += joined.length;
      if (copied > 3 * bytes.length) throw new Error(`${copied} bytes were copied for a message of ${bytes.length}`);
      return joined;
    });
    onTestFinished(() => spy.mockRestore());
    expect(cut(bytes, 4096)).toHaveLength(1);
    expect(copied).toBeGreaterThanOrEqual(bytes.length);
  });
});

describe("faults", () => {
  /** The bytes that are written for these chunks, and the number of writes. */
  const through = async (names: readonly string[], chunks: readonly string[]) => {
    const written: string[] = [];
    await new Promise<void>((resolve) => {
      const out = faultyWriter(
        (bytes) => void written.push(Buffer.from(bytes).toString("latin1")),
        resolve,
        openFaults(names, 1, jsonRpc),
      );
      for (const chunk of chunks) out.write(Buffer.from(chunk));
      out.end();
    });
    return written;
  };

  test.each([["split:1"], ["split:3"], ["split:seeded"], ["coalesce"], ["slow:1"], ["split:2", "coalesce:3"]])(
    "%s keeps every byte in order",
    async (...names) => {
      expect((await through(names, ["abcdef\n", "ghi\n"])).join("")).toBe("abcdef\nghi\n");
    },
  );

  test("split writes single bytes, coalesce joins messages", async () => {
    expect(await through(["split:1"], ["abc"])).toEqual(["a", "b", "c"]);
    expect(await through(["coalesce:2"], ["a\n", "b\n", "c\n"])).toEqual(["a\nb\n", "c\n"]);
  });

  test("cut ends the stream, stall keeps it open", async () => {
    expect(await through(["cut:4"], ["abc", "def", "ghi"])).toEqual(["abc", "d"]);
    expect((await through(["stall:4"], ["abc", "def", "ghi"])).join("")).toBe("abcd");
  });

  test("crlf changes line ends; noise, invalid-utf8 and huge come before a message", async () => {
    expect(await through(["crlf"], ["{}\n", "Content-Length: 2\r\n\r\n{}"])).toEqual([
      "{}\r\n",
      "Content-Length: 2\r\n\r\n{}",
    ]);
    expect(await through(["noise"], ["{}\n"])).toEqual(["this is not a message\n", "{}\n"]);
    expect((await through(["invalid-utf8"], ["{}\n"]))[0]).toContain("\u00ff");
    expect((await through(["huge:1"], ["{}\n"]))[0]?.length).toBeGreaterThan(1024);
  });

  test.each(["rain", "split:0", "split:x"])("%s is refused", async (name) => {
    await expect(through([name], ["a"])).rejects.toBeInstanceOf(UsageError);
  });
});

describe("memoryPipe", () => {
  test("delivers in order, buffers until someone listens, and ends", async () => {
    const [left, right] = memoryPipe();
    left.write(Buffer.from("a"));
    left.write(Buffer.from("b"));
    left.end();
    left.write(Buffer.from("c"));
    const seen: string[] = [];
    await new Promise<void>((resolve) =>
      right.listen({ data: (chunk) => void seen.push(Buffer.from(chunk).toString()), end: resolve }),
    );
    expect(seen).toEqual(["a", "b"]);
  });
});

describe("SseCutter", () => {
  test.each([
    ["one line", "data: {}\n\n", [{ kind: "event", data: "{}", fields: [] }]],
    ["several lines are joined", "data: {\ndata: }\n\n", [{ kind: "event", data: "{\n}", fields: [] }]],
    ["other fields", "event: x\nid: 1\ndata:a\n\n", [{ kind: "event", data: "a", fields: ["event: x", "id: 1"] }]],
    [
      "comments",
      ": ping\n\ndata: a\n\n",
      [
        { kind: "comment", text: "ping" },
        { kind: "event", data: "a", fields: [] },
      ],
    ],
    [
      "CR and CRLF",
      "data: a\r\rdata: b\r\n\r\n",
      [
        { kind: "event", data: "a", fields: [] },
        { kind: "event", data: "b", fields: [] },
      ],
    ],
  ])("%s, at every split", (_name, text, expected) => {
    for (let at = 0; at <= text.length; at++) {
      const cutter = new SseCutter();
      expect([...cutter.push(Buffer.from(text.slice(0, at))), ...cutter.push(Buffer.from(text.slice(at)))]).toEqual(
        expected,
      );
    }
  });
});

describe("unixTarget", () => {
  test("judges a server on a socket, one connection for each case", async () => {
    const folder = mkdtempSync(join(tmpdir(), "conformance-test-"));
    const path = join(folder, "socket");
    let connections = 0;
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      connections += 1;
      toyServer()(pipeOf(socket));
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const calls = (name: string) =>
      toyCase(
        name,
        ["TOY-MUST"],
        async (t) => void (await t.require("TOY-MUST", t.send.request("ping", {}).result())),
        { isolation: "connection" },
      );
    const report = await runConformance({
      protocol: toy([calls("a"), calls("b")]),
      role: "server",
      target: unixTarget(path),
    });
    server.close();
    rmSync(folder, { recursive: true });
    expect(report).toMatchObject({ exitCode: 0, run: { transport: "unix" } });
    expect(connections).toBe(3);
  });

  test("a socket that is not there is a target error", async () => {
    const report = await runConformance({
      protocol: toy([toyCase("a", ["TOY-MUST"], () => {})]),
      role: "server",
      target: unixTarget("/nonexistent/socket"),
    });
    expect(report).toMatchObject({ exitCode: 4, error: expect.stringContaining("/nonexistent/socket") });
  });
});
