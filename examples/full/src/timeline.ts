import type { Entry, PartName } from "./messages.js";

const nameWidth = 28;
const maxColumns = 110;

/** Prints who said what to whom, in the order in which it was heard of. Pieces of one text are one line. */
export class Timeline {
  #write: (line: string) => void;
  readonly #start = performance.now();
  /** The texts that may go on, by the processes and the kind. */
  readonly #open = new Map<string, Entry>();

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Adds a message. */
  add(entry: Entry): void {
    const link = [entry.from, entry.to, entry.protocol].join();
    const open = this.#open.get(link);
    if (open !== undefined && entry.goesOn !== undefined && open.goesOn === entry.goesOn) {
      this.#open.set(link, { ...entry, text: open.text + entry.text });
      return;
    }
    this.#flush(link);
    if (entry.goesOn === undefined) this.#print(entry);
    else this.#open.set(link, entry);
  }

  /** Adds what happened to a process. */
  note(who: PartName | "demo", text: string, mark = "·"): void {
    this.flush();
    this.#line(`${mark} ${who}`, "", text);
  }

  /** Prints the texts that were about to go on, and nothing after them: how the processes end is no news. */
  end(): void {
    this.flush();
    this.#write = () => {};
  }

  /** Prints the texts that were about to go on. */
  flush(): void {
    for (const link of [...this.#open.keys()]) this.#flush(link);
  }

  #flush(link: string): void {
    const open = this.#open.get(link);
    this.#open.delete(link);
    if (open !== undefined && open.text.trim() !== "") this.#print(open);
  }

  #print({ from, to, protocol, text, goesOn }: Entry): void {
    this.#line(`${from} → ${to}`, protocol, goesOn === undefined ? text : `“${text.trim()}”`);
  }

  #line(who: string, protocol: string, text: string): void {
    const seconds = ((performance.now() - this.#start) / 1000).toFixed(2).padStart(6);
    // Text from files and models must not move the cursor or change colors.
    const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ");
    const shown = plain.length > maxColumns ? `${plain.slice(0, maxColumns)}…` : plain;
    this.#write(`${seconds}  ${who.padEnd(nameWidth)}${protocol.padEnd(11)}${shown}`);
  }
}
