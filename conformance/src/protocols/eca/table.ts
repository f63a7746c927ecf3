import { eca } from "@editwire/eca-schema";
import { methodsOf, type Protocol } from "@editwire/core";

/** The methods of the specification; what 2026 peers have besides is not judged here. */
export const table: Protocol = {
  ...eca,
  methods: Object.fromEntries(methodsOf(eca).filter(([, { spec }]) => spec !== undefined)),
};
