import type { UnknownTag } from "@editwire/core";
import type { SessionUpdate } from "./updates.js";

/** An update of a kind that this version does not know, such as a vendor's `_acme_progress`. */
export function updateOf(sessionUpdate: string, fields: Readonly<Record<string, unknown>>): SessionUpdate {
  return { ...fields, sessionUpdate: sessionUpdate as UnknownTag };
}
