import { levelDenominators, type Status } from "../counts.js";
import type { ReportDocument } from "../document.js";
import { type Finding, findingsOf } from "../findings.js";
import { notJudgedLine } from "../not-judged.js";
import { valueText } from "../value-text.js";
import { verdictSentence } from "../verdict-line.js";
import { h } from "./dom.js";
import { duration, plural } from "./format.js";
import { statusIcon, statusNames } from "./icons.js";
import { jsonView } from "./json-view.js";
import { gravity, type Model, targetName } from "./model.js";
import { copyButton, levelTag, requirementLink, statusBar } from "./parts.js";
import { routeTo } from "./router.js";
import type { View } from "./view.js";

const outcomeStatus: Readonly<Record<ReportDocument["outcome"], Status>> = {
  conformant: "pass",
  passed: "pass",
  violated: "fail",
  incomplete: "blocked",
  "stale-baseline": "warn",
  "target-error": "fail",
  "usage-error": "fail",
  "harness-error": "harness-error",
  interrupted: "blocked",
};

const SHOWN_FINDINGS = 50;

/** The results of each run: the outcome, every denominator, and the unmet requirements. */
export function summaryView({ reports, keyOf }: Model): View {
  const sections = reports.map((report) => runSection(report, (id) => keyOf(report, id)));
  return { title: "Summary", element: h("div", { class: "page" }, sections) };
}

type KeyOf = (caseId: string) => string;

function runSection(report: ReportDocument, keyOf: KeyOf): HTMLElement {
  const { run, outcome, error } = report;
  const findings = findingsOf(report);
  const deciding = findings.filter(({ decides }) => decides);
  const others = findings.filter(({ decides }) => !decides);
  const notJudged = notJudgedLine(report);
  return h(
    "section",
    { class: "run" },
    h("p", { class: "overline" }, `${run.protocol} · ${run.role} · ${run.profile}`),
    h("h1", {}, targetName(report)),
    h(
      "div",
      { class: `outcome s-${outcomeStatus[outcome]}` },
      statusIcon(outcomeStatus[outcome]),
      h("div", {}, h("strong", {}, outcome), h("span", {}, verdictSentence(report))),
    ),
    error !== undefined && h("pre", { class: "code error" }, error),
    deciding.length > 0 && findingsSection("What decided it", deciding, keyOf),
    others.length > 0 && findingsSection("Not met, without deciding", others, keyOf),
    notJudged !== undefined && h("p", { class: "dim" }, notJudged),
    baselineSection(report),
    h("h2", {}, "Requirements"),
    verdictTable(report),
    denominatorTable(report),
    facts(report),
  );
}

/** One line for each basis of musts. */
function verdictTable({ verdicts, run }: ReportDocument): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    verdicts.flatMap(({ basis, outcome, musts, met, violated, blocked }) => {
      if (musts === 0) return [];
      const parts = [
        `${outcome}: ${met} of ${plural(musts, basis === "interop" ? "need" : "must")} met`,
        violated.length > 0 && `${violated.length} violated`,
        blocked.length > 0 && `${blocked.length} blocked`,
        !run.basis.includes(basis) && "does not decide the outcome",
      ];
      return [h("dt", {}, basis), h("dd", {}, parts.filter((part) => part !== false).join(", "))];
    }),
  );
}

function denominatorTable(report: ReportDocument): HTMLElement {
  const rows = levelDenominators(report).filter(({ total }) => total > 0);
  return h(
    "div",
    { class: "denominators" },
    rows.map(({ name, total, counts }) => {
      const map = new Map(
        gravity.flatMap((status) => ((counts[status] ?? 0) > 0 ? [[status, counts[status] ?? 0] as const] : [])),
      );
      const level = name.split(" ")[0] ?? "";
      const legend = [...map].map(([status, count]) => {
        const content = [statusIcon(status), h("b", {}, count), ` ${statusNames[status]}`];
        return h("a", { href: routeTo("requirements", [], { status, level }) }, content);
      });
      return h(
        "div",
        { class: "denominator" },
        h("div", { class: "denominator-name" }, h("span", {}, name), h("b", {}, total)),
        statusBar(map),
        h("div", { class: "legend" }, legend),
      );
    }),
  );
}

function findingsSection(title: string, findings: readonly Finding[], keyOf: KeyOf): HTMLElement {
  return h(
    "div",
    {},
    h("h2", {}, title),
    h(
      "ol",
      { class: "findings" },
      findings.slice(0, SHOWN_FINDINGS).map((finding) => findingItem(finding, keyOf)),
    ),
    findings.length > SHOWN_FINDINGS &&
      h("p", {}, h("a", { href: routeTo("requirements") }, `and ${findings.length - SHOWN_FINDINGS} more`)),
  );
}

function findingItem({ requirement, verdict, checks, known, decides }: Finding, keyOf: KeyOf): HTMLElement {
  const first = checks[0];
  return h(
    "li",
    { class: decides ? "decides" : "" },
    statusIcon(verdict),
    h(
      "div",
      {},
      h(
        "div",
        { class: "finding-head" },
        requirementLink(requirement.id),
        levelTag(requirement),
        decides && h("span", { class: "tag" }, "decides"),
        known && h("span", { class: "tag" }, "in the baseline"),
      ),
      h("div", {}, requirement.text),
      first?.check.expected !== undefined &&
        h(
          "div",
          { class: "versus" },
          h("span", { class: "dim" }, "expected "),
          h("code", {}, first.check.expected),
          h("span", { class: "dim" }, " got "),
          h("code", {}, actualText(first.check.actual)),
        ),
      first !== undefined &&
        h(
          "div",
          { class: "dim small" },
          "in ",
          h(
            "a",
            { href: routeTo("case", [keyOf(first.caseId), ...(first.check.at === undefined ? [] : [first.check.at])]) },
            first.caseId,
          ),
          checks.length > 1 && ` and ${checks.length - 1} more`,
        ),
    ),
  );
}

function actualText(actual: unknown): string {
  const text = actual === undefined ? "nothing" : typeof actual === "string" ? actual : valueText(actual);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

function baselineSection({ baseline }: ReportDocument): HTMLElement | false {
  if (baseline === undefined) return false;
  const kinds = (["expired", "different", "stale", "unmatched"] as const).filter((kind) => baseline[kind].length > 0);
  return h(
    "div",
    {},
    h("h2", {}, "Baseline"),
    h("p", {}, `${plural(baseline.expected.length, "check")} as expected.`),
    kinds.map((kind) =>
      h(
        "div",
        {},
        h("p", {}, h("b", {}, kind)),
        h(
          "ul",
          {},
          baseline[kind].map((check) => h("li", { class: "mono" }, check)),
        ),
      ),
    ),
  );
}

function facts({ run, target, suite, command }: ReportDocument): HTMLElement {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["target", run.target],
    ["transport", `${run.transport}, ${run.framing} framing`],
    ["faults", run.faults.length === 0 ? undefined : run.faults.join(", ")],
    ["behaviors", run.behaviors],
    ["seed", String(run.seed)],
    ["time scale", run.timeScale === 1 ? undefined : String(run.timeScale)],
    ["started", run.startedAt],
    ["took", duration(run.ms)],
    ["handshake", target.startMs === undefined ? undefined : duration(target.startMs)],
    ["spec", run.spec],
    ["suite", `${suite.name} ${suite.version}`],
  ];
  return h(
    "div",
    {},
    h("h2", {}, "The run"),
    h(
      "dl",
      { class: "facts" },
      rows.flatMap(([name, value]) => (value === undefined ? [] : [h("dt", {}, name), h("dd", {}, value)])),
    ),
    command !== undefined &&
      h(
        "div",
        { class: "command" },
        h("pre", { class: "code" }, command),
        copyButton("Copy", () => command),
      ),
    target.capabilities !== undefined &&
      h("details", {}, h("summary", {}, "Capabilities of the target"), jsonView(target.capabilities)),
  );
}
