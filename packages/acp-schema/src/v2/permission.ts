import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import type { PermissionCancelled, PermissionSelected } from "../permission.js";
import { absolutePath, SessionId } from "../session-id.js";
import { text } from "./patch.js";
import { V2ToolCallUpdate } from "./tool-calls.js";

/** The permission is for a tool call. Its update is applied before the user is asked. */
export interface ToolCallSubject extends Extensible {
  type: "tool_call";
  toolCall: V2ToolCallUpdate;
}

/** The permission is for a command. */
export interface CommandSubject extends Extensible {
  type: "command";
  command: string;
  /** Absolute. */
  cwd: string;
  /** The tool call that runs it. */
  toolCallId?: string | undefined;
  /** The terminal that it runs in. */
  terminalId?: string | undefined;
}

/** The permission is for something that this version does not know. */
export interface UnknownSubject extends Extensible {
  type: UnknownTag;
}

/** The subject of a permission request. */
export type PermissionSubject = ToolCallSubject | CommandSubject | UnknownSubject;
const subject = openUnion<PermissionSubject>("type", {
  tool_call: schemaFor<ToolCallSubject>()(
    z.looseObject({ type: z.literal("tool_call"), toolCall: V2ToolCallUpdate, _meta: meta }),
  ),
  command: schemaFor<CommandSubject>()(
    z.looseObject({
      type: z.literal("command"),
      command: z.string(),
      cwd: absolutePath,
      toolCallId: text,
      terminalId: text,
      _meta: meta,
    }),
  ),
});

/** One answer that the user can give. */
export interface V2PermissionOption extends Extensible {
  optionId: string;
  /** For users. */
  name: string;
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always`, or a word of the agent's own. */
  kind: string;
}
export const V2PermissionOption = schemaFor<V2PermissionOption>()(
  z.looseObject({ optionId: z.string(), name: z.string(), kind: z.string(), _meta: meta }),
);

/** Asks the user for a permission (tool-calls#requesting-permission). */
export interface V2RequestPermissionParams extends Extensible {
  sessionId: string;
  /** The question's own, not the tool call's. */
  title: string;
  description?: string | undefined;
  /** Absent: the title says everything. */
  subject?: PermissionSubject | undefined;
  /** At least one. */
  options: V2PermissionOption[];
}
export const V2RequestPermissionParams = schemaFor<V2RequestPermissionParams>()(
  z.looseObject({
    sessionId: SessionId,
    title: z.string(),
    description: text,
    subject: z.optional(subject),
    options: z.array(V2PermissionOption).check(z.minLength(1)),
    _meta: meta,
  }),
);

/** An outcome that this version does not know. It is no approval. */
export interface UnknownPermissionOutcome extends Extensible {
  outcome: UnknownTag;
}

/** The answer to a permission request. */
export interface V2RequestPermissionResult extends Extensible {
  outcome: PermissionSelected | PermissionCancelled | UnknownPermissionOutcome;
}
const outcome = openUnion<V2RequestPermissionResult["outcome"]>("outcome", {
  selected: schemaFor<PermissionSelected>()(
    z.looseObject({ outcome: z.literal("selected"), optionId: z.string(), _meta: meta }),
  ),
  cancelled: schemaFor<PermissionCancelled>()(z.looseObject({ outcome: z.literal("cancelled"), _meta: meta })),
});
export const V2RequestPermissionResult = schemaFor<V2RequestPermissionResult>()(
  z.looseObject({ outcome, _meta: meta }),
);
