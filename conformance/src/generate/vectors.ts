import { isObject, methodsOf, type Protocol } from "@editwire/core";
import { fits } from "../core/talk/judge.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import type { Vector } from "../core/vector.js";
import type { SchemaRequirement } from "../monitors/schema.js";
import { breakages } from "./broken.js";
import { examplesOf, type Fixtures, type MessagePart } from "./fixtures.js";

/** The method table and the requirements from which vectors are made. */
export interface VectorSource extends Pick<ConformanceProtocol, "accept"> {
  readonly table: Protocol;
  readonly fixtures: Fixtures;
  /** Names the requirement that says how one part of a method looks. */
  readonly requirement: SchemaRequirement;
  /** Writes an example in the form of the specification's own dialect. Default: as it is. */
  readonly encode?: ((method: string, part: MessagePart, value: unknown) => unknown) | undefined;
}

const others: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["array", []],
  ["string", "1"],
  ["number", 7],
  ["boolean", true],
];

/**
 * The vectors of a method table: every example as it is and with an unknown field; every other JSON type in its place;
 * and, at every depth, each field left out or of another type where the schema refuses that.
 */
export function vectorsOf(source: VectorSource): Vector[] {
  return methodsOf(source.table).flatMap(([method, { kind }]) => [
    ...partVectors(source, method, "params"),
    ...(kind === "request" ? partVectors(source, method, "result") : []),
  ]);
}

function partVectors(source: VectorSource, method: string, part: MessagePart): Vector[] {
  const { table, accept = (_method, _part, value) => value, encode = (_method, _part, value) => value } = source;
  const isValid = (value: unknown): boolean => fits(table, method, part, accept(method, part, value)) === true;
  const examples = examplesOf(source.fixtures, method, part).map((one) => encode(method, part, one));
  const made = new Map<string, unknown>();
  examples.forEach((example, index) => {
    const named = examples.length === 1 ? "" : `${index + 1}-`;
    made.set(`${named}full`, example);
    if (isObject(example)) made.set(`${named}unknown-field`, { ...example, "x-vendor": [1] });
    for (const { name, apply } of breakages(isValid, example)) made.set(`${named}${name}`, apply(example));
  });
  for (const [type, value] of others) if (!isValid(value)) made.set(type, value);
  const slug = method.replace(/[^a-zA-Z]+/g, "-").replace(/^-/, "");
  return [...made].map(([name, value]) => ({
    id: `${slug}-${part}/${name}`,
    req: source.requirement(method, part),
    method,
    part,
    valid: isValid(value),
    value,
  }));
}
