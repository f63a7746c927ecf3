import type { Case } from "./case.js";
import { UsageError } from "../errors.js";
import { type FaultAxis, overFaults } from "./fault-axis.js";

/** Says whether a text matches a pattern in which `*` matches any text. */
export function globs(pattern: string, text: string): boolean {
  if (!pattern.includes("*")) return pattern === text;
  const source = pattern
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${source}$`, "s").test(text);
}

/** The selection of cases. */
export interface Selection {
  /** Default: every role. */
  readonly role?: string | undefined;
  /** Patterns for case ids; default: all. */
  readonly filter?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** Patterns for requirement ids: selects cases that judge one of them. */
  readonly requirements?: readonly string[] | undefined;
  /** The cases that are repeated over disturbed byte streams, as `<id>@<fault>`. Default `none`. */
  readonly faultAxis?: FaultAxis | undefined;
}

/**
 * The selected cases in their order, smoke cases first. Throws a `UsageError` for a pattern that matches
 * nothing, and for an empty selection.
 */
export function selectCases(
  cases: readonly Case[],
  { role, filter = [], skip = [], requirements = [], faultAxis = "none" }: Selection,
  transport?: string,
): Case[] {
  const ofRole = overFaults(cases, faultAxis, transport).filter(
    (one) => (role === undefined || one.role === role) && isAbout(one, transport),
  );
  const what = role === undefined ? "case" : `${role} case`;
  for (const pattern of [...filter, ...skip]) {
    if (!ofRole.some(({ id }) => globs(pattern, id))) throw new UsageError(`no ${what} matches "${pattern}"`);
  }
  for (const pattern of requirements) {
    if (!ofRole.some(({ emits }) => emits.some((req) => globs(pattern, req))))
      throw new UsageError(`no ${what} judges "${pattern}"`);
  }
  const selected = ofRole.filter(
    ({ id, emits }) =>
      (filter.length === 0 || filter.some((pattern) => globs(pattern, id))) &&
      !skip.some((pattern) => globs(pattern, id)) &&
      (requirements.length === 0 || emits.some((req) => requirements.some((pattern) => globs(pattern, req)))),
  );
  if (selected.length === 0) throw new UsageError("the options exclude every case");
  return [...selected.filter(({ smoke }) => smoke === true), ...selected.filter(({ smoke }) => smoke !== true)];
}

/**
 * Whether a case or a requirement applies to a transport. `stdio` stands for every stream of framed bytes. Without a
 * list, all apply.
 */
export function isAbout(
  { transports = [] }: { readonly transports?: readonly string[] | undefined },
  transport: string | undefined,
): boolean {
  if (transport === undefined || transports.length === 0) return true;
  return transports.includes(transport === "memory" || transport === "unix" ? "stdio" : transport);
}
