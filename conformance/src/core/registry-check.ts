import type { ConformanceProtocol } from "./protocol.js";
import { quotes, type Registry } from "./registry.js";
import type { Requirement } from "./requirement.js";
import { pin } from "./statements.js";

/** What is needed to check a registry. */
export type RegistryUsers = Pick<ConformanceProtocol, "cases" | "monitors" | "roles" | "profiles"> & {
  vectors(): readonly { req: string; id: string }[];
};

/** Everything that is wrong with a registry, one line each; empty when it is complete. */
export function registryProblems(registry: Registry, users: RegistryUsers): string[] {
  return [
    ...driftProblems(registry),
    ...quoteProblems(registry),
    ...coverageProblems(registry),
    ...oracleProblems(registry, users),
  ];
}

/** The spec says something else than when the registry was reviewed. */
function driftProblems({ statements, pins }: Registry): string[] {
  const anchors = new Set(statements.map(({ anchor }) => anchor));
  return [
    ...statements.flatMap(({ anchor, text }) => {
      const pinned = pins[anchor];
      if (pinned === undefined) return [`${anchor}: is new in the spec: "${text}"`];
      return pinned === pin(text) ? [] : [`${anchor}: was changed in the spec, now: "${text}"`];
    }),
    ...Object.keys(pins).flatMap((anchor) => (anchors.has(anchor) ? [] : [`${anchor}: is no longer in the spec`])),
  ];
}

/** A quote is not where the row says. */
function quoteProblems({ requirements, exclusions, statements }: Registry): string[] {
  const byAnchor = new Map(statements.map((statement) => [statement.anchor, statement]));
  return [
    ...requirements.flatMap(({ id, quotes: rows }) =>
      rows.flatMap(({ at, text }) => {
        const statement = byAnchor.get(at);
        if (statement === undefined) return [`${id}: quotes ${at}, which is not in the spec`];
        return quotes(statement, text) ? [] : [`${id}: "${text}" does not stand at ${at}`];
      }),
    ),
    ...exclusions.flatMap(({ at }) => (byAnchor.has(at) ? [] : [`exclusion ${at}: is not in the spec`])),
  ];
}

/** A statement that no row claims and no exclusion explains, or that has both. */
function coverageProblems({ requirements, exclusions, statements }: Registry): string[] {
  const claimed = new Set(requirements.flatMap(({ quotes: rows }) => rows.map(({ at }) => at)));
  const excluded = new Set(exclusions.map(({ at }) => at));
  return statements.flatMap(({ anchor, text }) => {
    if (claimed.has(anchor) && excluded.has(anchor)) return [`${anchor}: is both claimed and excluded`];
    return claimed.has(anchor) || excluded.has(anchor) ? [] : [`${anchor}: is neither claimed nor excluded: "${text}"`];
  });
}

/** A row without a check, a check without a row. */
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
  { id, oracle, excluded, role, basis, quotes: rows, profiles }: Requirement,
  judged: ReadonlySet<string>,
  known: { readonly roles: readonly string[]; readonly profiles: readonly string[] },
): string[] {
  const problems: string[] = [];
  if (role !== "both" && !known.roles.includes(role)) problems.push(`${id}: binds the unknown role "${role}"`);
  for (const name of profiles)
    if (!known.profiles.includes(name)) problems.push(`${id}: belongs to the unknown profile "${name}"`);
  if (basis !== "interop" && rows.length === 0)
    problems.push(`${id}: has no quote; only what the spec is silent about (basis: interop) may do without`);
  if (oracle === "none") {
    if (excluded === undefined) problems.push(`${id}: has no oracle and no reason for that`);
  } else if (excluded !== undefined) {
    problems.push(`${id}: has an oracle, so nothing is excluded`);
  } else if (!judged.has(`${oracle} ${id}`)) {
    problems.push(`${id}: no ${oracle} judges it`);
  }
  return problems;
}
