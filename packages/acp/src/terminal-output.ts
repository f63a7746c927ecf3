/** The last bytes of what a command wrote, cut between two characters. */
export class TerminalOutput {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #truncated = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What is kept, and whether the beginning was dropped. */
  get value(): { output: string; truncated: boolean } {
    return { output: Buffer.concat(this.#chunks).toString("utf8"), truncated: this.#truncated };
  }

  add(text: string): void {
    const chunk = Buffer.from(text, "utf8");
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes > this.#maxBytes) this.#dropFrom(this.#chunks[0] ?? chunk);
  }

  /** Drops the whole first chunk, or as much of it as is too much. */
  #dropFrom(first: Uint8Array): void {
    this.#truncated = true;
    let dropped = Math.min(this.#bytes - this.#maxBytes, first.length);
    while (isInsideCharacter(first[dropped])) dropped += 1;
    if (dropped === first.length) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(dropped);
    this.#bytes -= dropped;
  }
}

/** True for the bytes of a character after its first one. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
