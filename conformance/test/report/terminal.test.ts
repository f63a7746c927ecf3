import { describe, expect, test } from "vitest";
import { lookupIn } from "../../src/core/registry/select-in.js";
import { terminalReport } from "../../src/report/terminal.js";
import { madeUpCase, madeUpCheck, madeUpReport, toyProtocol, toyRun } from "./reports.js";

const lookup = lookupIn(toyProtocol.registry());
const text = (report: Parameters<typeof terminalReport>[0], command = "conf run toy --role server -- toy"): string =>
  terminalReport(report, { lookup, command, verbose: true });
const brief = (report: Parameters<typeof terminalReport>[0]): string =>
  terminalReport(report, { lookup, command: "npx editwire-conformance run toy --role server -- toy" });

describe("a case that failed", () => {
  test("tells the requirement, expected, actual, the last messages with an arrow, and how to repeat it", async () => {
    const output = text(await toyRun());
    expect(output).toMatch(/fail {2}toy\.server\.bad {2}bad \(\d+ ms\)/);
    expect(output).toContain(
      'must: the text of TOY-MUST-2\n    it ponged\n    expected: pong <false>\n      actual: {"pong":true}',
    );
    expect(output).toMatch(/suite {2}-> \{"jsonrpc":"2\.0","id":\d+,"method":"ping"/);
    expect(output).toMatch(/target <- .*"result":\{"pong":true\}\} {3}<- here/);
    expect(output).toContain("repeat: conf run toy --role server --filter toy.server.bad -- toy");
    expect(output).not.toContain("toy.server.good");
  });
});

describe("the sums", () => {
  test("every denominator, the outcome, and the counts in the last line", async () => {
    const lines = text(await toyRun())
      .trimEnd()
      .split("\n");
    expect(lines).toContain("must requirements       8: 5 pass, 1 fail, 2 untested");
    expect(lines).toContain("should requirements     1: 1 warn");
    expect(lines).toContain("violated (exit 1): the target violates 1 of 8 musts");
    expect(lines.at(-1)).toBe("3 passed, 1 failed, 1 skipped");
  });

  test("an incomplete run says why", async () => {
    expect(text(await toyRun({ filter: ["*.soft"] }))).toContain("incomplete (exit 3): no case judged a must\n");
  });

  test("a run that was cut short says how far it came", async () => {
    expect(text(await toyRun({ signal: AbortSignal.abort() }))).toContain("0 of 4 selected cases ran");
  });

  test("cases that did not begin are listed once for each reason, with what they would have judged", () => {
    const trace = [{ seq: 0, at: 0, from: "suite", kind: "event", name: "open" }] as const;
    const cases = ["a", "b"].map((id) =>
      madeUpCase({
        id,
        verdict: "blocked",
        reason: "no behaviors",
        trace,
        checks: [madeUpCheck({ verdict: "blocked" })],
      }),
    );
    expect(text(madeUpReport({ cases }))).toContain(
      "blocked  2 case(s) that did not begin: no behaviors\n  a  [TOY-MUST]\n  b  [TOY-MUST]\n",
    );
  });
});

describe("without --verbose", () => {
  test("the verdict comes first, then what decided it with its two messages, and what to do next", async () => {
    const lines = brief(await toyRun()).split("\n");
    expect(
      lines
        .slice(3, -1)
        .join("\n")
        .replaceAll(/"id":\d+/g, '"id":1'),
    ).toBe(
      [
        "violated (exit 1): the target violates 1 of 8 musts",
        "",
        "fail  TOY-MUST-2  must, in toy.server.bad",
        "  the text of TOY-MUST-2",
        "  it ponged",
        "  expected: pong <false>",
        '    actual: {"pong":true}',
        '  suite  -> {"jsonrpc":"2.0","id":1,"method":"ping","params":{}}',
        '  target <- {"jsonrpc":"2.0","id":1,"result":{"pong":true}}',
        "",
        "not met, without deciding: TOY-SHOULD",
        "",
        "repeat:  npx editwire-conformance run toy --role server --filter toy.server.bad -- toy",
        "explain: npx editwire-conformance explain TOY-MUST-2",
        "more:    --verbose for all of it, --report html=report.html for a page with every message",
        "accept:  --write-baseline known.yaml keeps what you cannot mend yet",
        "3 passed, 1 failed, 1 skipped",
      ].join("\n"),
    );
  });

  test("causes are grouped, the violations and the most cases first, in 40 lines of 80 columns", async () => {
    const results = Array.from({ length: 60 }, (_, index) =>
      madeUpCase({
        id: `toy.server.case-${index}`,
        verdict: index % 20 === 0 ? "fail" : "blocked",
        checks: [
          madeUpCheck({
            id: `toy.server.case-${index}#TOY-MUST`,
            verdict: index % 20 === 0 ? "fail" : "blocked",
            message: index % 20 === 0 ? `the word "${"long ".repeat(40)}" is wrong` : `cause ${"x".repeat(index % 10)}`,
            expected: "e".repeat(200),
            actual: "a".repeat(200),
          }),
        ],
      }),
    );
    const output = brief(madeUpReport({ cases: results, outcome: "violated", exitCode: 1 }));
    const lines = output.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines[5]).toBe("fail  TOY-MUST  must, in 3 cases, such as toy.server.case-0");
    const block = lines.slice(
      5,
      lines.findIndex((line) => line.startsWith("… and")),
    );
    expect(Math.max(...block.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(output).toMatch(/… and \d more causes: TOY-MUST/);
  });

  test("a request without an answer is shown with nothing below it", async () => {
    const trace = [
      { seq: 0, at: 0, from: "target", kind: "message", message: { jsonrpc: "2.0", method: "note" } },
      { seq: 1, at: 0, from: "suite", kind: "message", message: { jsonrpc: "2.0", id: 1, method: "ping" } },
    ] as const;
    const result = madeUpCase({ verdict: "fail", trace, checks: [madeUpCheck({ at: 1 })] });
    expect(brief(madeUpReport({ cases: [result], outcome: "violated", exitCode: 1 }))).toContain(
      '  suite  -> {"jsonrpc":"2.0","id":1,"method":"ping"}\n  target <- (nothing)\n',
    );
  });

  test("a target that passes has one line about what was not judged", async () => {
    const notJudged = { cases: ["a", "b"], behaviors: ["plan"], requirements: ["TOY-MUST-2"] };
    expect(brief(madeUpReport({ outcome: "passed", notJudged }))).toContain(
      "not judged: 1 requirement in 2 cases, for want of plan on request; --behaviors model judges them\n",
    );
  });
});

describe("what a target says", () => {
  const evil = "\u001b[2J::error::x\r\n::add-mask::y";

  test("steers neither a terminal nor a workflow", () => {
    const trace = [
      { seq: 0, at: 0, from: "target", kind: "stderr", text: evil },
      { seq: 1, at: 0, from: "target", kind: "message", message: JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) },
    ] as const;
    const checks = [madeUpCheck({ message: evil, expected: evil, actual: evil, at: 0 })];
    const made = madeUpReport({
      target: { name: evil, version: evil },
      error: evil,
      exitCode: 1,
      cases: [madeUpCase({ verdict: "fail", reason: evil, checks, trace })],
    });
    const output = text(made);
    expect(output).not.toMatch(/[^\n\x20-\x7e·…]/);
    expect(output).not.toMatch(/^\s*::/m);
    const short = brief(made);
    expect(short).not.toMatch(/[^\n\x20-\x7e·…]/);
    expect(short).not.toMatch(/^\s*::/m);
  });
});
