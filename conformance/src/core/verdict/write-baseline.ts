import { Document, isSeq, parseDocument, type YAMLSeq } from "yaml";
import { keyOf } from "./causes.js";
import type { Check } from "./check.js";
import { UsageError } from "../errors.js";
import type { RunReport } from "./report.js";
import type { Verdict } from "./verdict.js";

/** A baseline file, and what was added to it. */
export interface WrittenBaseline {
  readonly text: string;
  /** Checks that failed or warned, and are now expected to. */
  readonly failed: readonly string[];
  /** Blocked checks: an entry hides that the suite cannot judge them. */
  readonly blocked: readonly string[];
  /** How many entries were added. */
  readonly causes: number;
}

/**
 * A baseline that expects the results of a run: the entries of `before` with their comments, and a new one for each
 * cause of checks that failed, warned or were blocked without an entry, ordered by requirement. A comment of each new
 * entry asks for its reason. Throws a `UsageError` if `before` is not a baseline.
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
  const found = cases.flatMap(({ checks }) => checks).filter(({ id, verdict }) => !known.has(id) && wanted(verdict));
  const groups = new Map<string, Check[]>();
  for (const check of found.sort((a, b) => (a.req < b.req ? -1 : a.req > b.req ? 1 : 0)))
    groups.set(keyOf(check), [...(groups.get(keyOf(check)) ?? []), check]);
  const added: Record<"failed" | "blocked", string[]> = { failed: [], blocked: [] };
  for (const checks of groups.values()) {
    const ids = [...new Set(checks.map(({ id }) => id))].filter((id) => !known.has(id));
    const [first] = checks;
    if (first === undefined || ids.length === 0) continue;
    for (const id of ids) known.add(id);
    added[first.verdict === "blocked" ? "blocked" : "failed"].push(...ids);
    const node = document.createNode({
      check: ids.length === 1 ? ids[0] : ids,
      expect: first.verdict,
    });
    const texts = [...new Set(checks.map(({ req }) => req))].join(", ");
    const what = visibleComment(first.message === undefined ? texts : `${texts}: ${first.message}`);
    node.commentBefore = `${what}\n${QUESTION}`;
    (entries as YAMLSeq).add(node);
  }
  return { text: document.toString({ lineWidth: 0 }), ...added, causes: groups.size };
}

const wanted = (verdict: Verdict): boolean => verdict === "fail" || verdict === "warn" || verdict === "blocked";

const QUESTION = ' Why is this accepted? reason: "…"';

/** One line of a comment; a target's text must not end it. */
function visibleComment(text: string): string {
  return ` ${text.replaceAll(/\s+/g, " ").slice(0, 200)}`;
}
