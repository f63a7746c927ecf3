import { UsageError } from "../core/errors.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import { acp } from "./acp/protocol.js";
import { eca } from "./eca/protocol.js";
import { helixZed } from "./helix-zed/protocol.js";
import { kaiak } from "./kaiak/protocol.js";
import { sman } from "./sman/protocol.js";

export { acp, eca, helixZed, kaiak, sman };

/** Every protocol of the suite: a new one is one more entry. */
export const protocols: readonly ConformanceProtocol[] = [acp, eca, helixZed, kaiak, sman];

/** A protocol by its name. Throws a `UsageError` that lists the protocols when there is none of that name. */
export function findProtocol(name: string): ConformanceProtocol {
  const found = protocols.find((protocol) => protocol.name === name);
  if (found === undefined)
    throw new UsageError(`unknown protocol "${name}"; the suite has ${protocols.map((one) => one.name).join(", ")}`);
  return found;
}
