import { UsageError } from "../errors.js";
import type { SuiteProfile } from "../run/context.js";
import type { ConformanceProtocol, RoleSuite } from "../protocol.js";

/** The suite's part for a role. Throws a `UsageError` for a role that the protocol lacks. */
export function roleOf(protocol: ConformanceProtocol, role: string): RoleSuite {
  const suite = Object.hasOwn(protocol.roles, role) ? protocol.roles[role] : undefined;
  if (suite === undefined)
    throw new UsageError(
      `${protocol.name} has no role "${role}"; its roles are ${Object.keys(protocol.roles).join(", ")}`,
    );
  return suite;
}

/**
 * The profile with this name; default: the protocol's first. Throws a `UsageError` for a name that the protocol lacks.
 */
export function profileOf({ name, profiles }: ConformanceProtocol, wanted: string | undefined): SuiteProfile {
  const found = wanted === undefined ? profiles[0] : profiles.find((profile) => profile.name === wanted);
  if (found === undefined)
    throw new UsageError(
      `${name} has no profile "${wanted ?? ""}"; its profiles are ${profiles.map((one) => one.name).join(", ")}`,
    );
  return found;
}
