import { openUnion, openUnionOf, schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ContentBlock } from "../content.js";
import { type Extensible, meta } from "../extensible.js";
import { SessionId } from "../session-id.js";
import { PlanEntry, SessionUpdate, SessionUpdateParams } from "../updates.js";
import { extended, type Replace } from "./extended.js";
import { SubagentUpdate } from "./subagents.js";

/** A plan as a list of steps, all of them. */
export interface PlanOfItems extends Extensible {
  type: "items";
  planId: string;
  entries: PlanEntry[];
}

/** A plan in a file. */
export interface PlanInFile extends Extensible {
  type: "file";
  planId: string;
  uri: string;
}

/** A plan as a text in Markdown. */
export interface PlanInMarkdown extends Extensible {
  type: "markdown";
  planId: string;
  content: string;
}

/** One of the plans of a session. It replaces the one of the same `planId`. */
export type IdentifiedPlan = PlanOfItems | PlanInFile | PlanInMarkdown;
const plan = { planId: z.string(), _meta: meta };
export const IdentifiedPlan = schemaFor<IdentifiedPlan>()(
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("items"), entries: z.array(PlanEntry), ...plan }),
    z.looseObject({ type: z.literal("file"), uri: z.string(), ...plan }),
    z.looseObject({ type: z.literal("markdown"), content: z.string(), ...plan }),
  ]),
);

/** A plan is new or changed; for clients with `plan`. */
export interface IdentifiedPlanUpdate extends Extensible {
  sessionUpdate: "plan_update";
  plan: IdentifiedPlan;
}
export const IdentifiedPlanUpdate = schemaFor<IdentifiedPlanUpdate>()(
  z.looseObject({ sessionUpdate: z.literal("plan_update"), plan: IdentifiedPlan, _meta: meta }),
);

/** A plan is gone; for clients with `plan`. */
export interface PlanRemoved extends Extensible {
  sessionUpdate: "plan_removed";
  planId: string;
}
export const PlanRemoved = schemaFor<PlanRemoved>()(
  z.looseObject({ sessionUpdate: z.literal("plan_removed"), planId: z.string(), _meta: meta }),
);

/**
 * A message between sessions, in the transcript of one of them; for clients with `subagents`. An absent field is
 * unchanged, and null clears it.
 */
export interface SessionMessage extends Extensible {
  sessionUpdate: "session_message";
  messageId: string;
  senderSessionId?: string | null | undefined;
  recipientSessionId?: string | null | undefined;
  /** The message in the sender's transcript. */
  senderMessageId?: string | null | undefined;
  /** The message in the recipient's transcript. */
  recipientMessageId?: string | null | undefined;
  content?: ContentBlock[] | null | undefined;
}
const clearableId = z.optional(z.nullable(SessionId));
const clearableText = z.optional(z.nullable(z.string()));
export const SessionMessage = schemaFor<SessionMessage>()(
  z.looseObject({
    sessionUpdate: z.literal("session_message"),
    messageId: z.string(),
    senderSessionId: clearableId,
    recipientSessionId: clearableId,
    senderMessageId: clearableText,
    recipientMessageId: clearableText,
    content: z.optional(z.nullable(z.array(ContentBlock))),
    _meta: meta,
  }),
);

/** A piece that is added to a message between sessions; for clients with `subagents`. */
export interface SessionMessageChunk extends Extensible {
  sessionUpdate: "session_message_chunk";
  messageId: string;
  content: ContentBlock;
}
export const SessionMessageChunk = schemaFor<SessionMessageChunk>()(
  z.looseObject({
    sessionUpdate: z.literal("session_message_chunk"),
    messageId: z.string(),
    content: ContentBlock,
    _meta: meta,
  }),
);

/** One thing that happens in a session, of the kinds that are unstable. */
export type UnstableUpdate = IdentifiedPlanUpdate | PlanRemoved | SubagentUpdate | SessionMessage | SessionMessageChunk;

/** The kinds of updates that are unstable. */
const updates = {
  plan_update: IdentifiedPlanUpdate,
  plan_removed: PlanRemoved,
  subagent_update: SubagentUpdate,
  session_message: SessionMessage,
  session_message_chunk: SessionMessageChunk,
};

/** An update of a kind that is unstable, by its own type; `undefined` for any other. */
export function unstableUpdateOf(update: SessionUpdate): UnstableUpdate | undefined {
  return Object.hasOwn(updates, update.sessionUpdate) ? (update as unknown as UnstableUpdate) : undefined;
}

/** One thing that happens in a session, with the kinds that are unstable. */
export type AnyUpdate = SessionUpdate | UnstableUpdate;
export const AnyUpdate = openUnion<AnyUpdate>("sessionUpdate", {
  ...openUnionOf(SessionUpdate)?.variants,
  ...updates,
});

/** Tells the client what happens in a session, with the kinds that are unstable. */
export interface UnstableSessionUpdateParams extends Replace<SessionUpdateParams, { update: AnyUpdate }> {}
export const UnstableSessionUpdateParams = extended<UnstableSessionUpdateParams>()(SessionUpdateParams, {
  update: AnyUpdate,
});
