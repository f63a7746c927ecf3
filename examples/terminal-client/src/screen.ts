import type { WriteStream } from "node:tty";
import yoctoSpinner from "yocto-spinner";
import { fit } from "./render/look.js";

/** Something at the bottom that gives way to output: it is erased before a write and drawn again after it. */
export interface Footer {
  draw(): void;
  erase(): void;
}

/** A spinner with a label; `show` also changes the label of one that is up. */
export interface Spinner {
  show(label: string): void;
  hide(): void;
}

/** Where a screen writes. */
export interface Output {
  write(text: string): boolean;
  once(event: "drain" | "close", listener: () => void): unknown;
  readonly columns?: number | undefined;
}

/** Quiet time after a write before the spinner comes back, so that a steady stream does not make it flicker. */
const spinnerDelayMs = 120;

/**
 * The one writer to the terminal. Output comes in sections with a blank line between two that differ;
 * the spinner, or whatever is pinned in its place, never mixes with it. Without a spinner nothing is ever erased.
 */
export class Screen {
  /** Whether there is a terminal that can show a spinner and questions. */
  readonly live: boolean;
  readonly #out: Output;
  readonly #spinner: Spinner | undefined;
  #section: string | undefined;
  /** Line breaks at the end of what was written; 0 is the middle of a line. */
  #breaks = 2;
  /** Line breaks that streamed text ended with; the unwritten ones wait for what follows. */
  #owed = 2;
  #pinned: Footer | undefined;
  #status: string | undefined;
  #shown: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Pending while the reader of the output is slow. */
  #room: Promise<void> | undefined;
  #release = (): void => {};
  #closed = false;

  constructor(out: Output, spinner?: Spinner) {
    this.#out = out;
    this.#spinner = spinner;
    this.live = spinner !== undefined;
    out.once("close", () => {
      this.#closed = true;
      this.#release();
    });
  }

  get columns(): number {
    return this.#out.columns || 100;
  }

  /**
   * Continues a section's running text; `paint` colours each line of it. Runs of empty lines shrink to one where chunks
   * meet.
   */
  stream(section: string, text: string, paint: (line: string) => string = (line) => line): void {
    const starts = section !== this.#section;
    const body = text.replace(/^\n+/, "");
    if (!starts) this.#owed += text.length - body.length;
    if (body === "") return;
    const visible = body.replace(/\n+$/, "");
    const lead = starts ? this.#open(section) : "\n".repeat(Math.max(Math.min(this.#owed, 2) - this.#breaks, 0));
    this.#write(
      lead +
        visible
          .split("\n")
          .map((line) => (line === "" ? "" : paint(line)))
          .join("\n"),
      0,
    );
    this.#owed = body.length - visible.length;
  }

  /** Prints whole lines in a section. */
  print(section: string, lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#write(`${this.#open(section)}${lines.join("\n")}\n`, 1);
    this.#owed = 1;
  }

  /** Says what is being waited for, or with `undefined` that nothing is. */
  wait(label: string | undefined): void {
    if (label === this.#status) return;
    this.#status = label;
    if (this.#pinned !== undefined) return;
    if (label === undefined) this.#erase();
    else if (this.#shown !== undefined) this.#spinner?.show(label);
    else this.#schedule();
  }

  /** Prints more lines in the section that was written last. */
  continue(lines: readonly string[]): void {
    this.print(this.#section ?? "", lines);
  }

  /** Keeps lines at the bottom, in place of the spinner, until the returned function is called. */
  pinLines(lines: readonly string[]): () => void {
    const text = lines.map((line) => fit(line, this)).join("\n");
    const up = lines.length > 1 ? `\u001b[${lines.length - 1}A` : "";
    const unpin = this.pin({
      draw: () => void this.#out.write(text),
      erase: () => void this.#out.write(`${up}\r\u001b[J`),
    });
    return () => unpin();
  }

  /**
   * Keeps a footer at the bottom, in place of the spinner, until the returned function is called:
   * with `kept` when what it shows stays there, as a line that ends in a line break.
   */
  pin(footer: Footer): (kept?: "kept") => void {
    this.#erase();
    if (this.#breaks === 0) this.#endLine();
    this.#pinned = footer;
    this.#draw();
    return (kept) => {
      if (this.#pinned !== footer) return;
      if (kept === undefined) this.#erase();
      else this.#breaks = this.#owed = 1;
      this.#shown = undefined;
      this.#pinned = undefined;
      this.#schedule();
    };
  }

  /** Leaves an empty line before what comes next. */
  gap(): void {
    this.#erase();
    const lead = this.#open("");
    if (lead !== "") this.#write(lead, 2);
  }

  /** Waits for a slow reader of the output, and not for one that has gone. */
  async drained(): Promise<void> {
    await this.#room;
  }

  /** Takes the footer away and ends the line. */
  close(): void {
    this.#status = undefined;
    this.#pinned = undefined;
    this.#erase();
    if (this.#breaks === 0) this.#endLine();
  }

  #open(section: string): string {
    const wanted = section === this.#section ? 1 : 2;
    this.#section = section;
    return "\n".repeat(Math.max(wanted - this.#breaks, 0));
  }

  #write(text: string, breaks: number): void {
    this.#erase();
    if (!this.#out.write(text) && this.#room === undefined && !this.#closed) this.#waitForRoom();
    this.#breaks = breaks;
    if (this.#pinned === undefined) this.#schedule();
    else this.#draw();
  }

  #waitForRoom(): void {
    this.#room = new Promise((resolve) => {
      this.#release = () => {
        this.#room = undefined;
        resolve();
      };
    });
    this.#out.once("drain", this.#release);
  }

  #endLine(): void {
    this.#out.write("\n");
    this.#breaks = 1;
    this.#owed = Math.max(this.#owed, 1);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#spinner !== undefined && this.#status !== undefined)
      this.#timer = setTimeout(() => this.#draw(), spinnerDelayMs);
  }

  #draw(): void {
    if (this.#breaks === 0 && this.#owed === 0 && this.#pinned === undefined) return;
    if (this.#breaks === 0) this.#endLine();
    const pinned = this.#pinned;
    if (pinned !== undefined) {
      pinned.draw();
      this.#shown = () => pinned.erase();
    } else if (this.#status !== undefined) {
      this.#spinner?.show(this.#status);
      this.#shown = () => this.#spinner?.hide();
    }
  }

  #erase(): void {
    clearTimeout(this.#timer);
    this.#shown?.();
    this.#shown = undefined;
  }
}

/** A screen on standard output; where that is a terminal, with a spinner, or with what stands in its place. */
export function openScreen(stdout: WriteStream, spinner: (stream: WriteStream) => Spinner = createSpinner): Screen {
  const live = stdout.isTTY && process.env["TERM"] !== "dumb" && process.env["CI"] === undefined;
  return new Screen(stdout, live ? spinner(stdout) : undefined);
}

function createSpinner(stream: WriteStream): Spinner {
  const spinner = yoctoSpinner({ stream, handleSignals: false });
  return {
    show(label) {
      const text = fit(label, { columns: stream.columns - 3 });
      if (spinner.isSpinning) spinner.text = text;
      else spinner.start(text);
    },
    hide: () => void spinner.stop(),
  };
}
