import type { Status } from "../counts.js";
import { svg } from "./dom.js";

/** Each status has a shape of its own: color is never the only sign. */
const shapes: Readonly<Record<Status, readonly string[]>> = {
  pass: ["M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z", "M5 8.2l2.1 2.1L11 6"],
  fail: ["M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z", "M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8"],
  warn: ["M8 1.8l6.7 12.1H1.3z", "M8 6.2v3.6M8 11.8v.2"],
  blocked: ["M2 2h12v12H2z", "M5 8h6"],
  info: ["M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z", "M8 7.4v3.8M8 4.8v.2"],
  "not-applicable": ["M4 8h8"],
  untested: ["M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z"],
  excluded: ["M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z", "M4.2 11.8l7.6-7.6"],
  "harness-error": ["M8 1l7 7l-7 7l-7-7z", "M8 4.8v4M8 10.8v.2"],
};

/** How a status is called. */
export const statusNames: Readonly<Record<Status, string>> = {
  pass: "passed",
  fail: "failed",
  warn: "warned",
  blocked: "blocked",
  info: "noted",
  "not-applicable": "not applicable",
  untested: "untested",
  excluded: "excluded",
  "harness-error": "suite error",
};

/** The sign of a status. */
export function statusIcon(status: Status): SVGElement {
  return icon(shapes[status], `s-${status}`, statusNames[status]);
}

/** A shield: a broken reference showed that the check can fail. */
export function provenIcon(): SVGElement {
  return icon(
    ["M8 1.3l5.6 2v4.2c0 3.5-2.3 6-5.6 7.2c-3.3-1.2-5.6-3.7-5.6-7.2V3.3z", "M5.4 7.8l1.9 1.9L10.8 6"],
    "proven",
    "proven by a broken reference",
  );
}

function icon(paths: readonly string[], className: string, label: string): SVGElement {
  const title = svg("title", {}, label);
  return svg(
    "svg",
    { class: `icon ${className}`, viewBox: "0 0 16 16", role: "img", "aria-label": label },
    title,
    ...paths.map((d) => svg("path", { d })),
  );
}
