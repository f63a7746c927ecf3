import type { Meta } from "@editwire/acp-schema";
import { isObject } from "@editwire/core";

/** An answer that says nothing but yes, with what a vendor adds to it. */
export interface AcpAnswer {
  _meta?: Meta | undefined;
}

/** The result of a handler that only confirms: nothing, or the `_meta` of the answer. */
export type AcpAnswered = void | AcpAnswer | Promise<void | AcpAnswer>;

/** The answer for what a handler returned. */
export function answerOf(returned: unknown): { _meta?: Meta } {
  const meta = isObject(returned) ? returned["_meta"] : undefined;
  return meta === undefined ? {} : { _meta: meta as Meta };
}
