import { isObject } from "@editwire/core";

/** A part of a message that does not fit. */
export interface Misfit {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

/** The value at a path in a message; `undefined` if it is not there. */
export function valueAt(message: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return (at as unknown[])[Number(key)];
    return isObject(at) ? at[String(key)] : undefined;
  }, message);
}

/**
 * The wrong values that the suite has sent on one connection. A target that accepts a wrong value may send it back, at
 * once or later: only accepting it can be its fault, and cases judge that.
 */
export class Echoes {
  readonly #sent = new Set<string>();

  /** Remembers what did not fit in a message of the suite. */
  add(misfits: readonly Misfit[]): void {
    for (const misfit of misfits) this.#sent.add(nameOf(misfit));
  }

  /** Says whether something does not fit in a message of the target, and the suite has sent all of it. */
  explain(misfits: readonly Misfit[]): boolean {
    return misfits.length > 0 && misfits.every((misfit) => this.#sent.has(nameOf(misfit)));
  }
}

/** A scalar or an empty value is recognized by its key as well, because many messages have it. */
function nameOf({ path, value }: Misfit): string {
  const json = JSON.stringify(value) ?? "absent";
  const isEmpty = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  return isEmpty ? `${String(path.findLast((key) => typeof key === "string"))}=${json}` : json;
}
