/** The end of what a process wrote to stderr. */
export class StderrTail {
  readonly #maxBytes: number;
  #kept = "";

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(text: string): void {
    this.#kept += text;
    if (this.#kept.length > 2 * this.#maxBytes) this.#kept = this.#kept.slice(-this.#maxBytes);
  }

  /** The last bytes as text, from the first whole character on. */
  text(): string {
    const bytes = Buffer.from(this.#kept);
    let start = Math.max(0, bytes.length - this.#maxBytes);
    while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return bytes.toString("utf8", start);
  }
}

/** The most useful line: the last one that is not a stack frame, a lone bracket or Node's version. */
export function tellingLine(stderr: string): string | undefined {
  return stderr
    .split("\n")
    .findLast((line) => /^\S/.test(line) && /\w/.test(line) && !/^Node\.js v\d/.test(line))
    ?.trimEnd();
}
