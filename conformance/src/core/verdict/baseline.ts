import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import type { Check } from "./check.js";
import { UsageError } from "../errors.js";
import { globs } from "../run/select.js";

/** A known failure, and the reason why it is accepted. */
export interface BaselineEntry {
  /** A check's id, `<case or monitor>#<requirement>`; `*` matches any text. */
  readonly check: string;
  readonly expect: "fail" | "warn" | "blocked" | "flaky";
  /** Why it is accepted; empty until somebody says so. */
  readonly reason: string;
  readonly where?: { readonly transport?: string | undefined; readonly profile?: string | undefined } | undefined;
  readonly link?: string | undefined;
  /** The day on which the entry expires, `YYYY-MM-DD`. */
  readonly until?: string | undefined;
}

/** The result of each entry of a baseline. */
export interface BaselineReport {
  /** Checks that have the verdict that an entry expects. */
  readonly expected: readonly { readonly check: string; readonly reason: string }[];
  /** Entries whose checks all pass now. */
  readonly stale: readonly string[];
  /** Entries that name no check of this run. */
  readonly unmatched: readonly string[];
  /** Entries that have expired. */
  readonly expired: readonly string[];
  /** Entries whose checks have another verdict than expected. */
  readonly different: readonly string[];
}

const File = z.strictObject({
  version: z.literal(1),
  target: z.string().optional(),
  entries: z.array(
    z.strictObject({
      check: z.union([z.string(), z.array(z.string()).min(1)]),
      expect: z.enum(["fail", "warn", "blocked", "flaky"]),
      reason: z.string().default(""),
      where: z.strictObject({ transport: z.string().optional(), profile: z.string().optional() }).optional(),
      link: z.string().optional(),
      until: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}$/)
        .optional(),
    }),
  ),
});

/** Reads a baseline file. Throws a `UsageError` that names the invalid field. */
export function readBaseline(file: string): BaselineEntry[] {
  let content: unknown;
  try {
    content = parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`cannot read the baseline ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = File.safeParse(content);
  if (!parsed.success) throw new UsageError(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data.entries.flatMap(({ check, ...rest }) => [check].flat().map((one) => ({ check: one, ...rest })));
}

/** The facts about a run that a baseline is compared with, beside its checks. */
export interface BaselineSetting {
  readonly transport: string;
  readonly profile: string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Cases and monitors that this run left out: entries about them are not unmatched. */
  readonly leftOut: readonly string[];
}

/** Compares the checks of a run with a baseline. */
export function applyBaseline(
  entries: readonly BaselineEntry[],
  checks: readonly Check[],
  { transport, profile, today, leftOut }: BaselineSetting,
): BaselineReport {
  const report = { expected: [], stale: [], unmatched: [], expired: [], different: [] } as {
    [K in keyof BaselineReport]: BaselineReport[K][number][];
  };
  for (const entry of entries) {
    const { check, expect, until, where, reason } = entry;
    if (where?.transport !== undefined && !globs(where.transport, transport)) continue;
    if (where?.profile !== undefined && !globs(where.profile, profile)) continue;
    const found = checks.filter(({ id }) => globs(check, id));
    const source = check.split("#")[0] ?? "";
    if (found.length === 0 && leftOut.some((id) => globs(source, id))) continue;
    if (found.length === 0) report.unmatched.push(check);
    else if (until !== undefined && until <= today) report.expired.push(check);
    else judge(found, expect, entry, reason, report);
  }
  return report;
}

function judge(
  found: readonly Check[],
  expect: BaselineEntry["expect"],
  { check }: BaselineEntry,
  reason: string,
  report: { stale: string[]; different: string[]; expected: { check: string; reason: string }[] },
): void {
  const as = found.filter(({ verdict }) => verdict === expect || (expect === "flaky" && verdict === "fail"));
  const otherwise = found
    .filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "warn")
    .filter((one) => !as.includes(one));
  for (const { id } of as) report.expected.push({ check: id, reason });
  if (otherwise.some(({ verdict }) => verdict !== "warn")) report.different.push(check);
  else if (as.length === 0 && expect !== "flaky") report.stale.push(check);
}
