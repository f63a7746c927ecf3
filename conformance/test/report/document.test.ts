import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { reportDocument } from "../../src/report/document.js";
import { jsonReport, readReport } from "../../src/report/json.js";
import { UsageError } from "../../src/core/errors.js";
import { pong } from "../toy.js";
import { entriesOf, madeUpCase, madeUpCheck, madeUpReport, toyDocument, toyProtocol, toyRun } from "./reports.js";

const deep = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

describe("a document", () => {
  test("keeps the traces that were asked for, and says why others are not there", async () => {
    const report = await toyRun();
    const kept = (traces?: "all" | "failed" | "none"): string[] =>
      reportDocument(report, { protocol: toyProtocol, traces })
        .cases.filter(({ trace }) => trace !== undefined)
        .map(({ id }) => id.replace("toy.server.", ""));
    expect(kept()).toEqual(["bad", "soft", "stuck"]);
    expect(kept("none")).toEqual([]);
    expect(kept("all")).toEqual(["calibration", "good", "bad", "soft", "stuck"]);
    expect(reportDocument(report).cases[0]?.omitted).toMatch(/not asked for/);
  });

  test("reads messages: a response names its method and the entry of its request", async () => {
    const bad = (await toyDocument()).cases.find(({ id }) => id.endsWith(".bad"));
    const [request, result] = entriesOf(bad, "message");
    expect(request?.reading).toMatchObject({ kind: "request", method: "ping" });
    expect(result?.reading).toEqual({
      kind: "result",
      method: "ping",
      id: request?.reading?.id,
      answers: request?.seq,
    });
    expect(request?.bytes).toBeDefined();
    expect(result?.bytes).toBeDefined();
  });

  test("a check names an entry only if the case's trace has it", async () => {
    const { cases } = await toyDocument();
    const at = (id: string): number | undefined =>
      cases.find((one) => one.id.endsWith(id))?.checks.find(({ source }) => source === "case")?.at;
    expect(cases.find(({ id }) => id.endsWith(".soft"))?.trace).toEqual([]);
    expect([at(".bad"), at(".soft")]).toEqual([expect.any(Number), undefined]);
  });

  test("has the requirements' words, proven or not when a kill matrix is given", async () => {
    const report = await toyRun();
    expect(reportDocument(report).requirements[0]).not.toHaveProperty("proven");
    const { requirements } = reportDocument(report, { proven: ["TOY-MUST"] });
    expect(requirements.find(({ id }) => id === "TOY-MUST")).toMatchObject({
      proven: true,
      oracle: "case",
      quotes: [],
    });
    expect(requirements.find(({ id }) => id === "TOY-MAY")).toMatchObject({ proven: false });
  });

  test("cuts what is large, with size and hash", () => {
    const message = { text: "x".repeat(1_000_000) };
    const json = JSON.stringify(message);
    const bytes = Buffer.from(`${json}\n`);
    const trace = [
      { seq: 0, at: 0, from: "target", kind: "bytes", bytes },
      { seq: 1, at: 0, from: "target", kind: "message", message, frame: { framing: "line", size: json.length } },
      { seq: 2, at: 0, from: "target", kind: "stderr", text: "y".repeat(100_000) },
      { seq: 3, at: 0, from: "target", kind: "event", name: "http-response", data: message },
    ] as const;
    const document = reportDocument(
      madeUpReport({ cases: [madeUpCase({ trace, checks: [madeUpCheck({ actual: message })] })] }),
      { traces: "all" },
    );
    const [result] = document.cases;
    const sha256 = createHash("sha256").update(json).digest("hex");
    expect(entriesOf(result, "message")[0]).toMatchObject({
      cut: { size: json.length, sha256, text: json.slice(0, 64 * 1024) },
      bytes: { first: 0, start: 0, last: 0, end: bytes.length },
    });
    expect(entriesOf(result, "message")[0]).not.toHaveProperty("message");
    expect(entriesOf(result, "bytes")[0]).toMatchObject({
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
    expect(JSON.stringify(document).length).toBeLessThan(400_000);
  });

  test("takes what no JSON writer takes: 100 000 levels, cycles, big integers", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const trace = [deep(100_000), deep(300), cycle, 1n].map(
      (message, seq) => ({ seq, at: 0, from: "target", kind: "message", message }) as const,
    );
    const report = madeUpReport({
      cases: [madeUpCase({ verdict: "fail", trace, checks: [madeUpCheck({ actual: deep(100_000) })] })],
    });
    const again = readReport(jsonReport(report), "it");
    expect(entriesOf(again.cases[0], "message").every(({ cut }) => cut !== undefined)).toBe(true);
  });

  test("leaves out traces of what passed first when everything together is too large", () => {
    const big = Array.from(
      { length: 900 },
      (_, seq) => ({ seq, at: 0, from: "target", kind: "stderr", text: "z".repeat(60_000) }) as const,
    );
    const cases = [
      madeUpCase({ id: "a.passes", trace: big }),
      madeUpCase({ id: "b.fails", verdict: "fail", trace: big }),
    ];
    const document = reportDocument(madeUpReport({ cases }), { traces: "all" });
    expect(document.cases.map(({ id, omitted }) => [id, omitted])).toEqual([
      ["a.passes", "the report would be too large"],
      ["b.fails", undefined],
    ]);
  });

  test("bytes that are not UTF-8 are base64", () => {
    const trace = [{ seq: 0, at: 0, from: "target", kind: "bytes", bytes: Uint8Array.of(0xff, 0x00, 0x41) }] as const;
    const [result] = reportDocument(madeUpReport({ cases: [madeUpCase({ trace })] }), { traces: "all" }).cases;
    expect(entriesOf(result, "bytes")).toEqual([
      { seq: 0, at: 0, from: "target", kind: "bytes", size: 3, base64: "/wBB" },
    ]);
  });
});

describe("the sums in the words of test runners", () => {
  test("a case for each, and nothing failed only when the exit code is 0", async () => {
    expect((await toyDocument()).counts).toEqual({ passed: 3, failed: 1, skipped: 1 });
    expect(reportDocument(await toyRun({ filter: ["*.good"] })).counts).toEqual({ passed: 2, failed: 0, skipped: 0 });
    expect(reportDocument(await toyRun({ filter: ["*.soft"], strict: true })).counts).toMatchObject({ failed: 1 });
    const incomplete = await toyRun({ filter: ["*.soft"] });
    expect(incomplete.exitCode).toBe(3);
    expect(reportDocument(incomplete).counts).toMatchObject({ failed: 1 });
  });

  test("a failure that the baseline expects is skipped", async () => {
    const baseline = [{ check: "*#TOY-MUST-2", expect: "fail", reason: "known" }] as const;
    const report = await toyRun({ filter: ["*.good", "*.bad"], baseline });
    expect(report.exitCode).toBe(0);
    expect(reportDocument(report).counts).toEqual({ passed: 2, failed: 0, skipped: 1 });
  });

  test("a target that does not answer is a failure, though no case ran", async () => {
    const report = await toyRun({ startMs: 50 }, () => []);
    expect(report.outcome).toBe("target-error");
    expect(reportDocument(report).counts.failed).toBe(1);
    expect(reportDocument(await toyRun({}, pong)).counts.failed).toBe(1);
  });
});

test.each([
  ["no JSON", "{", /it is not JSON/],
  ["another JSON", '{"version":1}', /it is not a conformance report/],
  ["a later version", '{"version":2}', /version/],
])("%s is refused with its reason", (_name, text, message) => {
  expect(() => readReport(text, "it")).toThrow(UsageError);
  expect(() => readReport(text, "it")).toThrow(message);
});
