import * as z from "zod";
import { ToolError } from "@editwire/ide-tools";
import { changeAction } from "./change.js";
import { defineTool } from "./tool.js";

/** Replaces one passage of a file. */
export const editFile = defineTool({
  name: "edit_file",
  description:
    "Replaces a passage of a file. old_text must occur exactly once, to the letter: " +
    "give as many lines around it as that takes. The user is asked first.",
  access: "write",
  kind: "edit",
  input: z.object({ path: z.string(), old_text: z.string().min(1), new_text: z.string() }),
  view: ({ path }) => ({ title: `Edit ${path}`, locations: [{ path }] }),
  async prepare({ path, old_text: oldPassage, new_text: newPassage }, { workspace }) {
    await workspace.checkWritable(path);
    const oldText = await workspace.read(path);
    const start = oldText.indexOf(oldPassage);
    if (start === -1) throw new ToolError(`old_text does not occur in ${path}`);
    if (oldText.includes(oldPassage, start + 1))
      throw new ToolError(`old_text occurs more than once in ${path}; give more of the lines around it`);
    if (oldPassage === newPassage) throw new ToolError("old_text and new_text are the same");
    const newText = oldText.slice(0, start) + newPassage + oldText.slice(start + oldPassage.length);
    const line = oldText.slice(0, start).split("\n").length;
    return changeAction(workspace, { path, oldText, newText, done: `Edited ${path} at line ${line}.` });
  },
});
