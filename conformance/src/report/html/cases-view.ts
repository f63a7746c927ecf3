import type { Status } from "../counts.js";
import { h } from "./dom.js";
import { duration, plural } from "./format.js";
import { statusIcon, statusNames } from "./icons.js";
import { type CaseItem, countStatuses, gravity, type Model, runName } from "./model.js";
import { toggles } from "./parts.js";
import { type Route, routeTo } from "./router.js";
import type { View } from "./view.js";
import { VirtualList } from "./virtual-list.js";

const ROW = 52;

/** The list of all cases, with filters that are part of the page's address. */
export function casesView(model: Model, { query }: Route, scroller: HTMLElement): View {
  const { cases, reports } = model;
  const names = new Map(reports.map((report) => [report, runName(report, reports)]));
  const filter = {
    verdict: new Set(
      (query.get("verdict") ?? "").split(",").filter((text): text is Status => gravity.includes(text as Status)),
    ),
    q: query.get("q") ?? "",
    req: query.get("req") ?? "",
    run: query.get("run") ?? "",
  };
  const list = new VirtualList<CaseItem>({
    scroller,
    height: () => ROW,
    draw: (item) => caseRow(item, reports.length > 1 ? names.get(item.report) : undefined),
    label: "Cases",
    covered: 100,
  });
  const count = h("p", { class: "count", role: "status" });

  const apply = (): void => {
    const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
    const requirement = filter.req.trim().toLowerCase();
    const found = cases.filter(
      (item) =>
        (filter.verdict.size === 0 || filter.verdict.has(item.result.verdict)) &&
        (filter.run === "" || names.get(item.report) === filter.run) &&
        (requirement === "" || [...item.requirements].some((id) => id.toLowerCase().includes(requirement))) &&
        words.every((word) => item.text.includes(word)),
    );
    list.show(found);
    count.textContent =
      found.length === cases.length
        ? plural(cases.length, "case")
        : `${found.length} of ${plural(cases.length, "case")}`;
    history.replaceState(
      null,
      "",
      routeTo("cases", [], { verdict: [...filter.verdict].join(","), q: filter.q, req: filter.req, run: filter.run }),
    );
  };

  const counts = countStatuses(cases.map(({ result }) => result.verdict));
  const verdicts = gravity.filter((status) => counts.has(status));
  const chips = verdicts.map((value) => ({
    value,
    content: [statusIcon(value), `${statusNames[value]} `, h("b", {}, counts.get(value) ?? 0)],
  }));
  const search = h("input", {
    type: "search",
    placeholder: "Search cases, findings, methods",
    "aria-label": "Search",
    value: filter.q,
    spellcheck: "false",
  });
  search.addEventListener("input", () => ((filter.q = search.value), apply()));
  const known = h(
    "datalist",
    { id: "requirement-ids" },
    model.requirements.map(({ id }) => h("option", { value: id })),
  );
  const requirement = h("input", {
    type: "search",
    placeholder: "Requirement",
    "aria-label": "Requirement",
    list: "requirement-ids",
    value: filter.req,
    class: "narrow",
    spellcheck: "false",
  });
  requirement.addEventListener("input", () => ((filter.req = requirement.value), apply()));
  const run = h(
    "select",
    { "aria-label": "Run" },
    h("option", { value: "" }, "all runs"),
    [...names.values()].map((value) => h("option", { value, selected: value === filter.run }, value)),
  );
  run.addEventListener("change", () => ((filter.run = run.value), apply()));

  return {
    title: "Cases",
    search,
    element: h(
      "div",
      { class: "page wide" },
      h(
        "div",
        { class: "filters" },
        h("div", { class: "fields" }, search, requirement, known, reports.length > 1 && run, count),
        toggles("Verdicts", chips, filter.verdict, (pressed) => ((filter.verdict = new Set(pressed)), apply())),
      ),
      list.element,
    ),
    keys: {
      j: () => list.move(1),
      k: () => list.move(-1),
      Enter: () => list.rowOf(list.selected)?.click(),
    },
    shown: apply,
    destroy: () => list.destroy(),
  };
}

function caseRow({ key, result }: CaseItem, run: string | undefined): HTMLElement {
  const bad = result.checks.filter(({ verdict }) => !["pass", "info", "not-applicable"].includes(verdict));
  const named = [...new Set(bad.map(({ req }) => req))];
  return h(
    "a",
    { class: "case-row", role: "listitem", href: routeTo("case", [key]) },
    statusIcon(result.verdict),
    h(
      "span",
      { class: "case-name" },
      h("span", { class: "mono" }, result.id),
      h("span", { class: "dim" }, result.title, run !== undefined && h("span", { class: "run-name" }, run)),
    ),
    h("span", { class: "case-reqs mono" }, named.slice(0, 2).join("  "), named.length > 2 && `  +${named.length - 2}`),
    h("span", { class: "dim number" }, plural(result.checks.length, "check")),
    h("span", { class: "dim number" }, duration(result.ms)),
  );
}
