import type { ToolCallDetails } from "@editwire/eca";
import { parsePatch } from "diff";
import type { AgentToolCallContent } from "../api/tool-call-state.js";

/** The change that a call makes: one diff for each stretch of lines, as the unified diff of ECA has no more. */
export function diffsOf(details: ToolCallDetails | undefined, cwd: string): AgentToolCallContent[] {
  const { type, path, diff } = (details ?? {}) as {
    readonly type?: unknown;
    readonly path?: unknown;
    readonly diff?: unknown;
  };
  if (type !== "fileChange" || typeof path !== "string" || typeof diff !== "string") return [];
  const absolute = /^([\\/]|[A-Za-z]:)/.test(path) ? path : `${cwd.replace(/\/$/, "")}/${path}`;
  return hunksIn(diff).map(({ lines, oldStart, oldLines }) => {
    const side = (mark: "-" | "+"): string =>
      lines
        .filter((line) => line.startsWith(mark) || line.startsWith(" "))
        .map((line) => line.slice(1))
        .join("\n");
    const isNewFile = oldLines === 0 && oldStart <= 1;
    return { type: "diff", path: absolute, newText: side("+"), ...(isNewFile ? {} : { oldText: side("-") }) };
  });
}

function hunksIn(diff: string): { lines: string[]; oldStart: number; oldLines: number }[] {
  try {
    return parsePatch(diff).flatMap(({ hunks }) => hunks);
  } catch {
    return []; // some servers write text that is not a diff
  }
}
