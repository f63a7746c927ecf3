import { describe, expect, test } from "vitest";
import { lookupIn } from "../../src/core/registry/select-in.js";
import { terminalReport } from "../../src/report/terminal.js";
import { madeUpCase, madeUpCheck, madeUpReport, toyProtocol, toyRun } from "./reports.js";

const lookup = lookupIn(toyProtocol.registry());
const text = (report: Parameters<typeof terminalReport>[0], command = "conf run toy --role server -- toy"): string =>
  terminalReport(report, { lookup, command });

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
    expect(lines).toContain("cases                   5: 2 pass, 1 warn, 1 blocked, 1 fail");
    expect(lines.at(-2)).toBe("violated (exit 1)");
    expect(lines.at(-1)).toBe("3 passed, 1 failed, 1 skipped");
  });

  test("an incomplete run says why", async () => {
    expect(text(await toyRun({ filter: ["*.soft"] }))).toContain(
      "incomplete: no case judged a must requirement\nincomplete (exit 3)\n2 passed, 1 failed, 0 skipped",
    );
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

describe("what a target says", () => {
  const evil = "\u001b[2J::error::x\r\n::add-mask::y";

  test("steers neither a terminal nor a workflow", () => {
    const trace = [
      { seq: 0, at: 0, from: "target", kind: "stderr", text: evil },
      { seq: 1, at: 0, from: "target", kind: "message", message: JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) },
    ] as const;
    const checks = [madeUpCheck({ message: evil, expected: evil, actual: evil, at: 0 })];
    const output = text(
      madeUpReport({
        target: { name: evil, version: evil },
        error: evil,
        exitCode: 1,
        cases: [madeUpCase({ verdict: "fail", reason: evil, checks, trace })],
      }),
    );
    expect(output).not.toMatch(/[^\n\x20-\x7e·…]/);
    expect(output).not.toMatch(/^\s*::/m);
  });
});
