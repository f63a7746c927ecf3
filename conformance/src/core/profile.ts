import type { Case } from "./case.js";
import type { Registry } from "./registry.js";
import type { Requirement } from "./requirement.js";

/** A dialect that a target can be judged by. */
export interface SuiteProfile<Traits = unknown> {
  /** Its name in `--profile` and in the `profiles` of requirements. */
  readonly name: string;
  /** What people call it; default: its name. */
  readonly title?: string | undefined;
  /** How the suite itself speaks the dialect; its type belongs to the protocol. */
  readonly traits?: Traits | undefined;
  /** The framings that the dialect has on byte streams. Default: both. */
  readonly framings?: readonly ("line" | "header")[] | undefined;
  /** Reads the dialect's own forms as the schemas have them. Default: the protocol's `accept`. */
  readonly accept?: ((method: string, part: "params" | "result", value: unknown) => unknown) | undefined;
}

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
