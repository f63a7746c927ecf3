import { isObject, methodOf, validatorOf } from "@editwire/core";
import { type Mutant, mutant, type Patch } from "../../../core/mutant.js";
import { breakages } from "../../../generate/broken.js";
import { schemaRequirement } from "../client-facts.js";
import { methodsFrom, sampleParams, sampleResult } from "../samples.js";
import { table } from "../table.js";

/** How one part of the messages about a client's services is broken in a reference. */
export interface ServiceParts {
  readonly role: "agent" | "client";
  readonly part: "params" | "result";
  /** Requirements that a broken message violates, too. */
  readonly collateral: (method: string) => readonly string[];
  /** The case in which a method is used. */
  readonly seenIn: (method: string) => string;
  /** The decisions of the reference in the official dialect. */
  readonly dialect: Patch;
  /** The switches that change this part of a method. */
  readonly broken: (method: string, change: (value: unknown) => unknown) => Patch;
}

const services = methodsFrom("agent", "request").filter((method) => methodOf(table, method)?.spec === undefined);

/** Peers that send one field of a service's messages wrong. */
export function serviceSchemaMutants({
  role,
  part,
  collateral,
  seenIn,
  dialect,
  broken,
}: ServiceParts): readonly Mutant[] {
  return services
    .filter((method) => role === "client" || !method.startsWith("elicitation/"))
    .flatMap((method) => {
      const def = methodOf(table, method);
      if (def?.kind !== "request") return [];
      const schema = part === "params" ? def.params : def.result;
      const sample = part === "params" ? sampleParams(method, "session") : sampleResult(method);
      return breakages((value) => validatorOf(schema).fits(value), sample)
        .filter(({ structured }) => part === "result" || structured)
        .map(({ name, apply }) =>
          mutant(`acp.${role}/wire-${method.replace(/[_/]/g, "-")}-${name}`, {
            violates: [schemaRequirement(method, part)],
            collateral: collateral(method),
            cases: [seenIn(method)],
            profile: "v1",
            dialect,
            patch: broken(method, (value) => (isObject(value) ? apply(value) : apply({}))),
          }),
        );
    });
}
