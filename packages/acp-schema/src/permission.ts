import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "./extensible.js";
import { SessionId } from "./session-id.js";
import { ToolCallUpdate } from "./tool-calls.js";

/** Every kind of answer to a permission request. The spec's own agent offers the two `_once` ones (section 6.1). */
export const permissionOptionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;
/** The effect of choosing an option. Decide by it, never by an option's id or position. */
export type PermissionOptionKind = (typeof permissionOptionKinds)[number];

/** One answer that the user can give (section 6.1). */
export interface PermissionOption extends Extensible {
  optionId: string;
  /** The label that the user sees. */
  name: string;
  kind: PermissionOptionKind;
}
export const PermissionOption = schemaFor<PermissionOption>()(
  z.looseObject({ optionId: z.string(), name: z.string(), kind: z.enum(permissionOptionKinds), _meta: meta }),
);

/** Asks the user whether a tool may run (section 6.1). */
export interface RequestPermissionParams extends Extensible {
  sessionId: string;
  toolCall: ToolCallUpdate;
  options: PermissionOption[];
}
export const RequestPermissionParams = schemaFor<RequestPermissionParams>()(
  z.looseObject({ sessionId: SessionId, toolCall: ToolCallUpdate, options: z.array(PermissionOption), _meta: meta }),
);

/** The user chose one of the options. */
export interface PermissionSelected extends Extensible {
  outcome: "selected";
  optionId: string;
}

/** The turn was cancelled before the user chose. */
export interface PermissionCancelled extends Extensible {
  outcome: "cancelled";
}

/** The result of a permission request (section 6.1). */
export type PermissionOutcome = PermissionSelected | PermissionCancelled;
export const PermissionOutcome = schemaFor<PermissionOutcome>()(
  z.discriminatedUnion("outcome", [
    z.looseObject({ outcome: z.literal("selected"), optionId: z.string(), _meta: meta }),
    z.looseObject({ outcome: z.literal("cancelled"), _meta: meta }),
  ]),
);

/** The answer to a permission request (section 6.1). */
export interface RequestPermissionResult extends Extensible {
  outcome: PermissionOutcome;
}
export const RequestPermissionResult = schemaFor<RequestPermissionResult>()(
  z.looseObject({ outcome: PermissionOutcome, _meta: meta }),
);
