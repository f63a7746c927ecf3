import { isObject } from "@editwire/core";
import type { BackendBehavior, BackendOddity } from "../reference/backend-behavior.js";
import type { Json } from "../reference/tool-failure.js";
import { mutantsOf } from "../../../core/mutant.js";

/** How the mutants of backends are declared. */
export const { broken, each, benign } = mutantsOf<BackendBehavior>("sman.backend", "SMAN");

/** Overrides of the reference backend, checked by the compiler. */
export const patch = (switches: Partial<BackendBehavior>): Partial<BackendBehavior> => switches;

/** Changes the messages of calls. */
export const sent = (change: (message: Json) => unknown): Partial<BackendBehavior> =>
  patch({ outgoing: (message) => [change(message)] });

/** The params of a call. */
export const paramsOf = ({ params }: Json): Json => (isObject(params) ? params : {});
/** Requirements that fail when a smoke case cannot call. */
export const settled = ["MATCH-001"];
/** Dies of something odd. */
export const diesOf = (what: BackendOddity, isOdd: (text: string) => boolean = () => true): Partial<BackendBehavior> =>
  patch({ odd: (odd, text) => (odd === what && isOdd(text) ? "die" : "drop") });
