import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { absolutePath, SessionId } from "../session-id.js";
import { SessionActivity } from "./activity.js";
import { V2ContentBlock } from "./content.js";
import { metaPatch, type Patch, patch, textPatch, type Upsert } from "./patch.js";
import { EntityCapabilities } from "./tool-calls.js";

/** The session has started another one, a subagent, or tells what is new about it (crate schema 1.20). */
export interface V2SubagentUpdate extends Upsert {
  sessionUpdate: "subagent_update";
  /** The subagent's own. */
  sessionId: string;
  title?: Patch<string>;
  description?: Patch<string>;
  /** Absent or without `cancel`: the client may not change the subagent's session. */
  capabilities?: Patch<EntityCapabilities>;
  /** Null: the agent cannot tell. */
  state?: Patch<SessionActivity>;
  /** Absolute. */
  cwd?: Patch<string>;
  additionalDirectories?: Patch<string[]>;
}

/** A message between sessions, in the transcript of one of them (crate schema 1.20). */
export interface V2SessionMessage extends Upsert {
  sessionUpdate: "session_message";
  messageId: string;
  senderSessionId?: Patch<string>;
  recipientSessionId?: Patch<string>;
  /** The message in the sender's transcript. */
  senderMessageId?: Patch<string>;
  /** The message in the recipient's transcript. */
  recipientMessageId?: Patch<string>;
  content?: Patch<V2ContentBlock[]>;
}

/** A block that is appended to a message between sessions (crate schema 1.20). */
export interface V2SessionMessageChunk extends Extensible {
  sessionUpdate: "session_message_chunk";
  messageId: string;
  content: V2ContentBlock;
}

/** The schemas of the updates of subagents. */
export const subagentUpdates = {
  subagent_update: schemaFor<V2SubagentUpdate>()(
    z.looseObject({
      sessionUpdate: z.literal("subagent_update"),
      sessionId: SessionId,
      title: textPatch,
      description: textPatch,
      capabilities: patch(EntityCapabilities),
      state: patch(SessionActivity),
      cwd: patch(absolutePath),
      additionalDirectories: patch(z.array(absolutePath)),
      _meta: metaPatch,
    }),
  ),
  session_message: schemaFor<V2SessionMessage>()(
    z.looseObject({
      sessionUpdate: z.literal("session_message"),
      messageId: z.string(),
      senderSessionId: patch(SessionId),
      recipientSessionId: patch(SessionId),
      senderMessageId: textPatch,
      recipientMessageId: textPatch,
      content: patch(z.array(V2ContentBlock)),
      _meta: metaPatch,
    }),
  ),
  session_message_chunk: schemaFor<V2SessionMessageChunk>()(
    z.looseObject({
      sessionUpdate: z.literal("session_message_chunk"),
      messageId: z.string(),
      content: V2ContentBlock,
      _meta: meta,
    }),
  ),
};
