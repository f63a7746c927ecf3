import { UsageError } from "../core/errors.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import { acp } from "./acp/protocol.js";
import { eca } from "./eca/protocol.js";
import { helixZed } from "./helix-zed/protocol.js";

/** Every protocol that the suite knows: a new one is one more entry. */
export const protocols: readonly ConformanceProtocol[] = [acp, eca, helixZed];

/** A protocol by its name, or the value itself. Throws a `UsageError` for a name that is not there. */
export function findProtocol(protocol: string | ConformanceProtocol): ConformanceProtocol {
  if (typeof protocol !== "string") return protocol;
  const found = protocols.find(({ name }) => name === protocol);
  if (found === undefined)
    throw new UsageError(
      `there is no protocol "${protocol}"; there are ${protocols.map(({ name }) => name).join(", ")}`,
    );
  return found;
}
