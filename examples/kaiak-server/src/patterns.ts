import { configurationError, type FullConfiguration } from "@editwire/kaiak";
import picomatch from "picomatch";

type Patterns = Pick<FullConfiguration["workspace"], "include_patterns" | "exclude_patterns">;

/** Says whether a path from the workspace's root matches an include pattern, and no exclude pattern. */
export function admittedBy({
  include_patterns = ["**/*"],
  exclude_patterns = [],
}: Patterns): (path: string) => boolean {
  const included = matcher("include_patterns", include_patterns);
  const excluded = matcher("exclude_patterns", exclude_patterns);
  return (path) => included(path) && !excluded(path);
}

/** Throws the error -32014 for a pattern that is none. */
function matcher(field: keyof Patterns, patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  try {
    return picomatch([...patterns], { dot: true });
  } catch (error) {
    throw configurationError(`workspace.${field}`, "Invalid pattern", (error as Error).message);
  }
}
