import { modeAllows } from "../modes.js";
import { askUser } from "./ask-user.js";
import { editFile } from "./edit-file.js";
import { listFiles } from "./list-files.js";
import { readFile } from "./read-file.js";
import { runCommand } from "./run-command.js";
import { search } from "./search.js";
import type { Tool } from "./tool.js";
import { updatePlan } from "./update-plan.js";
import { writeFile } from "./write-file.js";

const tools: readonly Tool[] = [updatePlan, askUser, listFiles, readFile, search, editFile, writeFile, runCommand];

/** The tools that a session mode offers to the model. */
export function toolsFor(modeId: string): Tool[] {
  return tools.filter(({ access }) => modeAllows(modeId, access));
}

/** A tool by its name, whether the mode offers it or not. */
export function toolNamed(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}
