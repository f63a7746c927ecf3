import { visible } from "../visible.js";

/** The possible contents of an element. Strings become text and nothing else. */
export type Child = Node | string | number | undefined | false | readonly Child[];

/** Attributes by name, and listeners as functions under `on…` names. `false` and `undefined` leave one out. */
export type Props = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/**
 * Makes an HTML element. Text is written with everything invisible escaped, so that data cannot pose as something else.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, props);
  append(element, children);
  return element;
}

const svgNamespace = "http://www.w3.org/2000/svg";

/** Makes an SVG element. */
export function svg(tag: string, props: Props = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(svgNamespace, tag);
  apply(element, props);
  append(element, children);
  return element;
}

function apply(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false) continue;
    if (child instanceof Node) element.append(child);
    else if (Array.isArray(child)) append(element, child as readonly Child[]);
    else element.append(visible(String(child)));
  }
}
