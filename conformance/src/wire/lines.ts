import type { Readable } from "node:stream";

/** The lines of a stream of UTF-8. Unlike those of `node:readline`, they end at line feeds only, not at U+2028. */
export async function* linesOf(input: Readable): AsyncGenerator<string, void, undefined> {
  let held = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const lines = `${held}${chunk}`.split("\n");
    held = lines.pop() ?? "";
    yield* lines;
  }
  if (held !== "") yield held;
}
