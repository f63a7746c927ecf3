import { UsageError } from "../core/errors.js";
import { randomOf } from "../core/seed.js";
import type { Fault } from "./faults.js";

const makers: Readonly<Record<string, (argument: string | undefined, random: () => number) => Fault["apply"]>> = {
  split(argument = "1", random) {
    const size = argument === "seeded" ? undefined : Number(argument);
    return (chunk) => {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < chunk.length; ) {
        const next = at + (size ?? 1 + Math.floor(random() * 40));
        pieces.push(chunk.subarray(at, next));
        at = next;
      }
      return pieces;
    };
  },
  slow: (argument = "2") => (chunk) => [Number(argument), chunk],
};

/** The faults that a run can have, for the command line. */
export const faultNames: readonly string[] = Object.keys(makers);

/** Makes faults from their names, such as `split:1`. Throws a `UsageError` for one that does not exist. */
export function openFaults(names: readonly string[], seed: number): Fault[] {
  return names.map((name) => {
    const [kind = "", argument] = name.split(":");
    const make = Object.hasOwn(makers, kind) ? makers[kind] : undefined;
    if (make === undefined) throw new UsageError(`there is no fault "${kind}"; there are ${faultNames.join(", ")}`);
    return { name, apply: make(argument, randomOf(seed, name)) };
  });
}
