import * as z from "zod/mini";
import { type AnySchema, compiledSchema } from "./compile.js";
import type { Issue } from "./errors.js";
import { inWords } from "./issue-words.js";

/** Checks whether a value fits, and lists the places that do not. */
export interface Validator {
  /** True if the value fits. Does not copy the value. */
  fits(value: unknown): boolean;
  /** Every place that does not fit, below `root`. */
  issues(value: unknown, root: string): Issue[];
}

const validators = new WeakMap<AnySchema, Validator>();

/** The validator of a schema; it is compiled at its first use and kept. */
export function validatorOf(schema: AnySchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) validators.set(schema, (validator = createValidator(schema)));
  return validator;
}

function createValidator(schema: AnySchema): Validator {
  let compiled: AnySchema | undefined;
  return {
    fits: (value) => z.validate((compiled ??= compiledSchema(schema)), value),
    issues(value, root) {
      const { error } = z.safeParse(schema, value, inWords);
      return (error?.issues ?? []).map(({ path, message }) => ({ path: [root, ...path].join("."), message }));
    },
  };
}
