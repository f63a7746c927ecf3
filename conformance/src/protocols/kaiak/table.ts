import { kaiak } from "@editwire/kaiak-schema";
import { methodsOf, type Protocol } from "@editwire/core";

/** The methods of the specification. */
export const table: Protocol = {
  ...kaiak,
  methods: Object.fromEntries(methodsOf(kaiak).filter(([, { spec }]) => spec !== undefined)),
};
