import { eca } from "@editwire/eca-schema";
import { methodsOf, type Protocol } from "@editwire/core";

/** The methods of the specification; what today's peers have besides is nobody's business here. */
export const table: Protocol = {
  ...eca,
  methods: Object.fromEntries(methodsOf(eca).filter(([, { spec }]) => spec !== undefined)),
};
