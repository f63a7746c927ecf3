import { type Tab, detailView } from "./detail-view.js";
import { h } from "./dom.js";
import { plural } from "./format.js";
import type { CaseItem } from "./model.js";
import { searchField, wordsOf } from "./parts.js";
import { routeTo } from "./router.js";
import { linked, type TimelineRow, timelineOf } from "./timeline.js";
import { drawRow, heightOf } from "./timeline-row.js";
import type { Keys } from "./view.js";
import { VirtualList } from "./virtual-list.js";

/** Height of the lanes' heading, which stays at the top. */
const COVERED = 92;

/** The reader's choices, kept from case to case. */
const chosen: { tab: Tab; bytes: boolean } = { tab: "message", bytes: false };

/** The timeline of one case, with the details of the entry that the reader selected. */
export class CasePage {
  readonly search = searchField("Search messages", { placeholder: "Search messages", class: "narrow" });
  readonly #item: CaseItem;
  readonly #all: readonly TimelineRow[];
  readonly #list: VirtualList<TimelineRow>;
  readonly #element = h("div", { class: "case" });
  readonly #pane = h("aside", { class: "pane" });
  readonly #count = h("span", { class: "dim small", role: "status" });
  readonly #bytes = h("input", { type: "checkbox", checked: chosen.bytes });
  /** The rows that the filters leave. */
  #rows: TimelineRow[] = [];
  /** The entry whose details are open. */
  #wanted: number | undefined;

  constructor(item: CaseItem, scroller: HTMLElement, wanted: number | undefined) {
    this.#item = item;
    this.#wanted = wanted;
    this.#all = timelineOf(item.result);
    this.#list = new VirtualList<TimelineRow>({
      scroller,
      height: heightOf,
      draw: (row) => drawRow(row, item.key),
      label: "Messages",
      covered: COVERED,
      onSelect: ({ entry }) =>
        this.#markPair(entry.kind === "message" ? (entry.reading?.answers ?? entry.seq) : undefined),
    });
    this.search.addEventListener("input", () => this.filter());
    this.#bytes.addEventListener("change", () => {
      chosen.bytes = this.#bytes.checked;
      this.filter();
    });
  }

  /** The page's reaction to each key. */
  get keys(): Keys {
    return {
      j: () => this.#move(1),
      k: () => this.#move(-1),
      Enter: () => this.#go(this.#rows[this.#list.selected]?.entry.seq),
      Escape: () => (this.#wanted === undefined ? void (location.hash = routeTo("cases")) : this.#go(undefined)),
      n: () => this.#goToPin(1),
      p: () => this.#goToPin(-1),
    };
  }

  /** Fills the page, below a header. */
  render(header: HTMLElement): HTMLElement {
    const asides = (["stderr", "model"] as const).filter((lane) =>
      this.#all.some(({ entry }) => (lane === "stderr" ? entry.kind === lane : entry.from === lane)),
    );
    const content = this.#all.length === 0 ? this.#noTrace() : this.#timeline(asides);
    this.#element.append(h("div", { class: "case-main" }, header, content), this.#pane);
    if (asides.length > 0) this.#element.classList.add("with-aside");
    return this.#element;
  }

  /** Shows the rows that the filters leave. */
  filter(): void {
    const words = wordsOf(this.search.value);
    const isShown = ({ entry, loose }: TimelineRow): boolean =>
      entry.kind !== "bytes" || loose || chosen.bytes || entry.seq === this.#wanted;
    this.#rows = linked(this.#all.filter((row) => isShown(row) && words.every((word) => row.text.includes(word))));
    this.#list.show(this.#rows);
    this.#count.textContent = plural(this.#rows.length, "row");
  }

  /** Opens the details of an entry and selects its row; without an entry, closes the details. */
  open(wanted: number | undefined): void {
    this.#wanted = wanted;
    const row = wanted === undefined ? undefined : this.#all.find(({ entry }) => entry.seq === wanted);
    this.#element.classList.toggle("with-detail", row !== undefined);
    if (row === undefined) return this.#pane.replaceChildren();
    if (this.#indexOf(row.entry.seq) < 0) {
      this.search.value = "";
      this.filter();
    }
    this.#showDetail(row);
    this.#list.select(this.#indexOf(row.entry.seq), { focus: true });
  }

  destroy(): void {
    this.#list.destroy();
  }

  #noTrace(): HTMLElement {
    const { omitted } = this.#item.result;
    const why = omitted === undefined ? "" : `: ${omitted}`;
    return h("p", { class: "dim empty" }, `There is no trace of this case${why}.`);
  }

  #timeline(asides: readonly string[]): HTMLElement {
    const bytes = h("label", { class: "small" }, this.#bytes, " bytes");
    return h(
      "section",
      { class: "timeline", "aria-label": "Timeline" },
      h(
        "div",
        { class: "timeline-head" },
        h("div", { class: "fields" }, h("h2", {}, "Messages"), this.search, bytes, this.#count),
        h(
          "div",
          { class: "lane-names" },
          h("span", {}, "suite"),
          h("span", {}, "target"),
          asides.length > 0 && h("i", {}, asides.join(", ")),
        ),
      ),
      this.#list.element,
    );
  }

  #showDetail(row: TimelineRow): void {
    const detail = detailView(row, this.#item.result, {
      caseKey: this.#item.key,
      tab: chosen.tab,
      onTab: (tab) => {
        chosen.tab = tab;
        this.#showDetail(row);
      },
      onClose: () => this.#go(undefined),
    });
    this.#pane.replaceChildren(detail);
    this.#pane.scrollTop = 0;
  }

  #indexOf(seq: number | undefined): number {
    return this.#rows.findIndex(({ entry }) => entry.seq === seq);
  }

  /** Goes to the address of an entry, or of the case itself. */
  #go(seq: number | undefined): void {
    const { key } = this.#item;
    location.hash = routeTo("case", seq === undefined ? [key] : [key, seq]);
  }

  #move(step: number): void {
    this.#list.move(step);
    const row = this.#rows[this.#list.selected];
    if (this.#wanted === undefined || row === undefined) return;
    // Open details follow the selection, without an entry in the browser's history for each step.
    this.#wanted = row.entry.seq;
    history.replaceState(null, "", routeTo("case", [this.#item.key, row.entry.seq]));
    this.#showDetail(row);
  }

  #goToPin(step: 1 | -1): void {
    const pinned = this.#rows.flatMap(({ pins, entry }, index) => (pins.length > 0 ? [{ index, seq: entry.seq }] : []));
    const here = this.#indexOf(this.#wanted);
    const target =
      step > 0 ? pinned.find(({ index }) => index > here) : pinned.findLast(({ index }) => here < 0 || index < here);
    if (target !== undefined) this.#go(target.seq);
  }

  /** Highlights the bracket between a request and its answer. */
  #markPair(request: number | undefined): void {
    this.#element.dataset["pair"] = String(request ?? "");
    for (const line of this.#element.querySelectorAll<SVGElement>(".brackets path"))
      line.classList.toggle("selected", line.dataset["request"] === String(request));
  }
}
