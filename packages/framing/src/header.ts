import type { ChunkSource } from "./chunk-source.js";

const CR = 13;
const LF = 10;
const ZERO = 48;
const NINE = 57;
/** `Content-Length: `, as nearly everyone writes it. */
const USUAL_NAME = [67, 111, 110, 116, 101, 110, 116, 45, 76, 101, 110, 103, 116, 104, 58, 32];
/** A number with this many digits is a safe integer. */
const USUAL_DIGITS = 15;
/** A line that ends so begins a header, whatever noise without a line break came before it. */
const LENGTH_AT_END = /content-length:[ \t]*\d+[ \t]*$/i;
/**
 * Noise without a line break may look like a field, or like the head of its name. A name may end so too, after a
 * hyphen.
 */
const LENGTH_AFTER_NOISE = /[^-]content-length:[ \t]*\d+[ \t]*$/i;
/** As far back as `LENGTH_AT_END` is looked for. */
export const LENGTH_TAIL_BYTES = 64;

/**
 * Reads a header in exactly the usual form, `Content-Length: <digits>` and an empty line, and returns its number.
 * Returns -1 and reads nothing when it has another form or is not here whole.
 */
export function takeUsualHeader(source: ChunkSource): number {
  const { chunk, at, size } = source;
  const digits = at + USUAL_NAME.length;
  if (digits >= size) return -1;
  for (let i = 0; i < USUAL_NAME.length; i++) if (chunk[at + i] !== USUAL_NAME[i]) return -1;
  const last = Math.min(size - 4, digits + USUAL_DIGITS);
  let length = 0;
  let next = digits;
  for (; next < last; next++) {
    const digit = chunk[next] as number;
    if (digit < ZERO || digit > NINE) break;
    length = 10 * length + digit - ZERO;
  }
  if (
    next === digits ||
    chunk[next] !== CR ||
    chunk[next + 1] !== LF ||
    chunk[next + 2] !== CR ||
    chunk[next + 3] !== LF
  )
    return -1;
  source.at = next + 4;
  return length;
}

/** The field at the end of a text that is noise up to there, if there is one. */
export function lengthAtEnd(text: string): string | undefined {
  return LENGTH_AT_END.exec(text)?.[0];
}

/** The lines of one header, up to the empty one that ends it. */
export class HeaderBlock {
  /** Bytes of the lines, without their line breaks. */
  size = 0;
  /** The body's bytes, once a line gives them. */
  length: number | undefined;
  /** Why a line that gives the length is of no use. */
  problem: string | undefined;
  /** A charset that is not UTF-8. */
  charset: string | undefined;
  private lines: string[] = [];

  get empty(): boolean {
    return this.lines.length === 0;
  }

  get text(): string {
    return this.lines.join("\n");
  }

  /** Takes a line of `size` bytes if it has the form `Name: value`. */
  add(line: string, size: number): boolean {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trimEnd().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (colon < 0 || !/^[a-z][\w-]*$/.test(name)) return false;
    if (LENGTH_AFTER_NOISE.test(line) || value.includes('{"')) return false; // noise, with a message glued to it
    this.lines.push(line);
    this.size += size;
    if (name === "content-length") this.addLength(value);
    else if (name === "content-type") this.addType(value);
    return true;
  }

  clear(): void {
    if (this.empty) return;
    this.size = 0;
    this.length = this.problem = this.charset = undefined;
    this.lines = [];
  }

  private addLength(value: string): void {
    const length = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(length)) {
      this.problem ??= `Content-Length: expected a number of bytes, received ${JSON.stringify(value.slice(0, 40))}`;
    } else if (this.length !== undefined && this.length !== length) {
      this.problem ??= `Content-Length is given twice, as ${this.length} and as ${length}`;
    } else {
      this.length = length;
    }
  }

  private addType(value: string): void {
    const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(value)?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) this.charset = charset;
  }
}
