import { type Action, unifiedDiff } from "@editwire/example-coding-agent";
import type { NewFileModification } from "@editwire/kaiak";

/** A change that a tool would make. */
export interface Change {
  /** What the client is shown. */
  readonly modification: NewFileModification & { readonly risk_level: RiskLevel };
  /** The file as it is; absent for a new one. */
  readonly original: string | undefined;
}

/** How much can go wrong with a change. */
export type RiskLevel = "low" | "medium" | "high";

/** The most lines, added and removed together, of a change with this risk. */
const mostLines = { low: 10, medium: 100 };

/** A new file is never of low risk, because nothing says what depends on it. */
function riskOf(lines: number, isNew: boolean): RiskLevel {
  if (lines <= mostLines.low && !isNew) return "low";
  return lines <= mostLines.medium ? "medium" : "high";
}

/** The change that an action would make to `path`; absent for one that changes no file. */
export function changeIn({ preview = [] }: Action, path: string): Change | undefined {
  for (const part of preview) {
    if (part.type !== "diff") continue;
    const original = part.oldText ?? undefined;
    const { diff, linesAdded, linesRemoved } = unifiedDiff(path, original ?? "", part.newText);
    return {
      original,
      modification: {
        file_path: path,
        operation: original === undefined ? "create" : "modify",
        diff: diff.slice(Math.max(diff.indexOf("@@"), 0)),
        risk_level: riskOf(linesAdded + linesRemoved, original === undefined),
      },
    };
  }
  return undefined;
}
