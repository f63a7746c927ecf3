import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import * as z from "zod";
import { packageRoot } from "../core/registry/package-root.js";
import { globs } from "../core/run/select.js";
import type { Elsewhere, MutantResult } from "./mutant-result.js";

const patterns = z.array(z.string().min(1)).min(1);

/** Why some mutants fail or block more than what they violate. In every list `*` matches any text. */
const Cause = z
  .strictObject({
    because: z.string().min(1),
    mutants: patterns,
    /** Requirements of which a check fails, or may be blocked. */
    fails: patterns.optional(),
    /** Requirements of which a check is blocked. */
    blocks: patterns.optional(),
    /** The effect shows only when certain cases run at the same time. */
    varies: z.literal(true).optional(),
  })
  .refine(({ fails, blocks }) => fails !== undefined || blocks !== undefined, "fails or blocks is missing");

/** A declared cause. */
export type Cause = z.infer<typeof Cause>;

/** Reads the declarations for a role of a protocol; none if there is no file. Throws for a file of another form. */
export function knownElsewhere(protocol: string, role: string): readonly Cause[] {
  const file = join(packageRoot(), `src/protocols/${protocol}/mutants/elsewhere-${role}.yaml`);
  return existsSync(file) ? z.array(Cause).parse(parse(readFileSync(file, "utf8"))) : [];
}

const names = (listed: readonly string[] | undefined, id: string): boolean =>
  listed?.some((pattern) => globs(pattern, id)) === true;

const explains = ({ mutants, fails, blocks }: Cause, id: string, { req, how }: Elsewhere): boolean =>
  names(mutants, id) && (names(fails, req) || (how === "blocks" && names(blocks, req)));

/** Groups the mutants that no cause explains by their effect, as causes whose reason somebody has to write. */
export function undeclared(found: readonly MutantResult[], known: readonly Cause[]): readonly Cause[] {
  const groups = new Map<string, Cause>();
  for (const { id, elsewhere } of found) {
    const left = elsewhere.filter((one) => !known.some((cause) => explains(cause, id, one)));
    const [first] = left;
    if (first === undefined) continue;
    const listed = (how: Elsewhere["how"]): string[] | undefined => {
      const reqs = left.filter((one) => one.how === how).map(({ req }) => req);
      return reqs.length > 0 ? reqs : undefined;
    };
    const [fails, blocks] = [listed("fails"), listed("blocks")];
    const key = JSON.stringify([fails, blocks]);
    const group = groups.get(key) ?? { because: `${first.at}: ${first.message}`, mutants: [], fails, blocks };
    groups.set(key, { ...group, mutants: [...group.mutants, id] });
  }
  return [...groups.values()];
}

/** Declared effects that did not happen: mutants or requirements that a cause names in vain, unless it varies. */
export function stale(found: readonly MutantResult[], known: readonly Cause[]): readonly string[] {
  return known.flatMap((cause) => {
    if (cause.varies) return [];
    const seen = found.flatMap(({ id, elsewhere }) =>
      elsewhere.filter((one) => explains(cause, id, one)).map(({ req, how }) => ({ id, req, how })),
    );
    const inVain = [
      ...cause.mutants.filter((pattern) => !seen.some(({ id }) => globs(pattern, id))),
      ...(cause.fails ?? []).filter((pattern) => !seen.some(({ req, how }) => how === "fails" && globs(pattern, req))),
      ...(cause.blocks ?? []).filter((pattern) => !seen.some(({ req }) => globs(pattern, req))),
    ];
    return inVain.map((name) => `"${cause.because}" no longer explains anything of ${name}`);
  });
}

/** The causes in the form of the file. */
export function writeCauses(causes: readonly Cause[]): string {
  return stringify(causes, { lineWidth: 120 });
}
