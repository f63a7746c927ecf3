import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { UsageError } from "../../src/core/errors.js";
import { badgeEndpoint, badgeSvg } from "../../src/report/badge.js";
import { reportDocument } from "../../src/report/document.js";
import { parseReports, reportFormats, writeReports } from "../../src/report/files.js";
import { githubReport } from "../../src/report/github.js";
import { junitReport } from "../../src/report/junit.js";
import { markdownReport } from "../../src/report/markdown.js";
import { madeUpCase, madeUpCheck, madeUpReport, madeUpRequirement, toyDocument, toyRun } from "./reports.js";
import { all, parseXml } from "./xml.js";
import { writePage } from "../../scripts/page.js";

beforeAll(writePage);

const evil = "a]]>&<b>\"'\u0000\u001b\ud800\uffff\u202e```|\n::error::x%,:";
const hostile = reportDocument(
  madeUpReport({
    outcome: "violated",
    exitCode: 1,
    target: { name: evil, version: evil },
    cases: [
      madeUpCase({
        verdict: "fail",
        title: evil,
        reason: evil,
        checks: [madeUpCheck({ message: evil, expected: evil, actual: { evil } })],
      }),
    ],
    requirements: [{ ...madeUpRequirement("TOY-MUST", "fail"), text: evil }],
  }),
);

describe("JUnit", () => {
  test("a case is a test case; failures, skips and sums", async () => {
    const suites = parseXml(junitReport(await toyDocument()));
    const sums = { tests: "5", failures: "1", errors: "0", skipped: "1" };
    expect(suites).toMatchObject({ name: "testsuites", attributes: sums });
    expect(suites.children[0]).toMatchObject({ name: "testsuite", attributes: { name: "toy server", ...sums } });
    expect(suites.children[0]?.attributes["timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    const cases = all(suites, "testcase");
    expect(cases.map(({ attributes }) => attributes["name"])).toEqual(["calibration", "good", "bad", "soft", "stuck"]);
    expect(cases[2]?.attributes).toMatchObject({ classname: "toy.server" });
    expect(all(cases[2] ?? suites, "failure")[0]).toMatchObject({ attributes: { type: "fail", message: "it ponged" } });
    expect(all(cases[2] ?? suites, "failure")[0]?.text).toContain('expected: pong <false>\nactual: {"pong":true}');
    expect(all(cases[2] ?? suites, "property").map(({ attributes }) => attributes["value"])).toContain("TOY-MUST-2");
    expect(all(cases[3] ?? suites, "system-out")[0]?.text).toContain("warn (should)");
    expect(all(cases[4] ?? suites, "skipped")).toHaveLength(1);
  });

  test("what is wrong with the whole run is an error", async () => {
    const suites = parseXml(junitReport(reportDocument(await toyRun({ startMs: 50 }, () => []))));
    expect(suites.attributes).toMatchObject({ errors: "1" });
    expect(all(suites, "error")[0]).toMatchObject({ attributes: { type: "target-error" } });
  });

  test("a fault of the suite is an error", () => {
    const report = reportDocument(
      madeUpReport({
        outcome: "harness-error",
        exitCode: 70,
        cases: [madeUpCase({ verdict: "harness-error", reason: "oops" })],
      }),
    );
    const suites = parseXml(junitReport(report));
    expect(suites.attributes).toMatchObject({ tests: "1", failures: "0", errors: "1" });
    expect(all(suites, "error")[0]).toMatchObject({ attributes: { message: "oops" } });
  });

  test("any text is well-formed", () => {
    const suites = parseXml(junitReport(hostile));
    expect(all(suites, "failure")[0]?.attributes["message"]).toBe(
      "a]]>&<b>\"'\\u0000\\u001b\\ud800\ufffd\\u202e```|\n::error::x%,:",
    );
  });
});

describe("Markdown", () => {
  test("outcome, a table of the requirements, what is not met, and the counts last", async () => {
    const text = markdownReport(await toyDocument());
    expect(text).toMatch(/^## ❌ toy server: violated\n/);
    expect(text).toContain("| must requirements | 8 | 5 |");
    expect(text).toContain("<code>TOY-MUST-2</code> (must) the text of TOY-MUST-2</summary>");
    expect(text).toContain("```\npong <false>\n```");
    expect(text).toContain("npx editwire-conformance run toy --role server -- toy");
    expect(text.trimEnd().split("\n").at(-1)).toBe("3 passed, 1 failed, 1 skipped");
  });

  test("text of the target ends neither its code nor its line", () => {
    const text = markdownReport(hostile);
    const outside = text
      .split(/^````\n[^]*?\n````$/m)
      .join("")
      .replace(/(`+)[^`\n][^\n]*?\1(?!`)/g, "");
    expect(outside).not.toMatch(/<b>["&]|^::/m);
    const fences = text.split("\n").filter((line) => /^`{3,}/.test(line));
    // Every block is opened and closed by four ticks, since its content has three.
    expect(fences.every((fence) => fence === "````")).toBe(true);
    expect(fences.length).toBe(6);
  });

  test("a conformant run is short", async () => {
    const text = markdownReport(reportDocument(await toyRun({ filter: ["*.good"] })));
    expect(text).toMatch(/^## ✅/);
    expect(text).not.toContain("<details>");
  });

  test("stays far below what a job summary may have", () => {
    const cases = Array.from({ length: 100 }, (_, index) =>
      madeUpCase({
        id: `c${index}`,
        verdict: "fail",
        checks: [madeUpCheck({ req: `R-${index}`, message: "m".repeat(50_000), actual: "x".repeat(50_000) })],
      }),
    );
    const text = markdownReport(reportDocument(madeUpReport({ outcome: "violated", exitCode: 1, cases })));
    expect(text.length).toBeLessThan(200_000);
    expect(text).toContain("and 50 more");
  });
});

describe("badges", () => {
  const requirements = [
    madeUpRequirement("A", "pass"),
    madeUpRequirement("B", "untested"),
    madeUpRequirement("C", "excluded"),
    madeUpRequirement("D", "fail", "may"),
  ];

  test("say the outcome and how many of the binding requirements are met", () => {
    const report = reportDocument(madeUpReport({ requirements }));
    expect(JSON.parse(badgeEndpoint(report))).toEqual({
      schemaVersion: 1,
      label: "toy server",
      message: "conformant 1/2",
      color: "#1a7f5a",
      isError: false,
    });
    const svg = parseXml(badgeSvg(report));
    expect(svg).toMatchObject({ name: "svg", attributes: { "aria-label": "toy server: conformant 1/2" } });
    expect(all(svg, "text").map(({ text }) => text)).toEqual(["toy server", "conformant 1/2"]);
  });

  test.each(["violated", "target-error"] as const)("a run that is %s is not green", (outcome) => {
    expect(
      JSON.parse(badgeEndpoint(reportDocument(madeUpReport({ requirements, outcome, exitCode: 1 })))),
    ).not.toMatchObject({ color: "#1a7f5a" });
  });
});

describe("annotations", () => {
  test("an error for a must, a warning for the rest", async () => {
    const lines = githubReport(await toyDocument())
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      "::error title=toy server%3A fail TOY-MUST-2::the text of TOY-MUST-2%0Ait ponged%0Aexpected: pong " +
        '<false>%0Aactual: {"pong":true}%0Ain toy.server.bad',
    );
    expect(lines[1]).toMatch(/^::warning title=toy server%3A warn TOY-SHOULD::/);
  });

  test("text of the target makes no command of its own", () => {
    const lines = githubReport(hostile).trimEnd().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.slice(2).split("::")[0]).toBe("error title=toy server%3A fail TOY-MUST");
  });

  test("a run that failed as a whole has one", () => {
    expect(githubReport(reportDocument(madeUpReport({ outcome: "interrupted", exitCode: 130 })))).toBe(
      "::error title=toy server::interrupted\n",
    );
  });
});

describe("--report", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "conformance-reports-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("several formats, in folders that are not there yet", async () => {
    const document = await toyDocument();
    const spec = reportFormats.map((format) => `${format}=${join(folder, "a/b", format)}`).join(",");
    writeReports(parseReports([spec]), () => document);
    expect(readdirSync(join(folder, "a/b")).sort()).toEqual([...reportFormats].sort());
    expect(JSON.parse(readFileSync(join(folder, "a/b/json"), "utf8"))).toMatchObject({
      version: 1,
      outcome: "violated",
    });
    expect(readFileSync(join(folder, "a/b/html"), "utf8")).toMatch(/^<!doctype html>/);
  });

  test("annotations go to stdout beside another report", () => {
    expect(parseReports(["json=-,github"])).toEqual([
      { format: "json", file: "-" },
      { format: "github", file: "-" },
    ]);
  });

  test.each([
    ["pdf=x", /unknown report format "pdf"; the formats are json, junit, html, md, badge, shields, github/],
    ["json", /json=FILE/],
    ["json=-,md=-", /only one report can go to stdout, not json and md/],
  ])("%s is refused", (spec, message) => {
    expect(() => parseReports([spec])).toThrow(UsageError);
    expect(() => parseReports([spec])).toThrow(message);
  });
});
