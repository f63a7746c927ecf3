import { caseHeader } from "./case-header.js";
import type { CaseItem, Model } from "./model.js";
import { CasePage } from "./case-page.js";
import { type Route, routeTo } from "./router.js";
import type { View } from "./view.js";

/** One case: what it found, and everything that happened on the wire meanwhile. */
export function caseView(model: Model, item: CaseItem, { parts }: Route, scroller: HTMLElement): View {
  const page = new CasePage(item, scroller, numberOf(parts[1]));
  const element = page.render(caseHeader(model, item));
  const neighbor = (step: number): void => {
    const next = model.cases[model.cases.indexOf(item) + step];
    if (next !== undefined) location.hash = routeTo("case", [next.key]);
  };
  return {
    title: item.result.id,
    search: page.search,
    element,
    keys: { ...page.keys, "]": () => neighbor(1), "[": () => neighbor(-1) },
    shown() {
      page.filter();
      page.open(numberOf(parts[1]));
    },
    update(route) {
      if (route.parts[0] !== item.key) return false;
      page.open(numberOf(route.parts[1]));
      return true;
    },
    destroy: () => page.destroy(),
  };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}
