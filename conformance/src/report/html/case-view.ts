import { caseHeader } from "./case-header.js";
import type { CaseItem, Model } from "./model.js";
import { type Tab, detailView } from "./detail-view.js";
import { h } from "./dom.js";
import { plural } from "./format.js";
import { type Route, routeTo } from "./router.js";
import { linked, type TimelineRow, timelineOf } from "./timeline.js";
import { drawRow, heightOf } from "./timeline-row.js";
import type { View } from "./view.js";
import { VirtualList } from "./virtual-list.js";

/** Height of the lanes' heading, which stays at the top. */
const COVERED = 92;

/** What the reader chose, kept from case to case. */
const chosen: { tab: Tab; bytes: boolean } = { tab: "message", bytes: false };

/** One case: what it found, and everything that happened on the wire meanwhile. */
export function caseView(model: Model, item: CaseItem, { parts }: Route, scroller: HTMLElement): View {
  const { result, key } = item;
  const all = timelineOf(result);
  const pane = h("aside", { class: "pane" });
  const count = h("span", { class: "dim small", role: "status" });
  const asides = (["stderr", "model"] as const).filter((lane) =>
    all.some(({ entry }) => (lane === "stderr" ? entry.kind === lane : entry.from === lane)),
  );
  let rows: TimelineRow[] = [];
  let wanted = numberOf(parts[1]);

  const list = new VirtualList<TimelineRow>({
    scroller,
    height: heightOf,
    draw: (row) => drawRow(row, key),
    label: "Messages",
    covered: COVERED,
    onSelect: ({ entry }) => markPair(entry.kind === "message" ? (entry.reading?.answers ?? entry.seq) : undefined),
  });

  const search = h("input", {
    type: "search",
    placeholder: "Search messages",
    "aria-label": "Search messages",
    class: "narrow",
    spellcheck: "false",
  });
  const bytes = h("input", { type: "checkbox", checked: chosen.bytes });
  const apply = (): void => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows = linked(
      all.filter(
        (row) =>
          (row.entry.kind !== "bytes" || row.loose || chosen.bytes || row.entry.seq === wanted) &&
          words.every((word) => row.text.includes(word)),
      ),
    );
    list.show(rows);
    count.textContent = plural(rows.length, "row");
  };
  search.addEventListener("input", apply);
  bytes.addEventListener("change", () => ((chosen.bytes = bytes.checked), apply()));

  const indexOf = (seq: number): number => rows.findIndex(({ entry }) => entry.seq === seq);
  const open = (focus: boolean): void => {
    const row = wanted === undefined ? undefined : all.find(({ entry }) => entry.seq === wanted);
    element.classList.toggle("with-detail", row !== undefined);
    if (row === undefined) {
      pane.replaceChildren();
      return;
    }
    if (indexOf(row.entry.seq) < 0) {
      search.value = "";
      apply();
    }
    showDetail(row);
    list.select(indexOf(row.entry.seq), { focus });
  };
  const showDetail = (row: TimelineRow): void => {
    pane.replaceChildren(
      detailView(row, result, key, chosen.tab, (tab) => ((chosen.tab = tab), showDetail(row)), close),
    );
    pane.scrollTop = 0;
  };
  const go = (seq: number | undefined): void =>
    void (location.hash = routeTo("case", seq === undefined ? [key] : [key, seq]));
  const close = (): void => go(undefined);
  const move = (step: number): void => {
    list.move(step);
    const seq = rows[list.selected]?.entry.seq;
    // With the detail open, it follows; without a new place in the history for each step.
    if (wanted === undefined || seq === undefined) return;
    wanted = seq;
    history.replaceState(null, "", routeTo("case", [key, seq]));
    const row = rows[list.selected];
    if (row !== undefined) showDetail(row);
  };
  const nextPin = (step: 1 | -1): void => {
    const pinned = rows.flatMap(({ pins, entry }, index) => (pins.length > 0 ? [{ index, seq: entry.seq }] : []));
    const here = indexOf(wanted ?? -1);
    const target =
      step > 0 ? pinned.find(({ index }) => index > here) : pinned.findLast(({ index }) => here < 0 || index < here);
    if (target !== undefined) go(target.seq);
  };
  const neighbor = (step: number): void => {
    const next = model.cases[model.cases.indexOf(item) + step];
    if (next !== undefined) location.hash = routeTo("case", [next.key]);
  };

  const element = h(
    "div",
    { class: "case" },
    h(
      "div",
      { class: "case-main" },
      caseHeader(model, item),
      all.length === 0
        ? h(
            "p",
            { class: "dim empty" },
            `There is no trace of this case${result.omitted === undefined ? "" : `: ${result.omitted}`}.`,
          )
        : h(
            "section",
            { class: "timeline", "aria-label": "Timeline" },
            h(
              "div",
              { class: "timeline-head" },
              h(
                "div",
                { class: "fields" },
                h("h2", {}, "Messages"),
                search,
                h("label", { class: "small" }, bytes, " bytes"),
                count,
              ),
              h(
                "div",
                { class: "lane-names" },
                h("span", {}, "suite"),
                h("span", {}, "target"),
                asides.length > 0 && h("i", {}, asides.join(", ")),
              ),
            ),
            list.element,
          ),
    ),
    pane,
  );
  if (asides.length > 0) element.classList.add("with-aside");

  return {
    title: result.id,
    search,
    element,
    keys: {
      j: () => move(1),
      k: () => move(-1),
      Enter: () => go(rows[list.selected]?.entry.seq),
      Escape: () => (wanted === undefined ? void (location.hash = routeTo("cases")) : close()),
      n: () => nextPin(1),
      p: () => nextPin(-1),
      "]": () => neighbor(1),
      "[": () => neighbor(-1),
    },
    shown() {
      apply();
      open(true);
    },
    update(route) {
      if (route.parts[0] !== key) return false;
      wanted = numberOf(route.parts[1]);
      open(true);
      return true;
    },
    destroy: () => list.destroy(),
  };

  function markPair(request: number | undefined): void {
    element.dataset["pair"] = String(request ?? "");
    for (const line of element.querySelectorAll<SVGElement>(".brackets path"))
      line.classList.toggle("selected", line.dataset["request"] === String(request));
  }
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}
