import { type MethodDef, methodsOf, type Protocol, schemaToJson } from "@editwire/core";
import * as fc from "fast-check";
import { type Known, mutate, mutation, valueOf } from "./arbitrary.js";
import type { FuzzStep } from "./suite.js";

/** Messages that a role may send. */
export interface Sender {
  readonly table: Protocol;
  /** The role whose messages they are. */
  readonly role: string;
  /** Values of fields that the receiver acts upon; they are harmless. */
  readonly known: Known;
  /** Methods that are another matter, such as a second `initialize`. */
  readonly without: readonly string[];
}

/** A method with params that are valid but for a few changes. */
export interface ChangedMethod {
  readonly method: string;
  readonly kind: MethodDef["kind"];
  readonly params: fc.Arbitrary<unknown>;
}

/** Each method of a role. */
export function changedMethods({ table, role, known, without }: Sender): ChangedMethod[] {
  const methods = methodsOf(table).filter(([name, { from }]) => from === role && !without.includes(name));
  return methods.map(([method, { kind, params }]) => {
    const changes = fc.array(mutation, { maxLength: 3 });
    return {
      method,
      kind,
      params: fc
        .tuple(valueOf(schemaToJson(params), known), changes)
        .map(([valid, list]) => list.reduce(mutate, valid)),
    };
  });
}

/** A few messages in a row. */
export function some(...one: readonly fc.Arbitrary<FuzzStep>[]): fc.Arbitrary<readonly FuzzStep[]> {
  return fc.array(fc.oneof(...one), { minLength: 1, maxLength: 8 });
}
