import { caseView } from "./case-view.js";
import { casesView } from "./cases-view.js";
import { h } from "./dom.js";
import { helpDialog } from "./help.js";
import { type Model, targetName } from "./model.js";
import { parseRoute, type Route, routeTo } from "./router.js";
import { requirementsView } from "./requirements-view.js";
import { summaryView } from "./summary-view.js";
import { toggleTheme } from "./theme.js";
import type { Keys, View } from "./view.js";

const pages = ["summary", "requirements", "cases"] as const;

/** Shows the model in the page, one view at a time. The page's address selects the view. */
export function startApp(model: Model): void {
  const scroller = h("main", { tabindex: "-1" });
  const help = helpDialog();
  const links = pages.map((page) =>
    h("a", { href: routeTo(page) }, page, " ", page !== "summary" && h("small", {}, model[page].length)),
  );
  document.body.replaceChildren(topBar(model, links, help), scroller, help);

  let view: View | undefined;
  const positions = new Map<string, number>();
  let shown = "";
  const show = (): void => {
    const route = parseRoute(location.hash);
    if (shown.split("/")[0] === route.view && view?.update?.(route) === true) return;
    positions.set(shown, scroller.scrollTop);
    view?.destroy?.();
    view = viewOf(model, route, scroller);
    shown = [route.view, ...route.parts.slice(0, 1)].join("/");
    scroller.replaceChildren(view.element);
    scroller.scrollTop = 0;
    const outcomes = model.reports.map(({ outcome }) => outcome).join(", ");
    document.title = `${view.title} · ${outcomes} · ${nameOf(model)}`;
    markCurrent(links, route);
    view.shown?.();
    if (route.parts.length === 0) scroller.scrollTop = positions.get(shown) ?? 0;
  };

  const go = (page: string) => (): void => void (location.hash = routeTo(page));
  const keys: Keys = {
    "1": go("summary"),
    "2": go("requirements"),
    "3": go("cases"),
    t: toggleTheme,
    "?": () => help.showModal(),
    "/": () => view?.search?.select(),
  };
  document.addEventListener("keydown", (event) => handleKey(event, view, keys, help));
  window.addEventListener("hashchange", show);
  show();
}

function nameOf({ reports: [first] }: Model): string {
  return first === undefined ? "no report" : `${first.run.protocol} ${first.run.role}`;
}

function topBar(model: Model, links: readonly HTMLElement[], help: HTMLDialogElement): HTMLElement {
  const [first] = model.reports;
  const target = first === undefined ? "" : targetName(first);
  const runs = model.reports.length > 1 ? `${model.reports.length} runs` : `${nameOf(model)} · ${target}`;
  return h(
    "header",
    { class: "bar-top" },
    h("span", { class: "brand" }, "Conformance", h("span", { class: "dim" }, runs)),
    h("nav", { "aria-label": "Pages" }, links),
    barButton("◐", "Light or dark", "t", toggleTheme),
    barButton("?", "Keys", "?", () => help.showModal()),
  );
}

function barButton(sign: string, label: string, key: string, onclick: () => void): HTMLElement {
  const title = `${label} (${key})`;
  return h("button", { type: "button", class: "quiet", title, "aria-label": label, onclick }, sign);
}

/** Marks the link of the page that is shown. A case belongs to the page of cases. */
function markCurrent(links: readonly HTMLElement[], { view }: Route): void {
  for (const [index, link] of links.entries()) {
    if (pages[index] === (view === "case" ? "cases" : view)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

const aliases: Readonly<Record<string, string>> = { ArrowDown: "j", ArrowUp: "k" };

function handleKey(event: KeyboardEvent, view: View | undefined, keys: Keys, help: HTMLDialogElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const field =
    event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement ? event.target : undefined;
  const key = aliases[event.key] ?? event.key;
  if (field !== undefined && (field as HTMLInputElement).type !== "checkbox") {
    // These keys leave the field; Enter goes to the rows.
    if (key === "Escape" || key === "Enter") field.blur();
    if (key === "Enter") view?.keys?.["j"]?.();
    if (key === "Enter") event.preventDefault();
    return;
  }
  // Enter acts on the element that has the focus.
  if (key === "Enter" && event.target instanceof Element && event.target.closest("a, button, summary, input") !== null)
    return;
  const action = view?.keys?.[key] ?? keys[key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

function viewOf(model: Model, route: Route, scroller: HTMLElement): View {
  if (route.view === "requirements") return requirementsView(model, route);
  if (route.view === "cases") return casesView(model, route, scroller);
  if (route.view === "case") {
    const item = model.casesByKey.get(route.parts[0] ?? "");
    if (item !== undefined) return caseView(model, item, route, scroller);
    return {
      title: "Not found",
      element: h(
        "div",
        { class: "page" },
        h("h1", {}, "Case not found"),
        h("p", { class: "mono" }, route.parts[0] ?? ""),
        h("a", { href: routeTo("cases") }, "All cases"),
      ),
    };
  }
  return summaryView(model);
}
