import { isObject } from "@editwire/core";
import { changedAlike } from "../core/verdict/changed-alike.js";
import type { Rewrite } from "../core/protocol.js";
import type { Json } from "./facts.js";

/** Makes params, as a decision of a reference. */
type Maker = (...takes: readonly unknown[]) => unknown;

/**
 * Lets a mutant that makes the params of some methods in its own way break any program: the params of the program are
 * changed where what the mutant makes differs from what the reference makes. `takes` gives what both are called with.
 */
export const remade =
  (methods: readonly string[], takes: (params: Json) => readonly unknown[] = () => []): Rewrite =>
  (override, message, right) => {
    const { method, params } = message;
    if (!methods.includes(String(method)) || !isObject(params)) return [message];
    const made = (make: unknown): unknown => (make as Maker)(...takes(params));
    return [{ ...message, params: changedAlike(params, made(right), made(override)) }];
  };
