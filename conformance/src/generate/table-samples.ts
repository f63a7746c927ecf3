import { isObject, type MethodDef, methodOf, methodsOf, type Protocol, validatorOf } from "@editwire/core";
import { type KnownFields, sampleOf } from "./sample.js";

/** Example values for the methods of a table. */
export interface TableSamples {
  /** The methods of a kind that a role sends. */
  methodsFrom(role: string, kind: MethodDef["kind"]): readonly string[];
  /**
   * Valid params of a method: its required fields, `more` known ones among them. Empty for a method that the table
   * lacks.
   */
  sampleParams(method: string, more?: KnownFields): Record<string, unknown>;
  /**
   * A valid result of a request: its required fields. Throws a `TypeError` for a method that is not a request of the
   * table.
   */
  sampleResult(method: string): unknown;
  /** Says whether params are those of a method of the table. */
  takesParams(method: string, params: unknown): boolean;
}

/** Makes samples from the schemas of a method table. Fields of `known` names are taken from there. */
export function samplesOf(table: Protocol, known: KnownFields): TableSamples {
  return {
    methodsFrom: (role, kind) =>
      methodsOf(table).flatMap(([method, def]) => (def.from === role && def.kind === kind ? [method] : [])),
    sampleParams(method, more = {}) {
      const def = methodOf(table, method);
      const sample = def === undefined ? {} : sampleOf(def.params, { ...known, ...more });
      return isObject(sample) ? sample : {};
    },
    sampleResult(method) {
      const def = methodOf(table, method);
      if (def?.kind !== "request") throw new TypeError(`${table.name} has no request ${method}`);
      return sampleOf(def.result, known);
    },
    takesParams(method, params) {
      const def = methodOf(table, method);
      return def !== undefined && validatorOf(def.params).fits(params);
    },
  };
}
