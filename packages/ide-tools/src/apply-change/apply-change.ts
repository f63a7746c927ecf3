import type { ToolArguments } from "../arguments.js";
import type { Call } from "../call.js";
import { ToolError } from "../errors.js";
import { runJob } from "../jobs/run-job.js";
import { report, type Fact } from "../markdown.js";
import { missing, type Project } from "../project.js";
import type { TextFile } from "../text/encoding.js";
import { relativePathOf } from "../workspace/confine.js";
import type { WriteMode } from "../workspace/files.js";
import { wordingOf } from "../wording/wording.js";
import type { Formatter } from "./formatter.js";

/** How a file is changed. */
export interface ChangeCall extends Call {
  readonly formatter: Formatter | undefined;
}

type Change = ToolArguments<"apply_change">;

/**
 * Replaces a passage of a file, or creates a file. The rest of the file keeps its bytes, unless there is a formatter.
 * Throws a `ToolError`, and changes nothing, for a passage that is not found or not unique, for a file that exists
 * although it was to be created, and for one that somebody else changes meanwhile.
 */
export async function applyChange(project: Project, change: Change, call: ChangeCall): Promise<string> {
  const path = relativePathOf(change.relativePath);
  const bytes = await project.workspace.readBytes(path);
  if (change.searchContent !== "") {
    if (bytes === undefined) throw missing(path);
    return modify(project, { path, bytes, change }, call);
  }
  if (bytes !== undefined) throw new ToolError(`${path} already exists`, { code: "exists", path });
  return create(project, path, change, call);
}

/** The real path of the file that a change would write. Throws a `ToolError` when it may not be written. */
export async function changeTarget({ workspace }: Project, relativePath: string): Promise<string> {
  return workspace.checkWritable(relativePathOf(relativePath));
}

async function create(
  project: Project,
  path: string,
  { replaceContent: text, description }: Change,
  call: ChangeCall,
): Promise<string> {
  const { change: words } = wordingOf(call.language);
  const formatted = await format(path, { text, start: 0, end: text.length }, call);
  const file = { text: formatted.text, encoding: "utf-8", hasMark: false };
  const lines = await write(project, { path, file, mode: { createOnly: true } }, call);
  return report(words.created, [
    ["relativePath", path],
    [words.description, description ?? words.noDescription],
    [words.lines, lines],
    [words.formatting, formatted.note],
  ]);
}

interface Original {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly change: Change;
}

async function modify(project: Project, { path, bytes, change }: Original, call: ChangeCall): Promise<string> {
  const { change: words } = wordingOf(call.language);
  const { searchContent: search, replaceContent: replacement, description } = change;
  const { fallbackEncoding } = project;
  const size = bytes.length + search.length + replacement.length;
  const request = { path, bytes, fallbackEncoding, search, replacement };
  const { file, edited } = await runJob("edit", request, { signal: call.signal, size });
  if (edited.match === "none")
    throw new ToolError(`The text to replace does not occur in ${path}`, { code: "no_match", path });
  if (edited.match === "ambiguous")
    throw new ToolError(
      `The text to replace occurs ${edited.count} times in ${path}; give more of the lines around it`,
      {
        ...{ code: "ambiguous", path, detail: `${edited.count}` },
      },
    );
  const formatted = await format(path, edited, call);
  const isSame = formatted.text === file.text;
  if (!isSame) {
    const newFile = { ...file, text: formatted.text };
    await write(project, { path, file: newFile, mode: { replaces: bytes } }, call);
  }
  const facts: Fact[] = [
    ["relativePath", path],
    [words.description, description ?? words.noDescription],
    [words.match, edited.match === "exact" ? words.exact : words.fuzzy],
    [words.firstLine, edited.line],
    [words.formatting, formatted.note],
  ];
  return report(words.applied, isSame ? [...facts, [words.note, words.same]] : facts);
}

interface Written {
  readonly path: string;
  readonly file: TextFile;
  readonly mode: WriteMode;
}

/** Writes a file, and gives the number of its lines. The call waits for the write, so that its report is true. */
async function write({ workspace }: Project, { path, file, mode }: Written, call: ChangeCall): Promise<number> {
  const { bytes, lines } = await runJob("encode", { path, file }, { signal: call.signal, size: file.text.length });
  call.hold();
  await workspace.write(path, bytes, mode);
  return lines;
}

interface Changed {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A formatter that fails, such as on a syntax error, leaves the change as it is. */
async function format(
  path: string,
  { text, start, end }: Changed,
  { formatter, signal, language }: ChangeCall,
): Promise<{ text: string; note: string }> {
  const { change: words } = wordingOf(language);
  if (formatter === undefined) return { text, note: words.noFormatter };
  try {
    const formatted = await formatter(text, { path, start, end, signal });
    return formatted === undefined ? { text, note: words.notFormatted } : { text: formatted, note: words.formatted };
  } catch {
    signal.throwIfAborted();
    return { text, note: words.formatterFailed };
  }
}
