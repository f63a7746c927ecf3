import type { Readable } from "node:stream";
import { readLines } from "../../packages/framing/src/index.js";

export { readLines };

/** The first line of a program's output that contains a match of `pattern`. The rest is read and dropped. */
export async function lineWith(output: Readable | null, pattern: RegExp): Promise<string> {
  const seen: string[] = [];
  if (output === null) throw new Error("the output is not piped");
  for await (const line of readLines(output)) {
    seen.push(line);
    if (!pattern.test(line)) continue;
    output.resume();
    return line;
  }
  throw new Error(`the output ended without ${pattern}:\n${seen.join("\n")}`);
}

/** The first line of a program's output. */
export function firstLine(output: Readable | null): Promise<string> {
  return lineWith(output, /^/);
}
