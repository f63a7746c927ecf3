import { isObject } from "@editwire/core";
import type { Statement } from "../core/registry/statement.js";

/** A step into a value: a field, every item of a list, or only objects whose `type` has a value. */
export type Step = string | { readonly items: true } | { readonly type: string };

/** A field, or a type of its own, that a specification declares in TypeScript, and one place where it stands. */
export interface Declared {
  /** The anchor of the declaration. */
  readonly at: string;
  /** From the root of a message's part to the field. */
  readonly path: readonly Step[];
}

interface Declaration {
  readonly anchor: string;
  /** The type, without comments: `string`, `A | B`, `A[]`, or `{` where members follow. */
  readonly type: string;
}

const items = { items: true } as const;

/**
 * Reads the declarations of a specification, and finds the place of each one below a root such as `ChatPromptParams`.
 * `more` names members of a union that the specification forgets. A field of the type `any` cannot be wrong.
 */
export function declaredBelow(
  statements: readonly Statement[],
  more: Readonly<Record<string, readonly string[]>> = {},
): (root: string) => readonly Declared[] {
  const declarations = new Map<string, Declaration>();
  for (const { anchor, text } of statements) {
    const names = anchor.slice(anchor.indexOf(":") + 1);
    const code = text.replace(/\/\*.*?\*\//g, "").trim();
    const type = /^(?:export )?type \w+ = (.*);$/.exec(code)?.[1] ?? /^\w+\??:\s*(.*?);?$/.exec(code)?.[1];
    if (type !== undefined && /^[A-Z]/.test(names)) declarations.set(names, { anchor, type });
  }
  const isInterface = (name: string): boolean => [...declarations.keys()].some((one) => one.startsWith(`${name}.`));
  const members = (name: string, path: readonly Step[]): Declared[] =>
    [...declarations].flatMap(([names, { anchor, type }]) => {
      const [field = "", ...deeper] = names.startsWith(`${name}.`) ? names.slice(name.length + 1).split(".") : [];
      if (field === "" || deeper.length > 0 || type === "any") return [];
      return [{ at: anchor, path: [...path, field] }, ...within(names, type, [...path, field])];
    });
  const within = (names: string, type: string, path: readonly Step[]): Declared[] => {
    if (type === "{") return members(names, path);
    if (type === "[{") return members(names, [...path, items]);
    if (type.endsWith("[]")) return within(names, type.slice(0, -2), [...path, items]);
    if (isInterface(type)) return members(type, path);
    const alias = declarations.get(type);
    if (alias === undefined) return [];
    const variants = [...alias.type.split("|"), ...(more[type] ?? [])].map((one) => one.trim());
    const found = variants.filter(isInterface).flatMap((one) => {
      const tag = /^'(.*)'$/.exec(declarations.get(`${one}.type`)?.type ?? "")?.[1];
      return members(one, tag === undefined ? path : [...path, { type: tag }]);
    });
    return [{ at: alias.anchor, path }, ...found];
  };
  return (root) => {
    const seen = new Set<string>();
    return within("", root, []).filter(({ at }) => seen.size !== seen.add(at).size);
  };
}

/** Stands for a field that is left out. */
export const gone = Symbol("gone");

/** A copy with something else at every place that a path leads to; the value itself if it leads to none. */
export function changeAt(
  value: unknown,
  [step, ...rest]: readonly Step[],
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value);
  if (typeof step === "object" && "items" in step)
    return Array.isArray(value) ? value.map((item: unknown) => changeAt(item, rest, change)) : value;
  if (!isObject(value)) return value;
  if (typeof step === "object") return value["type"] === step.type ? changeAt(value, rest, change) : value;
  if (!Object.hasOwn(value, step)) return value;
  const { [step]: before, ...others } = value;
  const after = changeAt(before, rest, change);
  return after === gone ? others : { ...others, [step]: after };
}
