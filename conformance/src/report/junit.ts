import { levelText } from "../core/registry/requirement.js";
import { testStatus } from "./counts.js";
import type { CaseDocument, ReportDocument } from "./document.js";
import { valueText } from "./value-text.js";
import { visible } from "./visible.js";
import { xmlElement, xmlText } from "./xml.js";

const MAX_TEXT = 4_000;

/** A run as JUnit XML: a case is a test case, with the requirements that it judged as properties. */
export function junitReport(report: ReportDocument): string {
  const { run, target, cases, counts, error, outcome } = report;
  const suite = `${run.protocol} ${run.role}`;
  const properties = {
    profile: run.profile,
    target: run.target,
    name: target.name,
    version: target.version,
    transport: run.transport,
    seed: run.seed,
    spec: run.spec,
    outcome,
  };
  const tests = cases.map((result) => testCase(result, report));
  const failing = cases.filter((result) => testStatus(result, report) === "failed");
  const broken = failing.filter(({ verdict }) => verdict === "harness-error").length;
  // A fault of the run as a whole must be red as well.
  const whole = counts.failed > failing.length;
  if (whole)
    tests.push(
      xmlElement("testcase", { classname: suite, name: "outcome", time: 0 }, [
        xmlElement("error", { type: outcome, message: outcome }, [text(error ?? outcome)]),
      ]),
    );
  const sums = {
    tests: tests.length,
    failures: failing.length - broken,
    errors: broken + (whole ? 1 : 0),
    skipped: counts.skipped,
    time: seconds(run.ms),
  };
  const content = [
    xmlElement(
      "properties",
      {},
      Object.entries(properties).flatMap(([name, value]) =>
        value === undefined ? [] : [property(name, String(value))],
      ),
    ),
    ...tests,
  ];
  const body = xmlElement(
    "testsuite",
    { name: suite, ...sums, timestamp: run.startedAt.replace(/\.\d+Z$/, "") },
    content,
  );
  const suites = xmlElement("testsuites", { name: "conformance", ...sums }, [body]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`;
}

function testCase(result: CaseDocument, report: ReportDocument): string {
  const { id, title, ms, verdict, checks, reason } = result;
  const status = testStatus(result, report);
  const findings = checks.filter((check) => !["pass", "not-applicable"].includes(check.verdict));
  const content = [
    xmlElement("properties", {}, [
      property("title", title),
      ...[...new Set(checks.map(({ req }) => req))].map((req) => property("requirement", req)),
    ]),
  ];
  const message = findings.find((check) => check.verdict === verdict)?.message ?? reason ?? verdict;
  const details = text([reason ?? "", ...findings.map(checkText)].filter((line) => line !== "").join("\n\n"));
  if (verdict === "harness-error")
    content.push(xmlElement("error", { type: verdict, message: visible(message) }, [details]));
  else if (status === "failed")
    content.push(xmlElement("failure", { type: verdict, message: visible(message) }, [details]));
  else if (status === "skipped") content.push(xmlElement("skipped", { message: visible(message) }));
  else if (findings.length > 0) content.push(xmlElement("system-out", {}, [details]));
  const parts = id.split(".");
  return xmlElement(
    "testcase",
    { classname: parts.slice(0, -1).join(".") || report.run.protocol, name: parts.at(-1), time: seconds(ms) },
    content,
  );
}

function checkText({ verdict, id, level, basis, message, expected, actual }: CaseDocument["checks"][number]): string {
  const lines = [`${verdict} (${levelText({ level, basis })}) ${id}`];
  if (message !== undefined) lines.push(message);
  if (expected !== undefined) lines.push(`expected: ${expected}`);
  if (actual !== undefined) lines.push(`actual: ${typeof actual === "string" ? actual : valueText(actual)}`);
  return lines.map((line) => (line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line)).join("\n");
}

const property = (name: string, value: string): string => xmlElement("property", { name, value: visible(value) });
const text = (value: string): string => xmlText(visible(value));
const seconds = (ms: number): string => (ms / 1000).toFixed(3);
