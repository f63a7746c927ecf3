import { openUnion, openUnionOf, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import type { ElicitationCancelled, ElicitationDeclined, UnknownElicitationResult } from "../elicitation.js";
import { ElicitationProperty, type StringProperty, TitledChoice } from "../elicitation-form.js";
import { count, type Extensible, meta } from "../extensible.js";
import { SessionId } from "../session-id.js";
import { text } from "./patch.js";

/** A text, or one of several. */
export interface V2StringProperty extends Extensible {
  type: "string";
  title?: string | undefined;
  description?: string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  /** `email`, `uri`, `date`, `date-time`, or another word. */
  format?: string | undefined;
  default?: string | undefined;
  enum?: string[] | undefined;
  oneOf?: TitledChoice[] | undefined;
}
const V2StringProperty = schemaFor<V2StringProperty>()(
  z.looseObject({
    type: z.literal("string"),
    title: text,
    description: text,
    minLength: z.optional(count),
    maxLength: z.optional(count),
    pattern: text,
    format: text,
    default: text,
    enum: z.optional(z.array(z.string()).check(z.minLength(1))),
    oneOf: z.optional(z.array(TitledChoice).check(z.minLength(1))),
    _meta: meta,
  }),
);

/** One field of a form. */
export type V2ElicitationProperty = Exclude<ElicitationProperty, StringProperty> | V2StringProperty;
const V2ElicitationProperty = openUnion<V2ElicitationProperty>("type", {
  ...openUnionOf(ElicitationProperty)?.variants,
  string: V2StringProperty,
});

/** The fields of a form, as a JSON Schema of an object. */
export interface V2ElicitationSchema extends Extensible {
  type: "object";
  title?: string | undefined;
  description?: string | undefined;
  properties: Record<string, V2ElicitationProperty>;
  /** The names of the fields that must be filled in. */
  required?: string[] | undefined;
}
const V2ElicitationSchema = schemaFor<V2ElicitationSchema>()(
  z.looseObject({
    type: z.literal("object"),
    title: text,
    description: text,
    properties: z.record(z.string(), V2ElicitationProperty),
    required: z.optional(z.array(z.string())),
    _meta: meta,
  }),
);

/** The owner of a question: a session, perhaps with one of its tool calls, or a request of the client. */
interface Scope extends Extensible {
  message: string;
  sessionId?: string | undefined;
  toolCallId?: string | undefined;
  /** The JSON-RPC id of the client's request during which the agent asks, such as `auth/login`. */
  requestId?: string | number | undefined;
}
const scope = {
  message: z.string(),
  sessionId: z.optional(SessionId),
  toolCallId: text,
  requestId: z.optional(z.union([z.string(), z.int()])),
  _meta: meta,
};
const scoped = z.refine<Scope>(({ sessionId, requestId }) => sessionId !== undefined || requestId !== undefined, {
  error: "expected a sessionId or a requestId",
});

/** Asks the user to fill in a form; for clients with `elicitation.form`. */
export interface V2FormElicitation extends Scope {
  mode: "form";
  requestedSchema: V2ElicitationSchema;
}

/** Asks the user to open a page; for clients with `elicitation.url`. */
export interface V2UrlElicitation extends Scope {
  mode: "url";
  elicitationId: string;
  url: string;
}

/** Asks the user in a way that this version does not know. */
export interface V2UnknownElicitation extends Scope {
  mode: UnknownTag;
}

/** Asks the user for more than a permission (elicitation). */
export type V2CreateElicitationParams = V2FormElicitation | V2UrlElicitation | V2UnknownElicitation;
const modes = {
  form: z.looseObject({ mode: z.literal("form"), ...scope, requestedSchema: V2ElicitationSchema }).check(scoped),
  url: z.looseObject({ mode: z.literal("url"), ...scope, elicitationId: z.string(), url: z.string() }).check(scoped),
};
export const V2CreateElicitationParams = openUnion<V2CreateElicitationParams>(
  "mode",
  modes,
  z.looseObject({ mode: z.string(), ...scope }).check(scoped),
);

/** The user agreed. */
export interface V2ElicitationAccepted extends Extensible {
  action: "accept";
  /** By the names of the form's fields: texts, numbers, booleans, lists of texts, or values of other types. */
  content?: Record<string, unknown> | undefined;
}

/** The user's answer. */
export type V2CreateElicitationResult =
  | V2ElicitationAccepted
  | ElicitationDeclined
  | ElicitationCancelled
  | UnknownElicitationResult;
export const V2CreateElicitationResult = openUnion<V2CreateElicitationResult>("action", {
  accept: schemaFor<V2ElicitationAccepted>()(
    z.looseObject({
      action: z.literal("accept"),
      content: z.optional(z.record(z.string(), z.unknown())),
      _meta: meta,
    }),
  ),
  decline: z.looseObject({ action: z.literal("decline"), _meta: meta }),
  cancel: z.looseObject({ action: z.literal("cancel"), _meta: meta }),
});
