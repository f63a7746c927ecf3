import * as z from "zod";
import { defineTool } from "./tool.js";

const MAX_LISTED = 1000;

/** Lists files. */
export const listFiles = defineTool({
  name: "list_files",
  description: "Lists the files below a folder of the project, one path a line. Files that Git ignores are left out.",
  access: "read",
  kind: "search",
  input: z.object({ path: z.string().optional().describe("Folder to list. Default: the project's folder") }),
  view: ({ path = "." }) => ({
    title: path === "." ? "List the files" : `List the files of ${path}`,
    locations: [{ path }],
  }),
  prepare: ({ path = "." }, { workspace, signal }) => ({
    async run() {
      const files = await workspace.list(path, signal);
      const more = files.length > MAX_LISTED ? [`… and ${files.length - MAX_LISTED} more; list a folder of them`] : [];
      return {
        text: files.length === 0 ? "There are no files." : [...files.slice(0, MAX_LISTED), ...more].join("\n"),
      };
    },
  }),
});
