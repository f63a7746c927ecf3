import { ecaProfiles } from "@editwire/eca-schema";
import { deviationsOf, type Part, type Profile, repair, rewrite } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";
import { formIds } from "./forms.js";

/** Repairs of what the specification does not have, such as the prompts of an MCP server: no sentence is about them. */
const beyond: ReadonlySet<string> = new Set(["prompt-fields", "cursor-place"]);

/** Repairs only what has its own requirement, or none. The schema refuses every other deviation. */
const judged: Profile = {
  ...ecaProfiles.spec,
  deviations: (ecaProfiles.spec.deviations ?? []).filter(({ id }) => formIds.has(id) || beyond.has(id)),
};

/** Reads what real peers write in another form: a monitor judges the form, so that the schema judges the rest. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (method, part, value) =>
  repair(judged, method, part, rewrite(judged.decode, method, part, value), () => {});

/** The ids of the judged rows of the deviations table that a value needs. */
export function formsOf(method: string, part: Part, value: unknown): readonly string[] {
  return deviationsOf(judged, method, part, rewrite(judged.decode, method, part, value)).map(({ id }) => id);
}
