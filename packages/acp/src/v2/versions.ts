import { WireError } from "@editwire/core";
import { checkArray, shown } from "@editwire/session";

/** A version of the official protocol. Version 2 is a draft. */
export type AcpVersion = 1 | 2;

/** Throws a `TypeError` for what is not a list of versions. `name` is the function that got it. */
export function checkVersions(name: string, versions: unknown): void {
  if (versions === undefined) return;
  checkArray(name, "versions", versions);
  const all = versions as readonly unknown[];
  const wrong = all.find((version) => version !== 1 && version !== 2);
  if (all.length === 0 || wrong !== undefined)
    throw new TypeError(
      `${name}: expected versions to have 1, 2 or both, received ${all.length === 0 ? "none" : shown(wrong)}`,
    );
}

/** The error of a connection whose sides have no version in common. */
export function unspokenVersion(theirs: string, ours: readonly AcpVersion[], cause?: unknown): WireError {
  const who = `the agent speaks protocol version ${theirs}, this client speaks ${ours.join(" and ")}`;
  const hint = theirs === "2" ? "; versions: [2, 1] makes it speak both" : "";
  return new WireError("invalid_result", `initialize: ${who}${hint}`, { cause });
}
