import * as z from "zod";
import { ToolError } from "@editwire/ide-tools";
import { defineTool } from "./tool.js";

const MAX_LINES = 1000;
const MAX_CHARS = 64 * 1024;

const line = z.int().min(1).optional();

/** Reads a text file, or some of its lines. */
export const readFile = defineTool({
  name: "read_file",
  description: `Reads a text file, at most ${MAX_LINES} lines at once. Each line begins with its number and a tab.`,
  access: "read",
  kind: "read",
  input: z.object({
    path: z.string(),
    from_line: line.describe("First line to read. Default 1"),
    to_line: line.describe("Last line to read. Default: the file's last"),
  }),
  view({ path, from_line: from, to_line: to }) {
    const range = from === undefined && to === undefined ? "" : ` (${from ?? 1}–${to ?? "end"})`;
    return { title: `Read ${path}${range}`, locations: [{ path, line: from }] };
  },
  prepare: ({ path, from_line: from = 1, to_line: to = Infinity }, { workspace }) => ({
    async run() {
      const lines = linesOf(await workspace.read(path));
      if (from > Math.max(lines.length, 1)) throw new ToolError(`${path} has ${lines.length} lines`);
      const shown = fitting(
        lines.slice(from - 1, Math.min(to, from - 1 + MAX_LINES)).map((text, index) => `${from + index}\t${text}`),
      );
      const next = from + shown.length;
      const rest =
        next <= Math.min(to, lines.length)
          ? [`… read on with from_line ${next}; the file has ${lines.length} lines`]
          : [];
      return {
        text: lines.length === 0 ? "The file is empty." : [...shown, ...rest].join("\n"),
        raw: { lines: shown.length },
      };
    },
  }),
});

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** As many lines as fit; one that is too long by itself is cut. */
function fitting(lines: readonly string[]): string[] {
  let chars = 0;
  const end = lines.findIndex((text) => (chars += text.length + 1) > MAX_CHARS);
  if (end === 0) return [`${lines[0]?.slice(0, MAX_CHARS)}… (the line goes on)`];
  return lines.slice(0, end === -1 ? undefined : end);
}
