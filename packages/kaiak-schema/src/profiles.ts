import type { Profile } from "@editwire/core";
import { deviations } from "./deviations.js";

/** A dialect of Kaiak. */
export type KaiakProfile = Profile;

/** The dialects of Kaiak. `spec`, the specification's own, is the default of every way in. */
export const kaiakProfiles: { readonly spec: KaiakProfile } = { spec: { name: "spec", deviations } };
