import { openUnion, schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { Marker } from "../capabilities.js";
import { type Extensible, meta } from "../extensible.js";
import { absolutePath, SessionId } from "../session-id.js";
import { ToolCallTerminal, type UnknownToolCallContent } from "../tool-calls.js";
import { V2ContentBlock } from "./content.js";
import { V2Diff } from "./diffs.js";
import { metaPatch, type Patch, patch, textPatch, type Upsert } from "./patch.js";

/** A content block that a tool call produced. */
export interface V2ToolCallBlock extends Extensible {
  type: "content";
  content: V2ContentBlock;
}

/** Another session, such as that of a subagent (crate schema 1.20). */
export interface ToolCallSession extends Extensible {
  type: "session";
  sessionId: string;
}

/** One piece of a tool call's output. A `terminal` refers to one of the agent's, which its own updates describe. */
export type V2ToolCallContent = V2ToolCallBlock | V2Diff | ToolCallTerminal | ToolCallSession | UnknownToolCallContent;
export const V2ToolCallContent = openUnion<V2ToolCallContent>("type", {
  content: schemaFor<V2ToolCallBlock>()(
    z.looseObject({ type: z.literal("content"), content: V2ContentBlock, _meta: meta }),
  ),
  diff: V2Diff,
  terminal: ToolCallTerminal,
  session: schemaFor<ToolCallSession>()(
    z.looseObject({ type: z.literal("session"), sessionId: SessionId, _meta: meta }),
  ),
});

/** A place in a file that a tool call touches. */
export interface V2ToolCallLocation extends Extensible {
  /** Absolute. */
  path: string;
  /** Counts from 1. */
  line?: number | undefined;
}
export const V2ToolCallLocation = schemaFor<V2ToolCallLocation>()(
  z.looseObject({ path: absolutePath, line: z.optional(z.int().check(z.gte(1))), _meta: meta }),
);

/** Operations that the client may perform on one tool call or terminal. */
export interface EntityCapabilities extends Extensible {
  /** `tool_call/cancel` or `terminal/cancel`. */
  cancel?: Marker | undefined;
}
export const EntityCapabilities = schemaFor<EntityCapabilities>()(
  z.looseObject({ cancel: z.optional(Marker), _meta: meta }),
);

/** A tool call at its first mention, or what is new about it. An array replaces the one before (tool-calls). */
export interface V2ToolCallUpdate extends Upsert {
  toolCallId: string;
  /** For users. */
  title?: Patch<string>;
  /** The tool's name in the agent, such as `read_file`, for programs. */
  name?: Patch<string>;
  /** One of `toolKinds`, or a word of the agent's own. At first and after null: `other`. */
  kind?: Patch<string>;
  /**
   * `pending`, `in_progress`, `paused`, `completed`, `failed`, `cancelled`, or a word of the agent's own. At first and
   * after null: `pending`.
   */
  status?: Patch<string>;
  content?: Patch<V2ToolCallContent[]>;
  locations?: Patch<V2ToolCallLocation[]>;
  /** The tool's arguments: any JSON value. Null unsets it. */
  rawInput?: unknown;
  /** The tool's result: any JSON value. Null unsets it. */
  rawOutput?: unknown;
  capabilities?: Patch<EntityCapabilities>;
}
const shape = {
  toolCallId: z.string(),
  title: textPatch,
  name: textPatch,
  kind: textPatch,
  status: textPatch,
  content: patch(z.array(V2ToolCallContent)),
  locations: patch(z.array(V2ToolCallLocation)),
  rawInput: z.optional(z.unknown()),
  rawOutput: z.optional(z.unknown()),
  capabilities: patch(EntityCapabilities),
  _meta: metaPatch,
};
export const V2ToolCallUpdate = schemaFor<V2ToolCallUpdate>()(z.looseObject(shape));

/** A tool call begins, goes on or ends. */
export interface V2ToolCallProgress extends V2ToolCallUpdate {
  sessionUpdate: "tool_call_update";
}

/** A piece of output that is appended to a tool call's. */
export interface ToolCallContentChunk extends Extensible {
  sessionUpdate: "tool_call_content_chunk";
  toolCallId: string;
  content: V2ToolCallContent;
}

/** The schemas of the updates of tool calls. */
export const toolCallUpdates = {
  tool_call_update: schemaFor<V2ToolCallProgress>()(
    z.looseObject({ sessionUpdate: z.literal("tool_call_update"), ...shape }),
  ),
  tool_call_content_chunk: schemaFor<ToolCallContentChunk>()(
    z.looseObject({
      sessionUpdate: z.literal("tool_call_content_chunk"),
      toolCallId: z.string(),
      content: V2ToolCallContent,
      _meta: meta,
    }),
  ),
};
