import type { Status } from "../counts.js";
import { h } from "./dom.js";
import { plural } from "./format.js";
import { provenIcon, statusIcon, statusNames } from "./icons.js";
import { countStatuses, gravity, type Model, type RequirementItem } from "./model.js";
import { levelTag, statusBar, toggles } from "./parts.js";
import { requirementDetails } from "./requirement-details.js";
import { type Route, routeTo } from "./router.js";
import type { View } from "./view.js";

type Trait = Status | "proven" | "unproven";
const levels = ["must", "should", "may"] as const;

/** The tree of requirements by area: which are met, proven, untested or excluded, and what the spec says about each. */
export function requirementsView(model: Model, { parts, query }: Route): View {
  const { requirements } = model;
  const filter = {
    status: new Set((query.get("status") ?? "").split(",").filter(Boolean) as Trait[]),
    level: new Set(
      (query.get("level") ?? "").split(",").filter((text) => (levels as readonly string[]).includes(text)),
    ),
    q: query.get("q") ?? "",
  };
  const tree = h("div", { class: "tree" });
  const count = h("p", { class: "count", role: "status" });

  const apply = (): void => {
    const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
    const found = requirements.filter(
      (item) =>
        (filter.status.size === 0 || [...filter.status].some((trait) => has(item, trait))) &&
        (filter.level.size === 0 || filter.level.has(item.row.level)) &&
        words.every((word) => item.text.includes(word)),
    );
    tree.replaceChildren(...areasOf(found).map(([area, items]) => areaGroup(area, items)));
    count.textContent =
      found.length === requirements.length
        ? plural(found.length, "requirement")
        : `${found.length} of ${plural(requirements.length, "requirement")}`;
    history.replaceState(
      null,
      "",
      routeTo("requirements", parts, {
        status: [...filter.status].join(","),
        level: [...filter.level].join(","),
        q: filter.q,
      }),
    );
  };

  const counts = countStatuses(requirements.map(({ status }) => status));
  const traits: Trait[] = gravity.filter((status) => counts.has(status));
  if (requirements.some(({ proven }) => proven !== undefined)) traits.push("proven", "unproven");
  const chips = traits.map((value) => ({
    value,
    content: [signOf(value), `${nameOf(value)} `, h("b", {}, requirements.filter((item) => has(item, value)).length)],
  }));
  const search = h("input", {
    type: "search",
    placeholder: "Search requirements and quotes",
    "aria-label": "Search",
    value: filter.q,
    spellcheck: "false",
  });
  search.addEventListener("input", () => ((filter.q = search.value), apply()));

  const rows = (): HTMLElement[] => [
    ...tree.querySelectorAll<HTMLElement>(".area > summary, .area[open] > .requirement > summary"),
  ];
  const move = (step: number): void => {
    const all = rows();
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[Math.max(0, Math.min(all.length - 1, at + step))]?.focus();
  };

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
          toggles("Status", chips, filter.status, (pressed) => ((filter.status = new Set(pressed)), apply())),
          toggles(
            "Level",
            levels.map((value) => ({ value, content: [value] })),
            filter.level as ReadonlySet<(typeof levels)[number]>,
            (pressed) => ((filter.level = new Set(pressed)), apply()),
          ),
        ),
      ),
      overview(requirements),
      tree,
    ),
    keys: { j: () => move(1), k: () => move(-1) },
    shown() {
      apply();
      const wanted =
        parts[0] === undefined
          ? undefined
          : [...tree.querySelectorAll("details")].find((row) => row.dataset["id"] === parts[0]);
      if (wanted === undefined) return;
      wanted.open = true;
      wanted.scrollIntoView({ block: "center" });
      wanted.querySelector("summary")?.focus({ preventScroll: true });
    },
  };

  function areaGroup(area: string, items: readonly RequirementItem[]): HTMLElement {
    const tally = countStatuses(items.map(({ status }) => status));
    const words = [...tally]
      .sort(([a], [b]) => gravity.indexOf(a) - gravity.indexOf(b))
      .map(([status, number]) => `${number} ${statusNames[status]}`);
    return h(
      "details",
      { class: "area", open: true },
      h(
        "summary",
        {},
        h("span", { class: "area-name" }, area),
        statusBar(tally),
        h("span", { class: "dim small" }, words.join(", ")),
      ),
      items.map((item) => requirementRow(item, model)),
    );
  }
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
      levelTag(item.row.level),
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
