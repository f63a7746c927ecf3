import { visible } from "../visible.js";
import { h } from "./dom.js";

/** Tokens that get a color; what comes after them is plain, so that the document stays small. */
const MAX_TOKENS = 4_000;
const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** A value as indented JSON with colors. */
export function jsonView(value: unknown): HTMLElement {
  return colored(JSON.stringify(value, null, 2) ?? "undefined");
}

/** JSON text with colors, as it stands. */
export function colored(json: string): HTMLElement {
  const pre = h("pre", { class: "code json" });
  let end = 0;
  let tokens = 0;
  for (const match of json.matchAll(token)) {
    if (++tokens > MAX_TOKENS) break;
    pre.append(visible(json.slice(end, match.index)));
    const [text, string, colon] = match;
    if (string === undefined) pre.append(h("span", { class: /^[tfn]/.test(text) ? "json-word" : "json-number" }, text));
    else pre.append(h("span", { class: colon === undefined ? "json-string" : "json-key" }, string), colon ?? "");
    end = match.index + text.length;
  }
  pre.append(visible(json.slice(end)));
  return pre;
}
