import { methodsOf, type Protocol } from "@editwire/core";
import { sman } from "@editwire/sman-schema";

/** The messages of the specification. A `TOOL_RESULT` is the result of a `TOOL_CALL`. */
export const table: Protocol = {
  ...sman,
  methods: Object.fromEntries(methodsOf(sman).filter(([, { spec }]) => spec !== undefined)),
};
