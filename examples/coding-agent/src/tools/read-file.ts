import { excerptOf, ToolError } from "@editwire/ide-tools";
import * as z from "zod";
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
  prepare: ({ path, from_line: from = 1, to_line: to = Infinity }, { workspace, signal }) => ({
    async run() {
      const text = await workspace.read(path);
      const limits = { maxLines: MAX_LINES, maxChars: MAX_CHARS, signal };
      const excerpt = await excerptOf(text, { from, to }, limits);
      const { total, isOutside, isCut, isLineCut } = excerpt;
      const lines = excerpt.lines.map((line, index) => `${from + index}\t${line}`);
      if (isOutside) throw new ToolError(`${path} has ${total} lines`);
      const shown = isLineCut ? lines.map((line) => `${line} (the line goes on)`) : lines;
      const rest = isCut ? [`… read on with from_line ${excerpt.to + 1}; the file has ${total} lines`] : [];
      return {
        text: total === 0 ? "The file is empty." : [...shown, ...rest].join("\n"),
      };
    },
  }),
});
