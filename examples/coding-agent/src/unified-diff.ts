import { createTwoFilesPatch } from "diff";

/** Compares two texts of a file line by line. Returns a unified diff with its file header. */
export function unifiedDiff(path: string, oldText: string, newText: string): string {
  return createTwoFilesPatch(path, path, oldText, newText);
}
