import type { CaseDocument } from "../document.js";
import { h } from "./dom.js";
import { duration, plural } from "./format.js";
import { statusIcon, statusNames } from "./icons.js";
import { caseAsText } from "./case-text.js";
import { type CaseItem, gravity, type Model } from "./model.js";
import { codeBlock, copyButton, levelTag, requirementLink, statusLabel } from "./parts.js";
import { routeTo } from "./router.js";

type Check = CaseDocument["checks"][number];

/** The upper part of a case's page: its verdict, why it ended, and every check. */
export function caseHeader(model: Model, item: CaseItem): HTMLElement {
  const { result, report, key } = item;
  const texts = new Map(report.requirements.map((row) => [row.id, row.text]));
  const sorted = [...result.checks].sort((a, b) => gravity.indexOf(a.verdict) - gravity.indexOf(b.verdict));
  const bad = sorted.filter(({ verdict }) => !["pass", "not-applicable", "info"].includes(verdict));
  const rest = sorted.filter((check) => !bad.includes(check));
  const position = model.cases.indexOf(item);
  const step = (offset: number, label: string): HTMLElement | false => {
    const other = model.cases[position + offset];
    return other !== undefined && h("a", { class: "quiet", href: routeTo("case", [other.key]) }, label);
  };
  return h(
    "header",
    { class: "case-head" },
    h(
      "nav",
      { class: "crumbs", "aria-label": "Cases" },
      h("a", { href: routeTo("cases") }, "Cases"),
      h("span", { class: "dim" }, `${position + 1} of ${model.cases.length}`),
      step(-1, "← previous"),
      step(1, "next →"),
    ),
    h("h1", {}, result.title),
    h(
      "p",
      { class: "case-facts" },
      statusLabel(result.verdict),
      h("span", { class: "mono" }, result.id),
      h("span", { class: "dim" }, `${report.run.protocol} ${report.run.role} · ${duration(result.ms)}`),
      copyButton("Copy as text", () => caseAsText(item)),
    ),
    result.reason !== undefined && h("pre", { class: "code error" }, result.reason),
    bad.map((check) => checkCard(check, texts.get(check.req), key, result.reason)),
    rest.length > 0 &&
      h(
        "details",
        { class: "other-checks" },
        h("summary", {}, countsOf(rest)),
        h(
          "ul",
          {},
          rest.map((check) =>
            h(
              "li",
              {},
              statusIcon(check.verdict),
              requirementLink(check.req),
              h("span", {}, texts.get(check.req) ?? ""),
            ),
          ),
        ),
      ),
  );
}

function checkCard(
  { req, level, basis, verdict, source, message, expected, actual, at, count }: Check,
  text: string | undefined,
  key: string,
  reason: string | undefined,
): HTMLElement {
  return h(
    "div",
    { class: `finding s-${verdict}` },
    h(
      "div",
      { class: "finding-head" },
      statusIcon(verdict),
      h("b", {}, statusNames[verdict]),
      requirementLink(req),
      levelTag({ level, basis }),
      source === "monitor" && h("span", { class: "tag" }, "monitor"),
      count > 1 && h("span", { class: "dim small" }, `judged ${count} times`),
      at !== undefined && h("a", { href: routeTo("case", [key, at]), class: "to-message" }, `→ entry ${at}`),
    ),
    text !== undefined && h("p", {}, text),
    message !== undefined && reason?.includes(message) !== true && h("p", { class: "dim" }, message),
    (expected !== undefined || actual !== undefined) &&
      h(
        "div",
        { class: "compare" },
        expected !== undefined && codeBlock("Expected", expected),
        actual !== undefined && codeBlock("Actual", actual),
      ),
  );
}

function countsOf(checks: readonly Check[]): string {
  return (["info", "pass", "not-applicable"] as const)
    .map((verdict) => ({ verdict, count: checks.filter((check) => check.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${plural(count, "check")} ${statusNames[verdict]}`)
    .join(", ");
}
