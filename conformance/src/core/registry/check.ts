import { clauseProblems } from "./clauses.js";
import type { ConformanceProtocol } from "../protocol.js";
import { allQuotes, quotes, type Registry } from "./registry.js";
import type { Quote, Requirement } from "./requirement.js";
import { normalize, pin } from "./statements.js";

/** The input for checking a registry. */
export type RegistryUsers = Pick<ConformanceProtocol, "cases" | "monitors" | "roles" | "profiles" | "mutants"> & {
  vectors(): readonly { req: string; id: string }[];
};

/** The problems of a registry, one line each; empty if it is complete. */
export function registryProblems(registry: Registry, users: RegistryUsers): string[] {
  return [
    ...driftProblems(registry),
    ...quoteProblems(registry),
    ...coverageProblems(registry),
    ...oracleProblems(registry, users),
    ...clauseProblems(registry, users),
  ];
}

/** Reports statements that changed since the registry was reviewed. */
function driftProblems({ statements, pins }: Registry): string[] {
  const anchors = new Set(statements.map(({ anchor }) => anchor));
  return [
    ...statements.flatMap(({ anchor, text, profile }) => {
      // The pages hold a copy of what is quoted, which does not change by itself.
      if (profile !== undefined) return [];
      const pinned = pins[anchor];
      if (pinned === undefined) return [`${anchor}: is new in the spec: "${text}"`];
      return pinned === pin(text) ? [] : [`${anchor}: was changed in the spec, now: "${text}"`];
    }),
    ...Object.keys(pins).flatMap((anchor) => (anchors.has(anchor) ? [] : [`${anchor}: is no longer in the spec`])),
  ];
}

/** Reports quotes that are not at the anchor of their row. */
function quoteProblems({ requirements, exclusions, statements }: Registry): string[] {
  const byAnchor = new Map(statements.map((statement) => [statement.anchor, statement]));
  return [
    ...requirements.flatMap((row) =>
      allQuotes(row).flatMap(({ at, text }) => {
        const { id } = row;
        const statement = byAnchor.get(at);
        if (statement === undefined) return [`${id}: quotes ${at}, which is not in the spec`];
        return quotes(statement, text) ? [] : [`${id}: "${text}" does not stand at ${at}`];
      }),
    ),
    ...requirements.flatMap((row) =>
      repeated(allQuotes(row)).map(({ at, text }) => `${row.id}: quotes "${text}" at ${at} twice`),
    ),
    ...exclusions.flatMap(({ at }) => (byAnchor.has(at) ? [] : [`exclusion ${at}: is not in the spec`])),
  ];
}

/** Quotes of the same words, in whole or in part, at the same place for the same role. */
function repeated(quoted: readonly Quote[]): readonly Quote[] {
  return quoted.filter(({ at, text, role }, index) =>
    quoted
      .slice(0, index)
      .some(
        (one) =>
          one.at === at &&
          one.role === role &&
          (normalize(one.text).includes(normalize(text)) || normalize(text).includes(normalize(one.text))),
      ),
  );
}

/** Reports statements with neither a row nor an exclusion, or with both. */
function coverageProblems({ requirements, exclusions, statements }: Registry): string[] {
  const claimed = new Set(requirements.flatMap((row) => allQuotes(row).map(({ at }) => at)));
  const excluded = new Set(exclusions.map(({ at }) => at));
  return statements.flatMap(({ anchor, text }) => {
    if (claimed.has(anchor) && excluded.has(anchor)) return [`${anchor}: is both quoted and excluded`];
    return claimed.has(anchor) || excluded.has(anchor) ? [] : [`${anchor}: is neither quoted nor excluded: "${text}"`];
  });
}

/** Reports rows without a check, and checks without a row. */
function oracleProblems(
  { requirements, byId }: Registry,
  { cases, monitors, vectors, roles, profiles }: RegistryUsers,
): string[] {
  const users: { by: string; oracle: string; req: string; role: string | undefined }[] = [
    ...cases.flatMap(({ id, emits, role }) => emits.map((req) => ({ by: `case ${id}`, oracle: "case", req, role }))),
    ...monitors.flatMap(({ id, req, role }) =>
      req.map((one) => ({ by: `monitor ${id}`, oracle: "monitor", req: one, role })),
    ),
    ...vectors().map(({ id, req }) => ({ by: `vector ${id}`, oracle: "vector", req, role: undefined })),
  ];
  const unknown = users.flatMap(({ by, req }) =>
    byId.has(req) ? [] : [`${by}: judges ${req}, which is not in the registry`],
  );
  const known = { roles: Object.keys(roles), profiles: profiles.map(({ name }) => name) };
  const judged = new Set(users.map(({ oracle, req }) => `${oracle} ${req}`));
  return [...unknown, ...requirements.flatMap((row) => rowProblems(row, judged, known))];
}

function rowProblems(
  { id, oracle, excluded, role, basis, quotes: rows, profiles, in: restated = {} }: Requirement,
  judged: ReadonlySet<string>,
  known: { readonly roles: readonly string[]; readonly profiles: readonly string[] },
): string[] {
  const problems: string[] = [];
  for (const { at, role: bound = role } of allQuotes({ quotes: rows, in: restated }))
    if (bound !== role && (role !== "both" || !known.roles.includes(bound)))
      problems.push(`${id}: its quote ${at} binds "${bound}", which the requirement does not`);
  if (role !== "both" && !known.roles.includes(role)) problems.push(`${id}: names the unknown role "${role}"`);
  for (const name of [...profiles, ...Object.keys(restated)])
    if (!known.profiles.includes(name)) problems.push(`${id}: names the unknown profile "${name}"`);
  if (basis !== "interop" && rows.length === 0) problems.push(`${id}: expected a quote, unless the basis is interop`);
  if (oracle === "none") {
    if (excluded === undefined) problems.push(`${id}: expected an oracle, or a reason in excluded`);
  } else if (excluded !== undefined) {
    problems.push(`${id}: expected either an oracle or excluded, received both`);
  } else if (!judged.has(`${oracle} ${id}`)) {
    problems.push(`${id}: no ${oracle} judges it`);
  }
  return problems;
}
