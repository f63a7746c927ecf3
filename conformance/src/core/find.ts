import { UsageError } from "./errors.js";
import type { ConformanceProtocol, RoleSuite } from "./protocol.js";

/** How the suite plays against a role. Throws a `UsageError` for a role that the protocol lacks. */
export function roleOf(protocol: ConformanceProtocol, role: string): RoleSuite {
  const suite = Object.hasOwn(protocol.roles, role) ? protocol.roles[role] : undefined;
  if (suite === undefined)
    throw new UsageError(`${protocol.name} has no role "${role}"; it has ${Object.keys(protocol.roles).join(", ")}`);
  return suite;
}

/** The profile that was asked for; default: the protocol's first. Throws a `UsageError` for one that the protocol lacks. */
export function profileOf({ name, profiles }: ConformanceProtocol, wanted: string | undefined): string {
  const profile = wanted ?? profiles[0] ?? name;
  if (!profiles.includes(profile))
    throw new UsageError(`${name} has no profile "${profile}"; it has ${profiles.join(", ")}`);
  return profile;
}
