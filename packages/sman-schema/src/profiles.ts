import type { Profile } from "@editwire/core";
import { specDeviations, v2Deviations } from "./deviations.js";
import { addedMessages } from "./protocol.js";
import { refuse, silentSite } from "./rewrites.js";

/** The abilities of a dialect. A binding reads these traits; it never compares names of profiles. */
export interface SmanTraits {
  /** There are messages besides tool calls: a greeting, pings, chats, their answers, and errors. */
  readonly conversation: boolean;
}

/** A dialect of sman. */
export type SmanProfile = Profile<SmanTraits>;

const decode = { TOOL_CALL: { params: silentSite } };

/** The specification's own dialect: tool calls and nothing else. */
const spec: SmanProfile = {
  name: "spec",
  traits: { conversation: false },
  encode: Object.fromEntries(addedMessages.map((name) => [name, { params: refuse(name) }])),
  decode,
  deviations: specDeviations,
};

/** The dialect that sman spoke in January 2026, which calls itself protocol version 2.0. */
const v2: SmanProfile = { name: "v2", traits: { conversation: true }, decode, deviations: v2Deviations };

/** The dialects of sman. `spec` is the default of every way in; both read both. */
export const smanProfiles: { readonly spec: SmanProfile; readonly v2: SmanProfile } = { spec, v2 };
