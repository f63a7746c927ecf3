import * as z from "zod";
import type { Issue } from "./errors.js";

/** Says whether a value fits, and where not. */
export interface Validator {
  /** Yes or no, without copying the value. */
  fits(value: unknown): boolean;
  /** Every place that does not fit, below `root`. */
  issues(value: unknown, root: string): Issue[];
}

const validators = new WeakMap<z.ZodType, Validator>();

/** The validator of a schema; it is compiled at its first use and kept. */
export function validatorOf(schema: z.ZodType): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) validators.set(schema, (validator = createValidator(schema)));
  return validator;
}

function createValidator(schema: z.ZodType): Validator {
  let compiled: z.ZodType | undefined;
  return {
    fits: (value) => (compiled ??= z.compile(schema)).validate(value),
    issues(value, root) {
      const { error } = schema.safeParse(value);
      return (error?.issues ?? []).map(({ path, message }) => ({ path: [root, ...path].join("."), message: lowerFirst(message) }));
    },
  };
}

/** zod's "Invalid input: expected string, received number" reads better behind a path without its head. */
function lowerFirst(message: string): string {
  const text = message.replace(/^Invalid (input|option): /, "");
  return text.charAt(0).toLowerCase() + text.slice(1);
}
