/** A changed region of a file, with the lines around it. */
export interface Hunk {
  readonly path: string;
  /** Null for a file that is new. */
  readonly oldText: string | null;
  readonly newText: string;
}

/** Reads the hunks of a patch in Git's format, whose paths are absolute. Lines of other forms are left out. */
export function hunksOf(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let from = "";
  let to = "";
  let open: OpenHunk | undefined;
  const close = (): void => {
    if (open !== undefined) hunks.push(hunkOf(open, from, to));
    open = undefined;
  };
  for (const line of patch.split("\n")) {
    if (open !== undefined && (open.oldLines > 0 || open.newLines > 0 || line.startsWith("\\"))) {
      take(open, line);
      continue;
    }
    close();
    if (line.startsWith("--- ")) from = pathOf(line);
    else if (line.startsWith("+++ ")) to = pathOf(line);
    else open = opened(line);
  }
  close();
  return hunks;
}

/** A hunk and the lines that it still lacks. */
interface OpenHunk {
  oldLines: number;
  newLines: number;
  oldText: string;
  newText: string;
  /** The texts that the last line belongs to. */
  last: "old" | "new" | "both";
}

function opened(line: string): OpenHunk | undefined {
  const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  if (counts === null) return undefined;
  const [, oldLines = "1", newLines = "1"] = counts;
  return { oldLines: Number(oldLines), newLines: Number(newLines), oldText: "", newText: "", last: "both" };
}

function take(hunk: OpenHunk, line: string): void {
  if (line.startsWith("\\")) return withoutLineEnd(hunk);
  const text = `${line.slice(1)}\n`;
  hunk.last = line.startsWith("-") ? "old" : line.startsWith("+") ? "new" : "both";
  if (hunk.last !== "new") {
    hunk.oldText += text;
    hunk.oldLines--;
  }
  if (hunk.last !== "old") {
    hunk.newText += text;
    hunk.newLines--;
  }
}

/** The last line of the file has no end: `\ No newline at end of file`. */
function withoutLineEnd(hunk: OpenHunk): void {
  if (hunk.last !== "new") hunk.oldText = hunk.oldText.slice(0, -1);
  if (hunk.last !== "old") hunk.newText = hunk.newText.slice(0, -1);
}

function hunkOf({ oldText, newText }: OpenHunk, from: string, to: string): Hunk {
  const isNew = from === "/dev/null";
  return { path: to === "/dev/null" ? from : to, oldText: isNew ? null : oldText, newText };
}

function pathOf(line: string): string {
  return line.slice(4).replace(/\t.*$/, "").trimEnd();
}
