import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "../mutant.js";
import { packageRoot } from "./package-root.js";
import type { ConformanceProtocol } from "../protocol.js";
import type { Registry } from "./registry.js";
import type { Quote, Requirement } from "./requirement.js";

/** The programs that use or break clauses. */
export type ClauseUsers = Pick<ConformanceProtocol, "mutants" | "roles">;

/** A quote of a requirement, for one role that can violate it. */
interface Clause {
  readonly row: Requirement;
  readonly quote: Quote;
  readonly role: string;
  /** The profile whose document the quote is of; absent for the specification. */
  readonly profile: string | undefined;
}

/**
 * The clauses without a mutant of their own, such as `ACP-SESSION-001 agent 5.3:s1`: quotes of requirements that are
 * judged, and that neither list a mutant of that role nor repeat another quote.
 */
export function clausesWithoutMutants(registry: Registry, { mutants, roles }: ClauseUsers): string[] {
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  return clausesOf(registry, Object.keys(roles)).flatMap((clause) => {
    const { quote, role } = clause;
    if (quote.repeats !== undefined) return [];
    return (quote.mutants ?? []).some((id) => byId.get(id)?.role === role) ? [] : [nameOf(clause)];
  });
}

/** Reports mutants of quotes that are unknown or break something else, and repetitions of nothing. */
export function clauseProblems(registry: Registry, { mutants, roles }: ClauseUsers): string[] {
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const clauses = clausesOf(registry, Object.keys(roles));
  const listed = new Map<string, string>();
  const problems = clauses.flatMap((clause) => {
    const { row, quote, role } = clause;
    const own = (quote.mutants ?? []).flatMap((id) => {
      const found = byId.get(id);
      if (found === undefined) return [`${nameOf(clause)}: the mutant ${id} does not exist`];
      if (found.role !== role) return [];
      const key = `${row.id} ${id}`;
      const other = listed.get(key);
      listed.set(key, quote.at);
      if (other !== undefined) return [`${nameOf(clause)}: ${id} is the mutant of ${other} already`];
      return mutantProblems(clause, found, registry);
    });
    return [...own, ...repeatProblems(clause, clauses)];
  });
  return [...new Set([...problems, ...sharedProblems(clauses, mutants)])];
}

/**
 * Reports two requirements that quote the same words for the same role and mean the same: no mutant violates the one
 * and not the other.
 */
function sharedProblems(clauses: readonly Clause[], mutants: ClauseUsers["mutants"]): string[] {
  const wordsOf = ({ quote, role }: Clause): string => `${role} ${quote.at} ${quote.text}`;
  const isAlone = (one: Clause, other: Clause): boolean =>
    mutants.some(
      ({ role, violates }) => role === one.role && violates.includes(one.row.id) && !violates.includes(other.row.id),
    );
  return clauses.flatMap((one) =>
    clauses
      .filter((other) => other.row !== one.row && wordsOf(other) === wordsOf(one) && !isAlone(one, other))
      .map(({ row }) => `${nameOf(one)}: ${row.id} quotes the same words, and no mutant violates ${one.row.id} alone`),
  );
}

/**
 * Compares the clauses without mutants with those that are known, which may only become fewer: reports what is new, and
 * what is known but has its mutant.
 */
export function gapProblems(found: readonly string[], known: readonly string[]): string[] {
  return [
    ...found
      .filter((clause) => !known.includes(clause))
      .map((clause) => `${clause}: no mutant violates just this quote`),
    ...known
      .filter((clause) => !found.includes(clause))
      .map((clause) => `${clause}: is listed as a gap, and is none; take it off the list (registry clauses --shrink)`),
  ];
}

/** The file that lists a protocol's known clauses without mutants. */
export function gapFile(protocol: string): string {
  return join(packageRoot(), `src/protocols/${protocol}/registry/clauses-without-mutants.json`);
}

/** A protocol's known clauses without mutants. */
export function knownGaps(protocol: string): readonly string[] {
  const file = gapFile(protocol);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as string[]) : [];
}

function clausesOf({ requirements, statements }: Registry, roles: readonly string[]): Clause[] {
  const profiles = new Map(statements.map(({ anchor, profile }) => [anchor, profile]));
  return requirements
    .filter(({ oracle }) => oracle === "case" || oracle === "monitor")
    .flatMap((row) =>
      [...row.quotes, ...Object.values(row.in ?? {}).flatMap(({ quotes }) => quotes)].flatMap((quote) =>
        roles
          .filter((role) => (row.role === "both" ? (quote.role ?? role) === role : row.role === role))
          .map((role) => ({ row, quote, role, profile: profiles.get(quote.at) })),
      ),
    );
}

function nameOf({ row, quote, role }: Clause): string {
  return `${row.id} ${role} ${quote.at}`;
}

function mutantProblems(clause: Clause, { id, violates, profile }: Mutant, { statements }: Registry): string[] {
  const name = nameOf(clause);
  // A profile without a document of its own is judged by the specification.
  const own = statements.some((statement) => statement.profile === profile) ? profile : undefined;
  return [
    ...(violates.includes(clause.row.id) ? [] : [`${name}: ${id} does not violate ${clause.row.id}`]),
    ...(own === clause.profile ? [] : [`${name}: ${id} is judged by the document of another profile`]),
  ];
}

function repeatProblems(clause: Clause, clauses: readonly Clause[]): string[] {
  const { row, quote, profile } = clause;
  if (quote.repeats === undefined) return [];
  const found = clauses.find((one) => one.row === row && one.quote.at === quote.repeats && one.profile === profile);
  return found === undefined || found.quote === quote || found.quote.repeats !== undefined
    ? [`${nameOf(clause)}: repeats ${quote.repeats}, which is not a clause of ${row.id}`]
    : [];
}
