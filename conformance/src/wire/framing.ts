import type { FrameInfo } from "../trace/trace.js";

/** A message cut from a stream, or the bytes in its place. */
export type CutFrame =
  | { readonly ok: true; readonly message: unknown; readonly frame: FrameInfo }
  | { readonly ok: false; readonly problem: string; readonly excerpt: string };

const LF = 10;
const CR = 13;
const BRACE = 123;
const MAX_LINE = 64 * 1024 * 1024;
/** The first characters of a header; anything else on a line is a message, or noise. */
const header = /^content-[a-z]+:/i;

/** Frames one message. */
export function encodeFrame(message: unknown, framing: "line" | "header"): Uint8Array {
  const body = Buffer.from(JSON.stringify(message), "utf8");
  if (framing === "line") return Buffer.concat([body, Buffer.from("\n")]);
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/**
 * Cuts messages from a byte stream in either framing, strictly and frame by frame. It shares no code with the SDK's own
 * decoder, so that a bug there cannot hide itself here.
 */
export class FrameCutter {
  #held: Buffer = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #chunkBytes = 0;
  #headers: string[] = [];
  #bodySize: number | undefined;

  /** Takes a chunk and returns every frame that it completes. */
  push(chunk: Uint8Array): CutFrame[] {
    this.#chunks.push(Buffer.from(chunk));
    this.#chunkBytes += chunk.length;
    // A body is joined once, when it is whole: a slow peer must not make this quadratic.
    if (this.#bodySize !== undefined && this.#held.length + this.#chunkBytes < this.#bodySize) return [];
    if (this.#bodySize === undefined && !chunk.includes(LF)) {
      return this.#held.length + this.#chunkBytes > MAX_LINE ? [this.#drop("a line of more than 64 MiB")] : [];
    }
    this.#join();
    const frames: CutFrame[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) if (frame !== "skip") frames.push(frame);
    return frames;
  }

  /** Says that no more bytes come; what is left over is a broken frame. */
  end(): CutFrame[] {
    this.#join();
    if (this.#bodySize !== undefined) return [this.#drop(`the stream ended within a body of ${this.#bodySize} bytes`)];
    if (this.#headers.length > 0) return [this.#drop("the stream ended within a header")];
    if (this.#held.length === 0) return [];
    return [this.#drop("the stream ended within a line")];
  }

  #join(): void {
    this.#held = Buffer.concat([this.#held, ...this.#chunks]);
    this.#chunks = [];
    this.#chunkBytes = 0;
  }

  #drop(problem: string): CutFrame {
    this.#join();
    const excerpt = excerptOf(this.#held);
    this.#held = Buffer.alloc(0);
    this.#headers = [];
    this.#bodySize = undefined;
    this.#bareLineFeed = false;
    this.#blankLine = false;
    return { ok: false, problem, excerpt };
  }

  #next(): CutFrame | "skip" | undefined {
    if (this.#bodySize !== undefined) return this.#body(this.#bodySize);
    // No name of a field begins so: this is the body, without a blank line before it.
    if (this.#headers.length > 0 && this.#held[0] === BRACE) return this.#drop("a header without an end");
    const lineFeed = this.#held.indexOf(LF);
    if (lineFeed < 0) return undefined;
    const raw = this.#held.subarray(0, lineFeed);
    this.#held = this.#held.subarray(lineFeed + 1);
    const text = raw.toString("latin1").replace(/\r$/, "");
    if (this.#headers.length > 0 || header.test(text)) {
      this.#bareLineFeed ||= raw.at(-1) !== CR;
      return this.#headerLine(text, raw);
    }
    if (text.trim() === "") {
      this.#blankLine = true;
      return "skip";
    }
    this.#blankLine = false;
    return parse(raw, { framing: "line", size: raw.length });
  }

  #headerLine(text: string, raw: Buffer): CutFrame | "skip" {
    if (text !== "") {
      this.#headers.push(text);
      return "skip";
    }
    const lines = this.#headers;
    this.#headers = [];
    const length = lines
      .map((line) => /^content-length:\s*(\d+)\s*$/i.exec(line)?.[1])
      .find((digits) => digits !== undefined);
    if (length === undefined)
      return {
        ok: false,
        problem: "a header without a valid Content-Length",
        excerpt: lines.join("\\r\\n") + excerptOf(raw),
      };
    this.#bodySize = Number(length);
    this.#headerText = lines.join("\r\n");
    return "skip";
  }

  #headerText = "";
  /** Whether a line of the header ended with a line feed alone. */
  #bareLineFeed = false;
  /** Whether there was a blank line in front of the header. */
  #blankLine = false;

  #body(size: number): CutFrame | undefined {
    if (this.#held.length < size) return undefined;
    const raw = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(size);
    this.#bodySize = undefined;
    const ending = this.#bareLineFeed ? { ending: "line feed" as const } : {};
    this.#bareLineFeed = false;
    const before = this.#blankLine ? { before: "blank line" as const } : {};
    this.#blankLine = false;
    return parse(raw, { framing: "header", size, detail: this.#headerText, ...ending, ...before });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parse(raw: Buffer, frame: FrameInfo): CutFrame {
  try {
    return { ok: true, message: JSON.parse(utf8.decode(raw)) as unknown, frame };
  } catch (error) {
    const problem = error instanceof SyntaxError ? "not a JSON message" : "not valid UTF-8";
    return { ok: false, problem: `${problem} (${frame.framing} framing)`, excerpt: excerptOf(raw) };
  }
}

function excerptOf(bytes: Buffer): string {
  return bytes.subarray(0, 400).toString("utf8");
}
