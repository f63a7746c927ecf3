import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";

/** A message for the successor of a proxy, or from it. */
export interface SuccessorParams extends Extensible {
  /** The method of the message inside. */
  method: string;
  /** Its params, unchanged: an object or an array. */
  params?: unknown;
}
export const SuccessorParams = schemaFor<SuccessorParams>()(
  z.looseObject({ method: z.string(), params: z.optional(z.unknown()), _meta: meta }),
);

/** The result of the message inside, unchanged. */
export const SuccessorResult = schemaFor<unknown>()(z.unknown());
