import { isObject, isRemoteError, RemoteError } from "@editwire/core";

const unsupported = -32022;

/** The error of an agent that speaks none of the versions of a client. */
export interface UnsupportedVersion {
  /** The client's newest. */
  readonly requested: number;
  /** The agent's. */
  readonly supported: readonly number[];
}

/** The answer to `initialize` with a version below all of the agent's. The client may try another one. */
export function unsupportedVersion(requested: number, supported: readonly number[]): RemoteError {
  return new RemoteError(unsupported, "unsupported protocol version", { requested, supported });
}

/** Reads that answer: the versions, as far as they are there; `undefined` for any other error. */
export function unsupportedVersionOf(error: unknown): Partial<UnsupportedVersion> | undefined {
  if (!isRemoteError(error, unsupported)) return undefined;
  const { requested, supported } = isObject(error.data) ? error.data : {};
  return {
    ...(typeof requested === "number" ? { requested } : {}),
    ...(Array.isArray(supported) ? { supported: supported.filter((each) => typeof each === "number") } : {}),
  };
}
