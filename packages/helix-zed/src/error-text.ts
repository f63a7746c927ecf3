import { RemoteError } from "@editwire/core";

/** What the host may read of an error: the text of one that a handler threw for it, and nothing of any other. */
export function textFor(error: unknown): string {
  return RemoteError.of(error).message || RemoteError.internal().message;
}
