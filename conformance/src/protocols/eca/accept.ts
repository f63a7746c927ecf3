import { ecaProfiles } from "@editwire/eca-schema";
import { deviationsOf, type Part, repair, rewrite } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

/** Reads what real peers write in another form: a monitor judges the form, so that the schema judges the rest. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (method, part, value) =>
  repair(ecaProfiles.spec, method, part, read(method, part, value), () => {});

/** The ids of the rows of the deviations table that a value needs. */
export function formsOf(method: string, part: Part, value: unknown): readonly string[] {
  return deviationsOf(ecaProfiles.spec, method, part, read(method, part, value)).map(({ id }) => id);
}

const read = (method: string, part: Part, value: unknown): unknown =>
  rewrite(ecaProfiles.spec.decode, method, part, value);
