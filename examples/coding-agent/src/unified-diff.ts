import { createTwoFilesPatch, diffLines } from "diff";

/** The difference between two texts of a file. */
export interface UnifiedDiff {
  /** A unified diff with its file header. */
  readonly diff: string;
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/** Compares two texts of a file line by line. */
export function unifiedDiff(path: string, oldText: string, newText: string): UnifiedDiff {
  const counts = { linesAdded: 0, linesRemoved: 0 };
  for (const { added, removed, count } of diffLines(oldText, newText)) {
    if (added) counts.linesAdded += count;
    if (removed) counts.linesRemoved += count;
  }
  return { diff: createTwoFilesPatch(path, path, oldText, newText), ...counts };
}
