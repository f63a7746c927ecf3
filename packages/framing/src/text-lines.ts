/** Cuts chunks of a text into lines. */
export interface TextLines {
  /** Takes a chunk, of bytes or of text. Returns the lines that it completes, without their line breaks. */
  push(chunk: Uint8Array | string): string[];
  /** Takes the end of the stream. Returns the last line, if it has no line break. */
  end(): string[];
}

/** The limit of `textLines`. */
export interface TextLinesOptions {
  /** Characters of one line. Default 16 Mi; a longer one is returned in pieces. */
  maxLineChars?: number | undefined;
}

/**
 * Cuts a stream of UTF-8 into lines that end with LF or CRLF, and nowhere else: since Node 24, `node:readline` also
 * ends them at U+2028 and U+2029, which JSON and prose may contain. Bytes that are not UTF-8 become U+FFFD.
 */
export function textLines({ maxLineChars = 16 * 1024 * 1024 }: TextLinesOptions = {}): TextLines {
  const decoder = new TextDecoder();
  let held = "";
  const cut = (text: string): string[] => {
    const lines = text.split("\n");
    lines[0] = `${held}${lines[0]}`;
    held = lines.pop() ?? "";
    if (held.length > maxLineChars) {
      lines.push(held);
      held = "";
    }
    return lines.map(withoutReturn);
  };
  return {
    push: (chunk) => cut(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })),
    end() {
      const lines = cut(decoder.decode());
      const rest = held;
      held = "";
      return rest === "" ? lines : [...lines, withoutReturn(rest)];
    },
  };
}

/** The lines of a stream, as `textLines` cuts them. A Node stream stays open when the reading ends early. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array | string>,
  options?: TextLinesOptions,
): AsyncGenerator<string, void, undefined> {
  const { push, end } = textLines(options);
  for await (const chunk of keptOpen(stream)) yield* push(chunk);
  yield* end();
}

/** Node's streams are destroyed when an iteration ends early, unless they are asked for another iterator. */
function keptOpen(stream: AsyncIterable<Uint8Array | string>): AsyncIterable<Uint8Array | string> {
  const { iterator } = stream as { iterator?(options: { destroyOnReturn: false }): AsyncIterable<Uint8Array | string> };
  return iterator?.call(stream, { destroyOnReturn: false }) ?? stream;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
