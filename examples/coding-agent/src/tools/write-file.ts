import * as z from "zod";
import { ToolError } from "@editwire/ide-tools";
import { changeAction } from "./change.js";
import { defineTool } from "./tool.js";

/** Writes a whole file. */
export const writeFile = defineTool({
  name: "write_file",
  description:
    "Creates a file, or replaces all of its content. For a change within a file use edit_file. The user is " +
    "asked first.",
  access: "write",
  kind: "edit",
  input: z.object({ path: z.string(), content: z.string() }),
  view: ({ path }) => ({ title: `Write ${path}`, locations: [{ path }] }),
  async prepare({ path, content }, { workspace }) {
    await workspace.checkWritable(path);
    const oldText = await workspace.readIfPresent(path);
    if (oldText === content) throw new ToolError(`${path} already has this content`);
    return changeAction(workspace, {
      path,
      oldText,
      newText: content,
      done: `${oldText === undefined ? "Created" : "Replaced"} ${path}.`,
    });
  },
});
