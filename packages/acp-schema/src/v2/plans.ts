import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { absolutePath } from "../session-id.js";

/** One step of a plan. */
export interface V2PlanEntry extends Extensible {
  content: string;
  /** `high`, `medium`, `low`, or a word of the agent's own. */
  priority: string;
  /** `pending`, `in_progress`, `completed`, `cancelled`, or a word of the agent's own. */
  status: string;
}
export const V2PlanEntry = schemaFor<V2PlanEntry>()(
  z.looseObject({ content: z.string(), priority: z.string(), status: z.string(), _meta: meta }),
);

/** A plan as a list of steps, all of them. */
export interface V2PlanOfItems extends Extensible {
  type: "items";
  planId: string;
  entries: V2PlanEntry[];
}

/** A plan as a text in Markdown (crate schema 1.20). */
export interface V2PlanInMarkdown extends Extensible {
  type: "markdown";
  planId: string;
  content: string;
  /** The file that holds it, absolute. */
  path?: string | undefined;
}

/** A plan of a type that this version does not know. It replaces the one of the same `planId`, too. */
export interface V2UnknownPlan extends Extensible {
  type: UnknownTag;
  planId: string;
}

/** One of the plans of a session. */
export type V2Plan = V2PlanOfItems | V2PlanInMarkdown | V2UnknownPlan;
const plans = {
  items: schemaFor<V2PlanOfItems>()(
    z.looseObject({ type: z.literal("items"), planId: z.string(), entries: z.array(V2PlanEntry), _meta: meta }),
  ),
  markdown: schemaFor<V2PlanInMarkdown>()(
    z.looseObject({
      type: z.literal("markdown"),
      planId: z.string(),
      content: z.string(),
      path: z.optional(absolutePath),
      _meta: meta,
    }),
  ),
};
export const V2Plan = openUnion<V2Plan>(
  "type",
  plans,
  z.looseObject({ type: z.string(), planId: z.string(), _meta: meta }),
);

/** A plan is new or changed. It replaces the one of the same `planId`. */
export interface V2PlanUpdate extends Extensible {
  sessionUpdate: "plan_update";
  plan: V2Plan;
}

/** A plan is gone (crate schema 1.20). */
export interface V2PlanRemoved extends Extensible {
  sessionUpdate: "plan_removed";
  planId: string;
}

/** The schemas of the updates of plans. */
export const planUpdates = {
  plan_update: schemaFor<V2PlanUpdate>()(
    z.looseObject({ sessionUpdate: z.literal("plan_update"), plan: V2Plan, _meta: meta }),
  ),
  plan_removed: schemaFor<V2PlanRemoved>()(
    z.looseObject({ sessionUpdate: z.literal("plan_removed"), planId: z.string(), _meta: meta }),
  ),
};
