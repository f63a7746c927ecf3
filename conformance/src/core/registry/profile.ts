import type { Case } from "../run/case.js";
import type { SuiteProfile } from "../run/context.js";
import type { Registry } from "./registry.js";
import type { Requirement } from "./requirement.js";

/** Says whether a requirement applies to a profile. A requirement without profiles applies to all. */
export function bindsIn({ profiles }: Pick<Requirement, "profiles">, profile: string): boolean {
  return profiles.length === 0 || profiles.includes(profile);
}

/** The cases, except those whose requirements apply only to other profiles. */
export function casesIn(
  cases: readonly Case[],
  { byId }: Pick<Registry, "byId">,
  { name, framings }: SuiteProfile,
): Case[] {
  const isElsewhere = (req: string): boolean => {
    const row = byId.get(req);
    return row !== undefined && !bindsIn(row, name);
  };
  return cases.filter(
    ({ emits, framing }) =>
      (emits.length === 0 || !emits.every(isElsewhere)) &&
      (framing === undefined || framings === undefined || framings.includes(framing)),
  );
}
