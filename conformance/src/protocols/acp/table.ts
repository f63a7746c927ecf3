import { acp } from "@editwire/acp-schema";
import { methodsOf, type Protocol } from "@editwire/core";

/** What the suite judges of the methods that only the official dialect has. */
const judged: readonly string[] = ["session/list", "session/resume", "session/close", "session/delete"];

/** The methods of the specification and some of the official dialect; the others are not judged here. */
export const table: Protocol = {
  ...acp,
  methods: Object.fromEntries(
    methodsOf(acp).filter(([method, { spec }]) => spec !== undefined || judged.includes(method)),
  ),
};
