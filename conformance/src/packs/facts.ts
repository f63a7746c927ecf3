import { isObject, methodOf, type Protocol } from "@editwire/core";
import type { CaseContext } from "../core/run/context.js";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Facts about a protocol with which the packs write its cases for targets of one role. */
export interface PackFacts<T extends CaseContext = CaseContext> {
  /** The beginning of the cases' ids: `<protocol>.<role>`. */
  readonly prefix: string;
  /** The role of the target. */
  readonly role: string;
  readonly table: Protocol;
  /** The capabilities that the target declared; makes the handshake first. */
  capabilities(t: T): Promise<unknown>;
  /** Valid params of a method, about a session that exists: opens one where the method names one. */
  params(t: T, method: string): Promise<Json>;
  /** Optional fields of a method with values that mean something to the target. Default: none. */
  readonly optional?: ((method: string) => Json) | undefined;
}

/** A method's name as part of the id of a case or a mutant. */
export const slug = (method: string): string => method.replace(/^[^A-Za-z0-9]+/, "").replace(/[^A-Za-z0-9]+/g, "-");

/** The methods of a kind that a role sends. */
export function methodsOfKind(table: Protocol, from: string, kind: "request" | "notification"): readonly string[] {
  return Object.keys(table.methods as object).filter((method) => {
    const def = methodOf(table, method);
    return def?.kind === kind && def.from === from;
  });
}

/** Ends a case about a method when the target did not declare the capability that the method table demands. */
export async function needsCapability<T extends CaseContext>(
  t: T,
  { table, capabilities }: Pick<PackFacts<T>, "table" | "capabilities">,
  method: string,
): Promise<void> {
  const path = methodOf(table, method)?.capability;
  if (path === undefined) return;
  let found = await capabilities(t);
  for (const key of path.split(".")) found = isObject(found) ? found[key] : undefined;
  t.needs(found === true || isObject(found), `the ${t.role} does not declare ${path}`);
}
