import type { CaseContext, SuiteProfile } from "../../core/run/context.js";
import { v2026Greeting } from "./v2026.js";

type Json = Record<string, unknown>;

/** How the suite itself speaks a dialect of ECA, and what it expects in it. */
export interface EcaTraits {
  /**
   * Notifications that the suite sends as a server once the client is initialized; editors of the dialect wait for some
   * of them.
   */
  readonly greeting: readonly (readonly [method: string, params: Json])[];
  /** The `status` in the suite's answer to a prompt. */
  readonly promptStatus: string;
}

/** The dialects of ECA, the specification's own first. */
export const profiles: readonly SuiteProfile<EcaTraits>[] = [
  { name: "spec", traits: { greeting: [], promptStatus: "success" } },
  { name: "v2026", traits: { greeting: v2026Greeting, promptStatus: "prompting" } },
];

/** The traits of the profile that a case is judged in. */
export function traitsOf({ profile }: Pick<CaseContext, "profile">): EcaTraits {
  return profile.traits as EcaTraits;
}
