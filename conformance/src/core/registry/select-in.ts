import { HarnessError } from "../errors.js";
import type { Lookup } from "../verdict/check.js";
import type { Registry } from "./registry.js";
import type { Requirement } from "./requirement.js";

const views = new WeakMap<Registry, Map<string, Registry>>();

/**
 * The registry as a profile's own document has it. A row that no sentence of that document is quoted for is no
 * requirement that the document states: real peers need it, so its basis is `interop`. Without a document of its own, a
 * profile has that of the specification.
 */
export function registryIn(registry: Registry, profile: string): Registry {
  const known = views.get(registry) ?? new Map<string, Registry>();
  views.set(registry, known);
  const found = known.get(profile) ?? viewOf(registry, profile);
  known.set(profile, found);
  return found;
}

function viewOf(registry: Registry, profile: string): Registry {
  if (!registry.statements.some((statement) => statement.profile === profile)) return registry;
  const own = new Set(
    registry.statements.filter((statement) => statement.profile === profile).map(({ anchor }) => anchor),
  );
  const requirements = registry.requirements.map((row) => restated(row, profile, own));
  return { ...registry, requirements, byId: new Map(requirements.map((row) => [row.id, row])) };
}

function restated(row: Requirement, profile: string, own: ReadonlySet<string>): Requirement {
  const { level = row.level, basis = row.basis, quotes = row.quotes } = row.in?.[profile] ?? {};
  const quoted = quotes.filter(({ at }) => own.has(at));
  return { ...row, level, basis: quoted.length === 0 ? "interop" : basis, quotes: quoted };
}

/** Finds requirements by id. An unknown id is a bug of the suite. */
export function lookupIn({ byId }: Registry): Lookup {
  return (id) => {
    const row = byId.get(id);
    if (row === undefined) throw new HarnessError(`unknown requirement ${id}`);
    return row;
  };
}
