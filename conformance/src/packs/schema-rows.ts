import { methodsOf, type Protocol } from "@editwire/core";
import type { Quote, Requirement } from "../core/requirement.js";
import type { SchemaRequirement } from "../monitors/schema.js";

/**
 * The requirements that the messages of a table have valid params and results, for methods that no specification
 * states. They bind in the given profiles only, and are stated where the document of such a profile is quoted.
 */
export function schemaRows(
  { methods, ...table }: Protocol,
  requirement: SchemaRequirement,
  { level, profiles }: Pick<Requirement, "level" | "profiles">,
  quotesOf: (method: string, part: "params" | "result") => readonly Quote[] = () => [],
): Requirement[] {
  const row = (method: string, part: "params" | "result", role: string): Requirement => {
    const quotes = quotesOf(method, part);
    return {
      id: requirement(method, part),
      level,
      basis: quotes.length > 0 ? "stated" : "interop",
      role,
      text: `${method} has valid ${part}`,
      quotes,
      cites: [],
      oracle: "monitor",
      profiles,
      transports: [],
      aka: [],
    };
  };
  return methodsOf({ methods, ...table }).flatMap(([method, { from, kind, spec }]) => {
    if (spec !== undefined) return [];
    const other = table.roles.find((role) => role !== from) ?? "both";
    return [
      row(method, "params", from),
      ...(kind === "request" ? [row(method, "result", from === "both" ? "both" : other)] : []),
    ];
  });
}
