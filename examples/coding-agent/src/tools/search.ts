import { openSearch, ToolError, type Workspace } from "@editwire/ide-tools";
import * as z from "zod";
import { defineTool } from "./tool.js";

const MAX_HITS = 200;

/** Searches the project's text files. The expression runs in linear time, so that no pattern can stall the agent. */
export const search = defineTool({
  name: "search",
  description:
    "Searches the project's files for a regular expression (RE2 syntax), line by line. " +
    `Gives up to ${MAX_HITS} lines as path:line: text.`,
  access: "read",
  kind: "search",
  input: z.object({
    pattern: z.string().min(1),
    path: z.string().optional().describe("File or folder to search in. Default: the project's folder"),
    ignore_case: z.boolean().optional(),
  }),
  view: ({ pattern, path }) => ({
    title: `Search ${pattern}${path === undefined ? "" : ` in ${path}`}`,
    locations: [{ path: path ?? "." }],
  }),
  prepare: ({ pattern, path = ".", ignore_case = false }, { workspace, signal }) => ({
    async run() {
      const place = await placeOf(path, workspace);
      const query = { pattern, isRegex: true, isCaseSensitive: !ignore_case, limit: MAX_HITS, ...place };
      const { shown, others } = await openSearch({ workspace })(query, signal);
      const lines = shown.map((match) => `${match.path || place.file}:${match.line}: ${match.text}`);
      if (others > 0) return { text: [...lines, `… more than ${MAX_HITS} lines match; narrow the search`].join("\n") };
      return { text: lines.length === 0 ? "No line matches." : lines.join("\n") };
    },
  }),
});

/** Where to search: in a folder, or in the text of one file. */
async function placeOf(path: string, workspace: Workspace): Promise<{ folder?: string; text?: string; file?: string }> {
  const way = await workspace.locate(path);
  if (way === "") return {};
  try {
    return { text: await workspace.read(way), file: way };
  } catch (error) {
    if (error instanceof ToolError && error.code === "folder") return { folder: way };
    throw error;
  }
}
