import { h } from "./dom.js";

/** How a virtual list draws its items. */
export interface ListOptions<Item> {
  /** The element that scrolls. */
  readonly scroller: HTMLElement;
  /** Pixels of one item. */
  readonly height: (item: Item) => number;
  /** The element of one item; it is positioned by the list. The element, or the first link in it, takes the focus. */
  readonly draw: (item: Item, index: number) => HTMLElement;
  readonly label: string;
  /** Pixels at the top of the scroller that something sticky covers. */
  readonly covered?: number | undefined;
  /** Told when another item is selected. */
  readonly onSelect?: ((item: Item, index: number) => void) | undefined;
}

/** Rows beyond the visible ones, on either side. */
const OVERSCAN = 12;
/** Rows that are put on paper. */
const MAX_PRINTED = 2_000;

/** A list of any length that has only the visible rows in the document. */
export class VirtualList<Item> {
  readonly element: HTMLElement;
  selected = -1;
  #items: readonly Item[] = [];
  #tops = new Float64Array(1);
  readonly #drawn = new Map<number, HTMLElement>();
  #frame = 0;
  #printing = false;
  readonly #resized: ResizeObserver;

  readonly #options: ListOptions<Item>;

  constructor(options: ListOptions<Item>) {
    this.#options = options;

    this.element = h("div", { class: "list", role: "list", "aria-label": options.label });
    this.#resized = new ResizeObserver(this.#soon);
    options.scroller.addEventListener("scroll", this.#soon, { passive: true });
    this.#resized.observe(options.scroller);
    window.addEventListener("beforeprint", this.#print);
    window.addEventListener("afterprint", this.#print);
  }

  /** Shows other items; the selection goes. */
  show(items: readonly Item[]): void {
    this.#items = items;
    this.selected = -1;
    this.#tops = new Float64Array(items.length + 1);
    for (const [index, item] of items.entries())
      this.#tops[index + 1] = (this.#tops[index] ?? 0) + this.#options.height(item);
    this.element.style.height = `${this.#tops[items.length] ?? 0}px`;
    this.redraw();
  }

  /** Redraws the visible rows. */
  redraw(): void {
    for (const row of this.#drawn.values()) row.remove();
    this.#drawn.clear();
    this.#update();
  }

  /** Selects an item, scrolls it into view and gives it the focus. */
  select(index: number, { focus = true }: { focus?: boolean } = {}): void {
    const target = Math.max(0, Math.min(index, this.#items.length - 1));
    const item = this.#items[target];
    if (item === undefined) return;
    this.#drawn.get(this.selected)?.removeAttribute("aria-current");
    this.selected = target;
    this.#reveal(target);
    this.#update();
    const row = this.#drawn.get(target);
    row?.setAttribute("aria-current", "true");
    if (focus)
      (row?.matches("a") === true ? row : row?.querySelector<HTMLElement>("a"))?.focus({ preventScroll: true });
    this.#options.onSelect?.(item, target);
  }

  /** Selects the next item, or the one `step` further. */
  move(step: number): void {
    this.select(this.selected < 0 ? this.#firstVisible() : this.selected + step);
  }

  /** The element of an item, if it is in view. */
  rowOf(index: number): HTMLElement | undefined {
    return this.#drawn.get(index);
  }

  /** Removes the listeners on the scroller and the window. */
  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#resized.disconnect();
    this.#options.scroller.removeEventListener("scroll", this.#soon);
    window.removeEventListener("beforeprint", this.#print);
    window.removeEventListener("afterprint", this.#print);
  }

  readonly #soon = (): void => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#update());
  };

  readonly #print = (event: Event): void => {
    this.#printing = event.type === "beforeprint";
    this.#update();
  };

  /** Position of the scroller's upper edge in the list. */
  get #offset(): number {
    return this.#options.scroller.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
  }

  #reveal(index: number): void {
    const { scroller, covered = 0 } = this.#options;
    const top = (this.#tops[index] ?? 0) - this.#offset;
    const bottom = (this.#tops[index + 1] ?? 0) - this.#offset;
    const height = scroller.clientHeight;
    if (top < covered) scroller.scrollTop += top - covered;
    else if (bottom > height) scroller.scrollTop += Math.min(bottom - height, top - covered);
  }

  #firstVisible(): number {
    return this.#indexAt(Math.max(0, this.#offset + (this.#options.covered ?? 0)));
  }

  #indexAt(position: number): number {
    let low = 0;
    let high = this.#items.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#tops[middle + 1] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #update(): void {
    const offset = this.#offset;
    const visible = this.#options.scroller.clientHeight;
    const first = this.#printing ? 0 : Math.max(0, this.#indexAt(offset) - OVERSCAN);
    const last = this.#printing
      ? Math.min(MAX_PRINTED, this.#items.length) - 1
      : Math.min(this.#items.length - 1, this.#indexAt(offset + visible) + OVERSCAN);
    for (const [index, row] of this.#drawn) {
      if (index >= first && index <= last) continue;
      row.remove();
      this.#drawn.delete(index);
    }
    // From the end, so that rows stand in the document as they stand on the screen.
    let next: HTMLElement | null = null;
    for (let index = last; index >= first; index--) {
      let row: HTMLElement | undefined = this.#drawn.get(index);
      if (row === undefined) {
        row = this.#make(index);
        if (row === undefined) continue;
        this.element.insertBefore(row, next);
      }
      next = row;
    }
  }

  #make(index: number): HTMLElement | undefined {
    const item = this.#items[index];
    if (item === undefined) return undefined;
    const row = this.#options.draw(item, index);
    row.style.top = `${this.#tops[index] ?? 0}px`;
    row.style.height = `${(this.#tops[index + 1] ?? 0) - (this.#tops[index] ?? 0)}px`;
    if (index === this.selected) row.setAttribute("aria-current", "true");
    this.#drawn.set(index, row);
    return row;
  }
}
