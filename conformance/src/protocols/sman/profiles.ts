import type { CaseContext, SuiteProfile } from "../../core/run/context.js";
import { v2Greeting } from "./v2.js";

type Json = Record<string, unknown>;

/** How the suite itself speaks a dialect of sman. */
export interface SmanTraits {
  /** The first messages of the suite as a backend. */
  readonly greeting: (sessionId: string) => readonly Json[];
}

/** The dialects of sman, the specification's own first. */
export const profiles: readonly SuiteProfile<SmanTraits>[] = [
  { name: "spec", traits: { greeting: () => [] } },
  { name: "v2", title: "2.0", traits: { greeting: (sessionId) => [v2Greeting(sessionId)] } },
];

/** The traits of the profile that a case is judged in. */
export function traitsOf({ profile }: Pick<CaseContext, "profile">): SmanTraits {
  return profile.traits as SmanTraits;
}
