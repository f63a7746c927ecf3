import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { deviationsOf, type Part, repair } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

/** Reads what real peers write in another form: a monitor judges the form, so that the schema judges the rest. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (method, part, value) =>
  repair(helixZedProfiles.spec, method, part, value, () => {});

/** The ids of the rows of the deviations table that a value needs. */
export function formsOf(method: string, part: Part, value: unknown): readonly string[] {
  return deviationsOf(helixZedProfiles.spec, method, part, value).map(({ id }) => id);
}
