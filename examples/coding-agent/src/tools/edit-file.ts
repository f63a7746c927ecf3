import { editText, ToolError } from "@editwire/ide-tools";
import * as z from "zod";
import { changeAction } from "./change.js";
import { defineTool } from "./tool.js";

/** Replaces one passage of a file. */
export const editFile = defineTool({
  name: "edit_file",
  description:
    "Replaces a passage of a file. old_text must occur exactly once, or else once apart from the whitespace " +
    "around its lines; new_text is then indented as the file is. Give as many lines around it as that takes. " +
    "The user is asked first.",
  access: "write",
  kind: "edit",
  input: z.object({ path: z.string(), old_text: z.string().min(1), new_text: z.string() }),
  view: ({ path }) => ({ title: `Edit ${path}`, locations: [{ path }] }),
  async prepare({ path, old_text: oldPassage, new_text: newPassage }, { workspace, signal }) {
    await workspace.checkWritable(path);
    const oldText = await workspace.read(path);
    const edited = await editText(oldText, oldPassage, newPassage, { signal });
    if (edited.match === "none") throw new ToolError(`old_text does not occur in ${path}`);
    if (edited.match === "ambiguous")
      throw new ToolError(`old_text occurs more than once in ${path}; include more of the lines around it`);
    const { text: newText, line } = edited;
    if (newText === oldText) throw new ToolError("old_text and new_text are the same");
    return changeAction(workspace, { path, oldText, newText, done: `Edited ${path} at line ${line}.` });
  },
});
