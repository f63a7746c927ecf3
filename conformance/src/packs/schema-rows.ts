import { methodsOf, type Protocol } from "@editwire/core";
import type { Quote, Requirement } from "../core/registry/requirement.js";
import type { SchemaRequirement } from "../monitors/schema.js";

/** A table of the methods that its specification does not state. */
export function unstated(table: Protocol): Protocol {
  const methods = Object.fromEntries(methodsOf(table).filter(([, { spec }]) => spec === undefined));
  return { ...table, methods };
}

/**
 * The requirements that the messages of a table have valid params and results. They bind in the given profiles, and are
 * stated where a document is quoted.
 */
export function schemaRows(
  table: Protocol,
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
      text: `${method} has ${part === "params" ? "valid params" : "a valid result"}`,
      quotes,
      cites: [],
      oracle: "monitor",
      profiles,
      transports: [],
      aka: [],
    };
  };
  return methodsOf(table).flatMap(([method, { from, kind }]) => {
    const other = table.roles.find((role) => role !== from) ?? "both";
    return [
      row(method, "params", from),
      ...(kind === "request" ? [row(method, "result", from === "both" ? "both" : other)] : []),
    ];
  });
}
