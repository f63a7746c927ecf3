import { isObject, type Protocol } from "@editwire/core";
import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { breakages } from "../generate/broken.js";
import { type Json, methodsOfKind, slug } from "./facts.js";
import { allRead, socketOf } from "./socket.js";

/**
 * The ids of the requirements that the packs judge in targets of a protocol whose messages have their name in a field.
 */
export interface TaggedRequirements {
  /** A frame that is not a message does no harm. */
  readonly frames: string;
  /** A message of an unknown type does no harm. */
  readonly types: string;
  /** A message with wrong or missing fields does no harm. */
  readonly bodies: string;
  /** Unknown fields do not matter. */
  readonly more: string;
}

/** Facts about a protocol with which the packs judge such a target on a WebSocket. */
export interface TaggedFacts<T extends CaseContext = CaseContext> {
  /** The beginning of the cases' ids: `<protocol>.<role>`. */
  readonly prefix: string;
  /** The role of the target. */
  readonly role: string;
  /** The role that the suite plays. */
  readonly peer: string;
  readonly table: Protocol;
  readonly requirements: TaggedRequirements;
  /** The field of the suite's messages that has their name. */
  readonly tag: string;
  /** The field of the suite's messages that has the params; absent: they stand beside the name. */
  readonly body?: string | undefined;
  /** No message of an unknown type is answered. */
  readonly isSilent?: boolean | undefined;
  /** Behaviors that show that a message was handled. Default: none. */
  readonly needs?: readonly string[] | undefined;
  /** Further types that the target does not expect, by the name of a case. */
  readonly unknown?: Readonly<Record<string, string>> | undefined;
  /** Messages of the suite with params of which each part may be broken, by the name of a case. */
  readonly examples: Readonly<Record<string, TaggedExample>>;
  /** A message of the suite. */
  message(method: string, params: unknown): Json;
  /** Prepares what the messages are about. Gives values for fields of these names. */
  prepare?(t: T): Promise<Json>;
  /** Ends what was prepared, given these values. */
  finish?(t: T, values: Json): void;
  /** Shows that the target handled a message with valid params, as it stands in the trace. */
  handled(t: T, message: Json): Promise<void>;
  /** Shows that the target works on. */
  works(t: T): Promise<void>;
  /** The target's report on a prepared fault with these values. Default: it is not judged. */
  said?(t: T, values: Json): readonly unknown[] | Promise<readonly unknown[]>;
}

/** Params of a message, and what is wrong in them. */
export interface TaggedExample {
  readonly method: string;
  readonly params: Readonly<Json>;
  /** Says whether params are valid, in any form that a peer may write. */
  isValid(params: unknown): boolean;
}

/** Everything that a peer may send wrong, or in an unusual form. */
export function taggedCases<T extends CaseContext>(facts: TaggedFacts<T>): readonly Case[] {
  return [...frameCases(facts), ...typeCases(facts), ...bodyCases(facts), ...moreCases(facts)];
}

/** Frames that hold no message; `name` is the type of a valid one. */
const frames = (tag: string, name: string): Readonly<Record<string, string | Uint8Array>> => ({
  garbage: "this is not JSON",
  half: `{"${tag}":"${name}","data":{"message":`,
  empty: "",
  null: "null",
  list: `[{"${tag}":"${name}"}]`,
  text: `"${name}"`,
  number: "7",
  twice: "{}{}",
  deep: "[".repeat(2_000),
  "byte-order-mark": "\ufeff{}",
  binary: Uint8Array.of(0, 255, 254, 10, 123),
});

function frameCases<T extends CaseContext>(facts: TaggedFacts<T>): readonly Case[] {
  const { frames: req } = facts.requirements;
  const [{ method } = { method: "" }] = Object.values(facts.examples);
  return Object.entries(frames(facts.tag, method)).map(([name, frame]) =>
    defineCase<T>(
      {
        id: `${facts.prefix}.robust.frame-${name}`,
        role: facts.role,
        title: `keeps working after a frame that is not a message: ${name}`,
        emits: [req],
      },
      async (t) => {
        const values = (await facts.prepare?.(t)) ?? {};
        if (typeof frame === "string") t.send.bytes(frame);
        else socketOf(t).binary(frame);
        await t.require(req, facts.works(t));
        facts.finish?.(t, values);
      },
    ),
  );
}

/** Names that are not messages for the target, among them what a lookup in a plain object would find. */
function unknownNames({ table, role, examples, unknown }: TaggedFacts): Readonly<Record<string, unknown>> {
  const [{ method } = { method: "" }] = Object.values(examples);
  const [own] = methodsOfKind(table, role, "notification").concat(methodsOfKind(table, role, "request"));
  return {
    unknown: "dance",
    vendor: "x-vendor/dance",
    empty: "",
    "other-case": method === method.toUpperCase() ? method.toLowerCase() : method.toUpperCase(),
    "trailing-space": `${method} `,
    longer: `${method}_2`,
    constructor: "constructor",
    proto: "__proto__",
    number: 7,
    null: null,
    object: { [method]: true },
    missing: undefined,
    ...(own !== undefined && { own }),
    ...unknown,
  };
}

function typeCases<T extends CaseContext>(facts: TaggedFacts<T>): readonly Case[] {
  const { types: req } = facts.requirements;
  const [example] = Object.values(facts.examples);
  if (example === undefined) return [];
  return Object.entries(unknownNames(facts)).map(([name, type]) =>
    defineCase<T>(
      {
        id: `${facts.prefix}.robust.type-${name}`,
        role: facts.role,
        title: `ignores a message of an unknown type: ${name}`,
        emits: [req],
      },
      async (t) => {
        const values = (await facts.prepare?.(t)) ?? {};
        const known = { ...example.params, ...values };
        const { [facts.tag]: _, ...rest } = facts.message(example.method, known);
        t.send.invalid({ ...(type !== undefined && { [facts.tag]: type }), ...rest });
        if (facts.isSilent === true) {
          await t.require(req, allRead(t));
          t.check(req, t.rest().length === 0, { expected: "nothing about it", actual: t.rest() });
        }
        await t.require(req, facts.works(t));
        const said = (await facts.said?.(t, values)) ?? [];
        t.check(req, said.length === 0, { expected: "nothing about it", actual: said });
        facts.finish?.(t, values);
      },
    ),
  );
}

/** Each message with every field missing or of another type, at every depth; and without params at all. */
function bodyCases<T extends CaseContext>(facts: TaggedFacts<T>): readonly Case[] {
  const { bodies: req } = facts.requirements;
  return Object.entries(facts.examples).flatMap(([name, { method, params, isValid }]) => {
    const inside = breakages(isValid, params).filter(({ structured }) => structured);
    const ways: readonly (readonly [string, (valid: Json) => Json])[] = [
      ...inside.map(({ name: way, apply }) => [way, (valid: Json) => facts.message(method, apply(valid))] as const),
      ...bodiesOf(facts, method),
    ];
    return ways.map(([way, make]) =>
      defineCase<T>(
        {
          id: `${facts.prefix}.wrong.${slug(name)}.${slug(way)}`,
          role: facts.role,
          title: `goes on after a ${name} that is wrong: ${way}`,
          emits: [req],
        },
        async (t) => {
          const values = (await facts.prepare?.(t)) ?? {};
          t.send.invalid(make({ ...params, ...values }));
          await t.require(req, facts.works(t));
          facts.finish?.(t, values);
        },
      ),
    );
  });
}

function bodiesOf({ tag, body }: TaggedFacts, method: string): readonly (readonly [string, (valid: Json) => Json])[] {
  const bare = { [tag]: method };
  if (body === undefined) return [["fields-missing", () => bare]];
  return [
    ["data-missing", () => bare],
    ["data-null", () => ({ ...bare, [body]: null })],
    ["data-text", () => ({ ...bare, [body]: "text" })],
    ["data-list", (valid) => ({ ...bare, [body]: [valid] })],
  ];
}

const vendor = { "x-vendor": { deep: [1, null] }, version: 7, constructor: "text" };

/** Every object of a value with unknown fields. */
function extended(value: unknown): unknown {
  if (!isObject(value)) return value;
  return { ...Object.fromEntries(Object.entries(value).map(([name, one]) => [name, extended(one)])), ...vendor };
}

function moreCases<T extends CaseContext>(facts: TaggedFacts<T>): readonly Case[] {
  const { more: req } = facts.requirements;
  return Object.entries(facts.examples).map(([name, { method, params }]) =>
    defineCase<T>(
      {
        id: `${facts.prefix}.robust.more-${slug(name)}`,
        role: facts.role,
        title: `unknown fields of a ${name} are ignored, at every depth`,
        emits: [req],
        needs: facts.needs,
      },
      async (t) => {
        const known = { ...params, ...(await facts.prepare?.(t)) };
        await t.require(req, facts.handled(t, extended(facts.message(method, known)) as Json));
      },
    ),
  );
}
