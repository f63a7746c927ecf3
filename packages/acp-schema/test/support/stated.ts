import { acp } from "@editwire/acp-schema";
import { methodOf } from "@editwire/core";

/** Says whether the specification has a method. */
export function isStated(method: string): boolean {
  return methodOf(acp, method)?.spec !== undefined;
}
