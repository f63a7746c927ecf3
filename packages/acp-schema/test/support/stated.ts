import { acp, acpProfiles } from "@editwire/acp-schema";
import { methodOf } from "@editwire/core";

/** Says whether the specification has a method. */
export function isStated(method: string): boolean {
  return methodOf(acp, method)?.spec !== undefined;
}

/** Recognizes params with an update or with folders that the specification does not have. */
export function isOfVersion1(value: unknown): boolean {
  const { update, additionalDirectories } = value as { update?: { sessionUpdate: string }; additionalDirectories?: [] };
  const kinds = acpProfiles.spec.traits.missingUpdates;
  return additionalDirectories !== undefined || (update !== undefined && kinds.includes(update.sessionUpdate));
}
