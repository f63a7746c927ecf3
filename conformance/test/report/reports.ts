import type { RunReport } from "../../src/core/verdict/report.js";
import { totalsOf } from "../../src/core/verdict/verdict.js";
import { memoryTarget, runConformance, type RunOptions } from "../../src/index.js";
import type { ReportDocument, CaseDocument } from "../../src/report/document.js";
import { reportDocument } from "../../src/report/document.js";
import type { EntryDocument } from "../../src/report/trace-document.js";
import type { TraceEntry } from "../../src/trace/trace.js";
import { pong, toy, toyCase, toyServer } from "../toy.js";

const cases = [
  toyCase("good", ["TOY-MUST"], (t) => t.pass("TOY-MUST")),
  toyCase("bad", ["TOY-MUST-2"], async (t) => {
    const result = await t.send.request("ping", {}).result();
    t.check("TOY-MUST-2", false, { expected: "pong <false>", actual: result, message: "it ponged" });
  }),
  toyCase("soft", ["TOY-SHOULD"], (t) => void t.check("TOY-SHOULD", false, { expected: "a", actual: "b" })),
  toyCase("stuck", ["TOY-MAY"], (t) => t.blocked("nobody answers")),
];

/** A protocol of two messages with a case that passes, one that fails, one that warns and one that is blocked. */
export const toyProtocol = toy(cases);

/** A real run of the toy in memory. */
export function toyRun(options: Partial<RunOptions> = {}, answer = pong): Promise<RunReport> {
  return runConformance({
    protocol: toyProtocol,
    role: "server",
    target: memoryTarget(toyServer(answer)),
    timeScale: 0.05,
    seed: 1,
    ...options,
  });
}

/** Its document, with every trace. */
export async function toyDocument(options: Partial<RunOptions> = {}): Promise<ReportDocument> {
  return reportDocument(await toyRun(options), {
    protocol: toyProtocol,
    traces: "all",
    command: "npx editwire-conformance run toy --role server -- toy",
  });
}

/** A report that was never run, for what no real target does. */
export function madeUpReport(parts: Partial<RunReport> = {}): RunReport {
  const { cases: results = [], ...rest } = parts;
  return {
    run: {
      protocol: "toy",
      role: "server",
      profile: "plain",
      target: "toy",
      transport: "memory",
      seed: 1,
      timeScale: 1,
      faults: [],
      framing: "line",
      behaviors: "none",
      strict: false,
      basis: ["stated"],
      selected: results.length,
      spec: "0",
      startedAt: "2026-01-02T03:04:05.678Z",
      ms: 1234,
    },
    target: { name: "toy", version: "1" },
    outcome: "conformant",
    exitCode: 0,
    cases: results,
    totals: {
      cases: totalsOf(results.map(({ verdict }) => verdict)),
      checks: totalsOf(results.flatMap(({ checks }) => checks.map(({ verdict }) => verdict))),
    },
    requirements: [],
    verdicts: [],
    causes: [],
    ...rest,
  };
}

/** One case of a made-up report. */
export function madeUpCase(parts: Partial<RunReport["cases"][number]> = {}): RunReport["cases"][number] {
  return { id: "toy.server.case", title: "a case", verdict: "pass", ms: 1, checks: [], trace: [], ...parts };
}

/** One check of a made-up case. */
export function madeUpCheck(parts: Partial<CaseDocument["checks"][number]> = {}): CaseDocument["checks"][number] {
  return {
    id: "toy.server.case#TOY-MUST",
    req: "TOY-MUST",
    level: "must",
    basis: "stated",
    verdict: "fail",
    source: "case",
    count: 1,
    ...parts,
  };
}

/** One row of the requirements of a made-up report. */
export function madeUpRequirement(
  id: string,
  status: ReportDocument["requirements"][number]["status"],
  level: "must" | "should" | "may" = "must",
): RunReport["requirements"][number] {
  return { id, level, basis: "stated", text: `the text of ${id}`, quotes: [], oracle: "case", status };
}

/** Bytes that one side wrote, as an entry. */
export function chunk(seq: number, text: string, from: "suite" | "target" = "target"): TraceEntry {
  return { seq, at: seq, from, kind: "bytes", bytes: Buffer.from(text, "utf8") };
}

/** The entries of one kind. */
export function entriesOf<K extends EntryDocument["kind"]>(
  document: CaseDocument | undefined,
  kind: K,
): Extract<EntryDocument, { kind: K }>[] {
  return (document?.trace ?? []).filter((entry): entry is Extract<EntryDocument, { kind: K }> => entry.kind === kind);
}
