import type { Script } from "@editwire/conformance/model";
import { fixBound } from "./fix-bound.js";
import { fixFailingTest } from "./fix-failing-test.js";
import { replaceDatatypeConverter } from "./replace-datatype-converter.js";

/**
 * The behavior of the scripted model: with the tools of an IDE it corrects a wrong bound, for incidents of a migration
 * it replaces a Java class, else it fixes a failing test.
 */
export const defaultScript: Script = (turn) => {
  if (turn.tools.has("apply_change")) return fixBound(turn);
  return turn.prompt.includes("DatatypeConverter") ? replaceDatatypeConverter(turn) : fixFailingTest(turn);
};
