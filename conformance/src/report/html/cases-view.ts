import type { Status } from "../counts.js";
import { h } from "./dom.js";
import { duration, plural } from "./format.js";
import { statusIcon, statusNames } from "./icons.js";
import { type CaseItem, countStatuses, gravity, type Model, runName } from "./model.js";
import { searchField, shownOf, toggles, wordsOf } from "./parts.js";
import { type Route, routeTo } from "./router.js";
import type { View } from "./view.js";
import { VirtualList } from "./virtual-list.js";

const ROW = 52;

/** The reader's filter; part of the page's address. */
interface Filter {
  verdict: ReadonlySet<Status>;
  q: string;
  req: string;
  run: string;
}

/** The list of all cases, with filters that are part of the page's address. */
export function casesView(model: Model, { query }: Route, scroller: HTMLElement): View {
  const { cases, reports } = model;
  const names = new Map(reports.map((report) => [report, runName(report, reports)]));
  const filter = filterOf(query);
  const list = new VirtualList<CaseItem>({
    scroller,
    height: () => ROW,
    draw: (item) => caseRow(item, reports.length > 1 ? names.get(item.report) : undefined),
    label: "Cases",
    covered: 100,
  });
  const count = h("p", { class: "count", role: "status" });
  const apply = (): void => {
    const found = cases.filter((item) => isWanted(item, filter, names.get(item.report)));
    list.show(found);
    count.textContent = shownOf(found.length, cases.length, "case");
    const { verdict, q, req, run } = filter;
    history.replaceState(null, "", routeTo("cases", [], { verdict: [...verdict].join(","), q, req, run }));
  };
  const change = (part: Partial<Filter>): void => {
    Object.assign(filter, part);
    apply();
  };
  const search = searchField("Search", { placeholder: "Search cases, findings, methods", value: filter.q });
  search.addEventListener("input", () => change({ q: search.value }));
  const requirement = requirementField(model, filter.req, (req) => change({ req }));
  const run = reports.length > 1 && runField([...names.values()], filter.run, (value) => change({ run: value }));
  const verdicts = toggles("Verdicts", verdictChips(cases), filter.verdict, (verdict) => change({ verdict }));
  return {
    title: "Cases",
    search,
    element: h(
      "div",
      { class: "page wide" },
      h("div", { class: "filters" }, h("div", { class: "fields" }, search, requirement, run, count), verdicts),
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

function filterOf(query: Route["query"]): Filter {
  const verdicts = (query.get("verdict") ?? "").split(",");
  return {
    verdict: new Set(verdicts.filter((text): text is Status => gravity.includes(text as Status))),
    q: query.get("q") ?? "",
    req: query.get("req") ?? "",
    run: query.get("run") ?? "",
  };
}

function isWanted(item: CaseItem, { verdict, q, req, run }: Filter, runOfItem: string | undefined): boolean {
  const requirement = req.trim().toLowerCase();
  return (
    (verdict.size === 0 || verdict.has(item.result.verdict)) &&
    (run === "" || runOfItem === run) &&
    (requirement === "" || [...item.requirements].some((id) => id.toLowerCase().includes(requirement))) &&
    wordsOf(q).every((word) => item.text.includes(word))
  );
}

/** A field for a requirement's id, with the ids to choose from. */
function requirementField(model: Model, value: string, onChange: (value: string) => void): HTMLElement[] {
  const list = "requirement-ids";
  const field = searchField("Requirement", { placeholder: "Requirement", list, value, class: "narrow" });
  field.addEventListener("input", () => onChange(field.value));
  const ids = model.requirements.map(({ id }) => h("option", { value: id }));
  return [field, h("datalist", { id: list }, ids)];
}

function runField(names: readonly string[], chosen: string, onChange: (value: string) => void): HTMLElement {
  const options = names.map((value) => h("option", { value, selected: value === chosen }, value));
  const field = h("select", { "aria-label": "Run" }, h("option", { value: "" }, "all runs"), options);
  field.addEventListener("change", () => onChange(field.value));
  return field;
}

function verdictChips(cases: readonly CaseItem[]): { value: Status; content: (Node | string)[] }[] {
  const counts = countStatuses(cases.map(({ result }) => result.verdict));
  return gravity
    .filter((status) => counts.has(status))
    .map((value) => ({
      value,
      content: [statusIcon(value), `${statusNames[value]} `, h("b", {}, counts.get(value) ?? 0)],
    }));
}

function caseRow({ key, result, decides }: CaseItem, run: string | undefined): HTMLElement {
  const bad = result.checks.filter(({ verdict }) => !["pass", "info", "not-applicable"].includes(verdict));
  const named = [...new Set(bad.map(({ req }) => req))];
  return h(
    "a",
    { class: decides ? "case-row decides" : "case-row", role: "listitem", href: routeTo("case", [key]) },
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
