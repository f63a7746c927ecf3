import { levelText, type Requirement } from "../../core/registry/requirement.js";
import type { Status } from "../counts.js";
import { valueText } from "../value-text.js";
import { h, type Props } from "./dom.js";
import { plural } from "./format.js";
import { statusIcon, statusNames } from "./icons.js";
import { gravity } from "./model.js";
import { routeTo } from "./router.js";

/** Elements that several views share. */

/** A status as its sign and its name. */
export function statusLabel(status: Status, text = statusNames[status]): HTMLElement {
  return h("span", { class: `status s-${status}` }, statusIcon(status), text);
}

/** A tag that says how hard a requirement binds. */
export function levelTag({ level, basis }: Pick<Requirement, "level" | "basis">): HTMLElement {
  const text = basis === "interop" ? "interop" : level;
  return h("span", { class: `tag level-${level}`, title: levelText({ level, basis }) }, text.toUpperCase());
}

/** A link to a requirement. */
export function requirementLink(id: string): HTMLElement {
  return h("a", { class: "mono", href: routeTo("requirements", [id]) }, id);
}

/** One bar, divided by how many there are of each status. */
export function statusBar(counts: ReadonlyMap<Status, number>): HTMLElement {
  const parts = gravity.flatMap((status) => {
    const count = counts.get(status) ?? 0;
    if (count === 0) return [];
    const part = h("span", { class: `s-${status}`, title: `${count} ${statusNames[status]}` });
    part.style.flexGrow = String(count);
    return [part];
  });
  return h("div", { class: "bar", "aria-hidden": "true" }, parts);
}

/** Buttons that can be pressed independently; `onChange` gets the values of those that are. */
export function toggles<T extends string>(
  label: string,
  options: readonly { readonly value: T; readonly content: readonly (Node | string)[] }[],
  pressed: ReadonlySet<T>,
  onChange: (pressed: ReadonlySet<T>) => void,
): HTMLElement {
  const current = new Set(pressed);
  const buttons = options.map(({ value, content }) => {
    const button = h("button", { type: "button", class: "chip", "aria-pressed": String(current.has(value)) }, content);
    button.addEventListener("click", () => {
      if (!current.delete(value)) current.add(value);
      button.setAttribute("aria-pressed", String(current.has(value)));
      onChange(current);
    });
    return button;
  });
  return h("div", { class: "chips", role: "group", "aria-label": label }, buttons);
}

/** A block of code with a heading. Strings stand as they are, other values as JSON. */
export function codeBlock(title: string, value: unknown): HTMLElement {
  return h(
    "div",
    { class: "code-block" },
    h("div", { class: "code-title" }, title),
    h("pre", { class: "code" }, typeof value === "string" ? value : pretty(value)),
  );
}

function pretty(value: unknown): string {
  const text = valueText(value);
  return text.length < 60 ? text : (JSON.stringify(value, null, 2) ?? text);
}

/** A button that copies a text and says so. */
export function copyButton(label: string, text: () => string): HTMLElement {
  const button = h("button", { type: "button", class: "quiet" }, label);
  button.addEventListener("click", () => {
    const say = (message: string): void => {
      button.textContent = message;
      setTimeout(() => (button.textContent = label), 1500);
    };
    navigator.clipboard.writeText(text()).then(
      () => say("Copied"),
      () => say("Not allowed here"),
    );
  });
  return button;
}

/** A field to search in, with its accessible name. */
export function searchField(label: string, props: Props = {}): HTMLInputElement {
  return h("input", { type: "search", "aria-label": label, spellcheck: "false", ...props });
}

/** The words of a search, in lower case. */
export function wordsOf(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/** How many things of all are shown. */
export function shownOf(shown: number, all: number, noun: string): string {
  return shown === all ? plural(all, noun) : `${shown} of ${plural(all, noun)}`;
}
