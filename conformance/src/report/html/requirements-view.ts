import type { Status } from "../counts.js";
import { h } from "./dom.js";
import { provenIcon, statusIcon, statusNames } from "./icons.js";
import { countStatuses, gravity, type Model, type RequirementItem } from "./model.js";
import { levelTag, searchField, shownOf, statusBar, toggles, wordsOf } from "./parts.js";
import { requirementDetails } from "./requirement-details.js";
import { type Route, routeTo } from "./router.js";
import type { View } from "./view.js";

type Trait = Status | "proven" | "unproven";
type Level = (typeof levels)[number];
const levels = ["must", "should", "may"] as const;

/** The reader's filter; part of the page's address. */
interface Filter {
  status: ReadonlySet<Trait>;
  level: ReadonlySet<Level>;
  q: string;
}

/** The tree of requirements by area: which are met, proven, untested or excluded, and what the spec says about each. */
export function requirementsView(model: Model, { parts, query }: Route): View {
  const { requirements } = model;
  const filter = filterOf(query);
  const tree = h("div", { class: "tree" });
  const count = h("p", { class: "count", role: "status" });
  const apply = (): void => {
    const found = requirements.filter((item) => isWanted(item, filter));
    tree.replaceChildren(...areasOf(found).map(([area, items]) => areaGroup(model, area, items)));
    count.textContent = shownOf(found.length, requirements.length, "requirement");
    const { status, level, q } = filter;
    const address = routeTo("requirements", parts, { status: [...status].join(","), level: [...level].join(","), q });
    history.replaceState(null, "", address);
  };
  const change = (part: Partial<Filter>): void => {
    Object.assign(filter, part);
    apply();
  };
  const search = searchField("Search", { placeholder: "Search requirements and quotes", value: filter.q });
  search.addEventListener("input", () => change({ q: search.value }));
  const levelChips = levels.map((value) => ({ value, content: [value] }));
  return {
    title: "Requirements",
    search,
    element: h(
      "div",
      { class: "page" },
      h(
        "div",
        { class: "filters" },
        h("div", { class: "fields" }, search, count),
        h(
          "div",
          { class: "fields" },
          toggles("Status", traitChips(requirements), filter.status, (status) => change({ status })),
          toggles("Level", levelChips, filter.level, (level) => change({ level })),
        ),
      ),
      tree,
      overview(requirements),
    ),
    keys: { j: () => moveFocus(tree, 1), k: () => moveFocus(tree, -1) },
    shown() {
      apply();
      if (parts[0] !== undefined) reveal(tree, parts[0]);
    },
  };
}

function filterOf(query: Route["query"]): Filter {
  const level = (query.get("level") ?? "").split(",");
  return {
    status: new Set((query.get("status") ?? "").split(",").filter(Boolean) as Trait[]),
    level: new Set(level.filter((text): text is Level => (levels as readonly string[]).includes(text))),
    q: query.get("q") ?? "",
  };
}

function isWanted(item: RequirementItem, { status, level, q }: Filter): boolean {
  return (
    (status.size === 0 || [...status].some((trait) => has(item, trait))) &&
    (level.size === 0 || level.has(item.row.level)) &&
    wordsOf(q).every((word) => item.text.includes(word))
  );
}

function traitChips(requirements: readonly RequirementItem[]): { value: Trait; content: (Node | string)[] }[] {
  const counts = countStatuses(requirements.map(({ status }) => status));
  const traits: Trait[] = gravity.filter((status) => counts.has(status));
  if (requirements.some(({ proven }) => proven !== undefined)) traits.push("proven", "unproven");
  return traits.map((value) => ({
    value,
    content: [signOf(value), `${nameOf(value)} `, h("b", {}, requirements.filter((item) => has(item, value)).length)],
  }));
}

/** Moves the focus by a number of rows that are visible. */
function moveFocus(tree: HTMLElement, step: number): void {
  const rows = [...tree.querySelectorAll<HTMLElement>(".area > summary, .area[open] > .requirement > summary")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.focus();
}

/** Opens the row of a requirement, scrolls to it and moves the focus there. */
function reveal(tree: HTMLElement, id: string): void {
  const row = [...tree.querySelectorAll("details")].find(({ dataset }) => dataset["id"] === id);
  if (row === undefined) return;
  row.open = true;
  row.scrollIntoView({ block: "center" });
  row.querySelector("summary")?.focus({ preventScroll: true });
}

function areaGroup(model: Model, area: string, items: readonly RequirementItem[]): HTMLElement {
  const tally = countStatuses(items.map(({ status }) => status));
  const words = [...tally]
    .sort(([a], [b]) => gravity.indexOf(a) - gravity.indexOf(b))
    .map(([status, number]) => `${number} ${statusNames[status]}`);
  const title = h("span", { class: "area-name" }, area);
  return h(
    "details",
    { class: "area", open: true },
    h("summary", {}, title, statusBar(tally), h("span", { class: "dim small" }, words.join(", "))),
    items.map((item) => requirementRow(item, model)),
  );
}

function overview(requirements: readonly RequirementItem[]): HTMLElement {
  const judgeable = requirements.filter(({ status }) => status !== "excluded");
  const measured = requirements.some(({ proven }) => proven !== undefined);
  const cells: readonly (readonly [string, number | string, string])[] = [
    ["judgeable", judgeable.length, `of ${requirements.length}; the others are excluded with a reason`],
    ["tested", judgeable.filter(({ status }) => status !== "untested").length, "judged by a check in this run"],
    [
      "proven",
      measured ? judgeable.filter(({ proven }) => proven === true).length : "–",
      measured ? "a broken reference made their checks fail" : "no kill matrix was given",
    ],
    ["failed", judgeable.filter(({ status }) => status === "fail").length, "violated by the target"],
    ["excluded", requirements.length - judgeable.length, "nobody can judge them"],
  ];
  return h(
    "dl",
    { class: "cells" },
    cells.map(([name, value, note]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, value), h("span", { class: "dim small" }, note))),
    ),
  );
}

function requirementRow(item: RequirementItem, model: Model): HTMLElement {
  const row = h(
    "details",
    { class: "requirement", "data-id": item.id },
    h(
      "summary",
      {},
      statusIcon(item.status),
      h("span", { class: "mono requirement-id" }, item.id),
      h("span", { class: "requirement-text" }, item.row.text),
      item.proven === true && provenIcon(),
      levelTag(item.row),
    ),
  );
  row.addEventListener("toggle", () => {
    if (row.open && row.childElementCount === 1) row.append(requirementDetails(item, model.reports.length > 1));
  });
  return row;
}

function areasOf(items: readonly RequirementItem[]): [string, RequirementItem[]][] {
  const areas = new Map<string, RequirementItem[]>();
  for (const item of items) {
    const list = areas.get(item.area);
    if (list === undefined) areas.set(item.area, [item]);
    else list.push(item);
  }
  return [...areas];
}

function has({ status, proven }: RequirementItem, trait: Trait): boolean {
  if (trait === "proven") return proven === true;
  if (trait === "unproven") return proven === false && status !== "excluded";
  return status === trait;
}

function nameOf(trait: Trait): string {
  return trait === "proven" ? "proven" : trait === "unproven" ? "not proven" : statusNames[trait];
}

function signOf(trait: Trait): Node | string {
  return trait === "proven" ? provenIcon() : trait === "unproven" ? "" : statusIcon(trait);
}
