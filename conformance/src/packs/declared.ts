import { methodOf, type Protocol } from "@editwire/core";
import { mutant, type Mutant, type Patch } from "../core/mutant.js";
import { changeAt, type Declared, gone, type Step } from "../generate/declarations.js";
import type { MessagePart } from "../generate/fixtures.js";
import type { SchemaRequirement } from "../monitors/schema.js";
import { type Json, slug } from "./facts.js";

/** Facts about a protocol whose specification declares its messages in TypeScript. */
export interface DeclaredFacts {
  /** The beginning of the mutants' ids: `<protocol>.<role>`. */
  readonly prefix: string;
  readonly role: string;
  readonly table: Protocol;
  readonly requirement: SchemaRequirement;
  /** The methods that the specification has. */
  readonly methods: readonly string[];
  /** The declarations for one part of a method. */
  declared(method: string, part: MessagePart): readonly Declared[];
  /** Valid examples, which together have all that is declared. */
  examples(method: string, part: MessagePart): readonly unknown[];
  /** Whether a value is valid, in any form that its requirement allows. */
  isValid(method: string, part: MessagePart, value: unknown): boolean;
  /** A case in which a target sends the place, and the other requirements that it may fail with it. */
  shown(method: string, path: readonly Step[]): Pick<Mutant, "cases" | "collateral">;
}

const others: readonly unknown[] = [7, "text", true, {}, null, [1]];

/**
 * Targets that break one declaration each, in every message where it stands: a field is missing, or has another type.
 * They are rewriters: they change messages, and not what a reference decides. A method is sent as the other kind of
 * message, and its params are a list.
 */
export function declaredMutants(facts: DeclaredFacts): readonly Mutant[] {
  const { table, role, methods } = facts;
  return methods.flatMap((method) => {
    const def = methodOf(table, method);
    if (def === undefined) throw new TypeError(`${table.name} has no method ${method}`);
    if (def.from === role) return [...formMutants(facts, method, def.kind), ...fieldMutants(facts, method, "params")];
    return def.kind === "request" ? fieldMutants(facts, method, "result") : [];
  });
}

/** The id of the mutant that breaks a declaration, such as `eca.server/wire-TextContent-text`. */
export function declaredMutantId(prefix: string, at: string): string {
  return `${prefix}/wire-${at.slice(at.indexOf(":") + 1).replaceAll(".", "-")}`;
}

/** The ids of the mutants that send a method as the other kind of message, and its params as a list. */
export function formMutantIds({ prefix, table }: DeclaredFacts, method: string): { otherKind: string; asList: string } {
  const other = methodOf(table, method)?.kind === "request" ? "notification" : "request";
  const name = `${prefix}/wire-${slug(method)}`;
  return { otherKind: `${name}-as-${other}`, asList: `${name}-params-as-list` };
}

function formMutants(facts: DeclaredFacts, method: string, kind: "request" | "notification"): Mutant[] {
  const { otherKind, asList } = formMutantIds(facts, method);
  const rest = { violates: [facts.requirement(method, "params")], ...facts.shown(method, []) };
  return [
    mutant(otherKind, {
      ...rest,
      patch: () => {
        let count = 0;
        return outgoing(method, ({ id: _id, ...message }) =>
          kind === "notification" ? { ...message, id: `${method} ${++count}` } : message,
        );
      },
    }),
    mutant(asList, {
      ...rest,
      patch: outgoing(method, (message) => ({ ...message, params: [1] })),
    }),
  ];
}

function fieldMutants(facts: DeclaredFacts, method: string, part: MessagePart): Mutant[] {
  const used = new Set<string>();
  return facts.declared(method, part).flatMap(({ at, path }) => {
    if (path.length === 0) return [];
    const replacement = breaking(facts, method, part, path, used);
    const change = (value: unknown): unknown => changeAt(value, path, () => replacement);
    return [
      mutant(declaredMutantId(facts.prefix, at), {
        violates: [facts.requirement(method, part)],
        ...facts.shown(method, path),
        patch:
          part === "params"
            ? outgoing(method, (message) => ({ ...message, params: change(message["params"]) }))
            : { result: (one: string, result: unknown) => (one === method ? change(result) : result) },
      }),
    ];
  });
}

/**
 * The value to put in a place so that no example is valid: none if the place is required, or else a value of another
 * type. Of two declarations with the same place, each one gets a value of its own.
 */
function breaking(
  { examples, isValid }: DeclaredFacts,
  method: string,
  part: MessagePart,
  path: readonly Step[],
  used: Set<string>,
): unknown {
  const having = examples(method, part).filter((one) => isChangedAt(one, path));
  const found = [gone, ...others].find(
    (replacement) =>
      having.length > 0 &&
      !used.has(keyOf(path, replacement)) &&
      having.every(
        (one) =>
          !isValid(
            method,
            part,
            changeAt(one, path, () => replacement),
          ),
      ),
  );
  if (found === undefined)
    throw new TypeError(`${method}: no example has ${JSON.stringify(path)}, or whatever is there is valid`);
  used.add(keyOf(path, found));
  return found;
}

const keyOf = (path: readonly Step[], replacement: unknown): string => JSON.stringify([path, String(replacement)]);

function isChangedAt(value: unknown, path: readonly Step[]): boolean {
  let isThere = false;
  changeAt(value, path, (found) => {
    isThere = true;
    return found;
  });
  return isThere;
}

function outgoing(method: string, change: (message: Json) => Json): Patch {
  return { outgoing: (message: Json) => [message["method"] === method ? change(message) : message] };
}
