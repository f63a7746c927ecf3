import { RE2JS, RE2JSException } from "re2js";
import * as z from "zod";
import { ToolError } from "@editwire/ide-tools";
import { defineTool } from "./tool.js";

const MAX_HITS = 200;
const MAX_LINE_CHARS = 300;

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
  prepare({ pattern, path = ".", ignore_case = false }, { workspace, signal }) {
    const expression = compile(pattern, ignore_case);
    return {
      async run() {
        const hits: string[] = [];
        for (const file of await workspace.list(path, signal)) {
          signal.throwIfAborted();
          // What cannot be read as text is passed over, as grep does.
          const text = await workspace.read(file).catch(() => "");
          for (const [index, line] of text.split("\n").entries()) {
            if (!expression.test(line)) continue;
            if (hits.length === MAX_HITS)
              return { text: [...hits, `… more than ${MAX_HITS} lines match; narrow the search`].join("\n") };
            hits.push(
              `${file}:${index + 1}: ${line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line}`,
            );
          }
        }
        return { text: hits.length === 0 ? "No line matches." : hits.join("\n"), raw: { hits: hits.length } };
      },
    };
  },
});

function compile(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    if (error instanceof RE2JSException) throw new ToolError(`The pattern is no RE2 expression: ${error.message}`);
    throw error;
  }
}
