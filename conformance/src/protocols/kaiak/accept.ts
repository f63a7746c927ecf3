import { kaiakProfiles } from "@editwire/kaiak-schema";
import { repair, rewrite } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

const { spec } = kaiakProfiles;

/** Reads what a peer may write in another form, such as null for what is optional. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (method, part, value) =>
  repair(spec, method, part, rewrite(spec.decode, method, part, value), () => {});
