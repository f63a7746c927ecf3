import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { ElicitationSchema } from "./elicitation-form.js";
import { type Extensible, meta } from "./extensible.js";
import { SessionId } from "./session-id.js";

/** The owner of a question to the user: a session, perhaps with one of its tool calls, or a request of the client. */
interface Scope extends Extensible {
  sessionId?: string | undefined;
  toolCallId?: string | undefined;
  /** The JSON-RPC id of the client's request during which the agent asks, such as `authenticate`. */
  requestId?: string | number | undefined;
}

/** Asks the user to fill in a form. */
export interface FormElicitation extends Scope {
  mode: "form";
  message: string;
  requestedSchema: ElicitationSchema;
}

/** Asks the user to open a page. `elicitation/complete` may follow when they are done there. */
export interface UrlElicitation extends Scope {
  mode: "url";
  message: string;
  elicitationId: string;
  url: string;
}

/** Asks the user in a way that this version does not know. */
export interface UnknownElicitation extends Scope {
  mode: UnknownTag;
  message: string;
}

/** Asks the user for more than a permission (version 1). */
export type CreateElicitationParams = FormElicitation | UrlElicitation | UnknownElicitation;

const scope = {
  message: z.string(),
  sessionId: z.optional(SessionId),
  toolCallId: z.optional(z.string()),
  requestId: z.optional(z.union([z.string(), z.int()])),
  _meta: meta,
};
const scoped = z.refine<Scope>(({ sessionId, requestId }) => sessionId !== undefined || requestId !== undefined, {
  error: "expected a sessionId or a requestId",
});
export const CreateElicitationParams = openUnion<CreateElicitationParams>("mode", {
  form: z.looseObject({ mode: z.literal("form"), ...scope, requestedSchema: ElicitationSchema }).check(scoped),
  url: z.looseObject({ mode: z.literal("url"), ...scope, elicitationId: z.string(), url: z.string() }).check(scoped),
});

/** One value of a form that was filled in. */
export type ElicitationValue = string | number | boolean | string[];
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** The user agreed. */
export interface ElicitationAccepted extends Extensible {
  action: "accept";
  /** By the names of the form's fields. */
  content?: Record<string, ElicitationValue> | undefined;
}

/** The user said no. */
export interface ElicitationDeclined extends Extensible {
  action: "decline";
}

/** The user did not answer, or the request was cancelled. */
export interface ElicitationCancelled extends Extensible {
  action: "cancel";
}

/** An answer of a kind that this version does not know. */
export interface UnknownElicitationResult extends Extensible {
  action: UnknownTag;
}

/** The user's answer (version 1). */
export type CreateElicitationResult =
  | ElicitationAccepted
  | ElicitationDeclined
  | ElicitationCancelled
  | UnknownElicitationResult;
export const CreateElicitationResult = openUnion<CreateElicitationResult>("action", {
  accept: z.looseObject({
    action: z.literal("accept"),
    content: z.optional(z.record(z.string(), value)),
    _meta: meta,
  }),
  decline: z.looseObject({ action: z.literal("decline"), _meta: meta }),
  cancel: z.looseObject({ action: z.literal("cancel"), _meta: meta }),
});

/** Tells the client that the user is done with a page (version 1). */
export interface CompleteElicitationParams extends Extensible {
  elicitationId: string;
}
export const CompleteElicitationParams = schemaFor<CompleteElicitationParams>()(
  z.looseObject({ elicitationId: z.string(), _meta: meta }),
);
