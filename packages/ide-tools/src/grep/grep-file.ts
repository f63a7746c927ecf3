import type { ToolArguments } from "../arguments.js";
import { runJob } from "../jobs/run-job.js";
import { type Project, readProjectFile } from "../project.js";
import type { Call } from "../call.js";
import { extensionsOf } from "./file-types.js";
import type { Finder } from "./search.js";

/**
 * Searches one file, or all files of the project except those that a `.gitignore` names. Throws a `ToolError` for a
 * pattern that is not a regular expression, and for a file that does not exist. No match is not an error.
 */
export async function grepFile(
  project: Project,
  find: Finder,
  args: ToolArguments<"grep_file">,
  { signal, language, maxChars }: Call,
): Promise<string> {
  const { pattern, regex: isRegex, case_sensitive: isCaseSensitive, limit, file_type: fileType } = args;
  const file = args.relativePath ? await readProjectFile(project, args.relativePath, signal) : undefined;
  const extensions = file === undefined ? extensionsOf(fileType) : undefined;
  const found = await find({ pattern, isRegex, isCaseSensitive, limit, text: file?.text, extensions }, signal);
  return runJob(
    "grepReport",
    { ...found, limit, context: args.context_lines, file: file?.path, fileType, maxChars, language },
    { signal, size: file?.text.length },
  );
}
