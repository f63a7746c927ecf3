import type { ToolArguments } from "./arguments.js";
import { runJob } from "./jobs/run-job.js";
import { missing, type Project } from "./project.js";
import type { Call } from "./call.js";
import { relativePathOf } from "./workspace/confine.js";

/**
 * Reads a text file, or some of its lines: `start_line` to `end_line`, where one may be absent; or else `line` with
 * `context_lines` (default 20) around it; or else the whole file. A range that reaches past the file is cut to it, and
 * the report is cut to `maxChars`. Throws a `ToolError` for a range that begins past the end.
 */
export async function readFile(
  { workspace, fallbackEncoding }: Project,
  { relativePath, ...range }: ToolArguments<"read_file">,
  { signal, language, maxChars }: Call,
): Promise<string> {
  const path = relativePathOf(relativePath);
  const bytes = await workspace.readBytes(path);
  if (bytes === undefined) throw missing(relativePath);
  return runJob(
    "readReport",
    { path, bytes, fallbackEncoding, range, maxChars, language },
    { signal, size: bytes.length },
  );
}
