import { h } from "./dom.js";
import { plural } from "./format.js";
import { statusIcon } from "./icons.js";
import type { RequirementItem } from "./model.js";
import { routeTo } from "./router.js";

const bases = {
  stated: "The spec says so in these words.",
  inferred: "It follows from the spec.",
  interop: "The spec does not demand it, and may say otherwise; real peers need it.",
};
const SHOWN_CHECKS = 40;

/** The details of an open requirement: the spec's words, who judges it, and every check of it. */
export function requirementDetails({ id, row, proven, checks }: RequirementItem, named: boolean): HTMLElement {
  const judge = row.oracle === "none" ? "Nobody judges it." : `Judged by a ${row.oracle}.`;
  return h(
    "div",
    { class: "requirement-body" },
    row.quotes.map(({ at, text }) =>
      h("blockquote", {}, h("p", {}, text), h("footer", { class: "dim small mono" }, at)),
    ),
    h(
      "p",
      { class: "dim" },
      `${bases[row.basis]} ${judge}`,
      row.excluded !== undefined && ` Excluded: ${row.excluded}`,
      provenNote(proven, row.oracle),
    ),
    checks.length === 0
      ? row.oracle !== "none" && h("p", { class: "dim" }, "No check of it ran.")
      : h(
          "ul",
          { class: "checks-of" },
          checks
            .slice(0, SHOWN_CHECKS)
            .map(({ item, check }) =>
              h(
                "li",
                {},
                statusIcon(check.verdict),
                h(
                  "a",
                  { class: "mono", href: routeTo("case", check.at === undefined ? [item.key] : [item.key, check.at]) },
                  item.result.id,
                ),
                named && h("span", { class: "dim" }, `${item.report.run.protocol} ${item.report.run.role}`),
                check.message !== undefined && h("span", {}, check.message),
              ),
            ),
          checks.length > SHOWN_CHECKS &&
            h("li", {}, h("a", { href: routeTo("cases", [], { req: id }) }, `all ${plural(checks.length, "check")}`)),
        ),
  );
}

function provenNote(proven: boolean | undefined, oracle: string): string {
  if (proven === undefined || oracle === "none") return "";
  return proven
    ? " A broken reference made a check of it fail, so the check works."
    : " No broken reference has shown yet that its checks can fail.";
}
