import { Document, isSeq, parseDocument, type YAMLSeq } from "yaml";
import { unexplained } from "./baseline.js";
import { UsageError } from "./errors.js";
import type { RunReport } from "./report.js";

/** A baseline file, and what was added to it. */
export interface WrittenBaseline {
  readonly text: string;
  /** Checks that failed or warned, and are now expected to. */
  readonly failed: readonly string[];
  /** Blocked checks: an entry hides that the suite cannot judge them. */
  readonly blocked: readonly string[];
}

/**
 * A baseline that expects the results of a run: the entries of `before` with their comments, and a new one for each
 * check that failed, warned or was blocked without an entry. Each new entry still needs a reason. Throws a `UsageError`
 * if `before` is not a baseline.
 */
export function writeBaseline({ cases, target, run, baseline }: RunReport, before?: string): WrittenBaseline {
  const document =
    before === undefined
      ? new Document({ version: 1, target: target.name ?? run.target, entries: [] })
      : parseDocument(before);
  const entries: unknown = document.get("entries");
  if (!isSeq(entries)) throw new UsageError("expected a baseline with entries");
  entries.flow = false;
  const known = new Set(baseline?.expected.map(({ check }) => check));
  const added: Record<"failed" | "blocked", string[]> = { failed: [], blocked: [] };
  for (const { id, verdict } of cases.flatMap(({ checks }) => checks)) {
    if (known.has(id) || (verdict !== "fail" && verdict !== "warn" && verdict !== "blocked")) continue;
    known.add(id);
    added[verdict === "blocked" ? "blocked" : "failed"].push(id);
    (entries as YAMLSeq).add(document.createNode({ check: id, expect: verdict, reason: unexplained }));
  }
  return { text: document.toString({ lineWidth: 0 }), ...added };
}
