import { isObject } from "@editwire/core";
import { changedAlike } from "../core/changed-alike.js";
import type { Rewrite } from "../core/protocol.js";
import type { Json } from "./facts.js";

/** Makes params, as a decision of a reference. */
type Maker = (...takes: never[]) => unknown;

/**
 * Lets a mutant that makes the params of some methods in its own way break any program: what it makes differs from what
 * `right` makes, and the params of the program are changed in the same places. `takes` gives what both are called with.
 */
export const remade =
  (methods: readonly string[], right: Maker, takes: (params: Json) => readonly unknown[] = () => []): Rewrite =>
  (override, message) => {
    const { method, params } = message;
    if (!methods.includes(String(method)) || !isObject(params)) return [message];
    const made = (make: Maker): unknown => make(...(takes(params) as never[]));
    return [{ ...message, params: changedAlike(params, made(right), made(override as Maker)) }];
  };
