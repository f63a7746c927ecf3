import { type AnySchema, isObject } from "@editwire/core";
import type * as z from "zod/mini";

/** Names of members by other names of them. */
export type Aliases = ReadonlyMap<string, string>;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** These names in the other case, snake or camel; `others` has further aliases. */
export function aliasesOf(names: readonly string[], others: Readonly<Record<string, string>> = {}): Aliases {
  const pairs = names.flatMap((name) => [snakeCase(name), camelCase(name)].map((alias) => [alias, name] as const));
  return new Map([...pairs, ...Object.entries(others)].filter(([alias, name]) => alias !== name));
}

/** The other names of a tool's params. */
export function paramAliases(names: readonly string[]): Aliases {
  return aliasesOf(names, names.includes("relativePath") ? { path: "relativePath" } : {});
}

export const callAliases = aliasesOf(["toolName", "webSocketSessionId"], { parameters: "params", tool: "toolName" });

export const resultAliases = aliasesOf(["executionTime"], { errorMessage: "error", error_message: "error" });

/** True if an object has a member under its name or under another. */
export function hasMember(object: Readonly<Record<string, unknown>>, name: string, aliases: Aliases): boolean {
  if (object[name] !== undefined) return true;
  return [...aliases].some(([alias, meant]) => meant === name && object[alias] !== undefined);
}

/**
 * Refuses members under other names. The objects are loose, so one that is optional would be overlooked otherwise.
 */
export function properNames(aliases: Aliases): z.core.CheckFn<unknown> {
  return ({ value, issues }) => {
    if (!isObject(value)) return;
    // Over the few members that are there, because this runs for every call, and a look-up of a missing one is slow.
    for (const alias in value) {
      const name = aliases.get(alias);
      if (name === undefined || value[alias] === undefined || value[name] !== undefined) continue;
      issues.push({ code: "custom", message: `expected the name ${name}`, path: [alias], input: value });
    }
  };
}

/** The names of the members of a loose object. */
export function namesOf(schema: AnySchema): readonly string[] {
  return Object.keys((schema as unknown as { readonly shape: object }).shape);
}
