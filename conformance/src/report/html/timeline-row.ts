import { valueText } from "../value-text.js";
import { visibleLine } from "../visible.js";
import { h, svg } from "./dom.js";
import { byteSize, duration } from "./format.js";
import { statusIcon, statusNames } from "./icons.js";
import { routeTo } from "./router.js";
import { type Bracket, type Pin, summaryOf, type TimelineRow, titleOf } from "./timeline.js";

/** Pixels of a row, and of each check pinned to it. */
const ROW = 36;
const PIN = 28;
/** Gaps from this length on are shown. */
const GAP_MS = 200;
const TRACK = 8;

/** Pixels of a row with everything pinned to it. */
export function heightOf({ pins }: TimelineRow): number {
  return ROW + pins.length * PIN;
}

/** One row: when, the lines from requests to responses, the arrow between the lanes, and the checks that it decided. */
export function drawRow(row: TimelineRow, caseKey: string): HTMLElement {
  const { entry, at, gap, pins, tracks } = row;
  const kind = entry.kind === "message" ? (entry.reading?.kind ?? "message") : entry.kind;
  const long = gap >= GAP_MS;
  return h(
    "a",
    {
      class: `row from-${entry.from} kind-${kind}${pins.length > 0 ? " pinned" : ""}`,
      role: "listitem",
      href: routeTo("case", [caseKey, entry.seq]),
      "data-seq": entry.seq,
    },
    h("span", { class: "row-time" }, duration(at), long && h("small", {}, `+${duration(gap)}`)),
    brackets(tracks),
    h("span", { class: "lanes" }, content(row, kind)),
    pins.map(pinLine),
  );
}

function content({ entry, unanswered }: TimelineRow, kind: string): HTMLElement {
  const title = titleOf(entry);
  const summary = visibleLine(summaryOf(entry));
  const label = [h("b", {}, title), " ", h("span", { class: "row-summary" }, summary)];
  if (entry.kind === "message" || entry.kind === "malformed") {
    const id =
      entry.kind === "message" &&
      kind === "request" &&
      entry.reading?.id !== undefined &&
      h("i", {}, `#${entry.reading.id} `);
    const cut = entry.kind === "message" && entry.cut !== undefined && h("i", {}, `${byteSize(entry.cut.size)} `);
    return h(
      "span",
      { class: "arrow" },
      h(
        "span",
        { class: "arrow-label" },
        label[0],
        " ",
        unanswered && h("em", {}, "no answer"),
        " ",
        id,
        cut,
        label[2],
      ),
    );
  }
  if (entry.kind === "stderr") return h("span", { class: "aside" }, label[2]);
  if (entry.from === "model") return h("span", { class: "aside" }, label);
  return h(
    "span",
    { class: "note" },
    h("span", {}, entry.kind === "bytes" ? [entry.from, " wrote ", ...label] : label),
  );
}

function brackets(tracks: readonly Bracket[]): Element {
  const lines = tracks.map(({ track, part, request }) => {
    const x = 30 - track * TRACK;
    const middle = ROW / 2 + 6;
    const d = part === "through" ? `M${x} 0V400` : part === "start" ? `M34 ${middle}H${x}V400` : `M${x} 0V${middle}H34`;
    return svg("path", { d, "data-request": request });
  });
  return svg("svg", { class: "brackets", width: 36, "aria-hidden": "true" }, lines);
}

function pinLine({ check, status }: Pin): HTMLElement {
  const { req, expected, actual, message } = check;
  const got = actual === undefined ? "" : typeof actual === "string" ? actual : valueText(actual);
  return h(
    "span",
    { class: `pin s-${status}` },
    statusIcon(status),
    h("b", {}, `${statusNames[status]} `),
    h("span", { class: "mono" }, req),
    message !== undefined && h("span", {}, visibleLine(message)),
    expected !== undefined && h("span", {}, h("span", { class: "dim" }, "expected "), h("code", {}, expected)),
    got !== "" && h("span", {}, h("span", { class: "dim" }, "got "), h("code", {}, visibleLine(got.slice(0, 200)))),
  );
}
