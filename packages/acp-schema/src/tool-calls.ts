import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { isBlockType } from "./block-types.js";
import { ContentBlock } from "./content.js";
import { count, type Extensible, meta } from "./extensible.js";

/** Every status of a tool call (sections 8.3 and 8.4; `pending` is how permission requests write it). */
export const toolCallStatuses = ["pending", "in_progress", "completed", "failed"] as const;
/** How far a tool call is. */
export type ToolCallStatus = (typeof toolCallStatuses)[number];

/** The kinds of tools that have a name of their own; any other string is allowed and reads as `other`. */
export const toolKinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;

/** A place in a file that a tool call touches. */
export interface ToolCallLocation extends Extensible {
  /** Absolute. */
  path: string;
  /** Counts from 1. */
  line?: number | undefined;
}
export const ToolCallLocation = schemaFor<ToolCallLocation>()(
  z.looseObject({ path: z.string(), line: z.optional(count), _meta: meta }),
);

/** A content block that a tool call produced. The dialect `spec` writes the block bare. */
export interface ToolCallBlock extends Extensible {
  type: "content";
  content: ContentBlock;
}
export const ToolCallBlock = schemaFor<ToolCallBlock>()(
  z.looseObject({ type: z.literal("content"), content: ContentBlock, _meta: meta }),
);

/** A change of one file. */
export interface ToolCallDiff extends Extensible {
  type: "diff";
  /** Absolute. */
  path: string;
  /** Absent or null for a new file. */
  oldText?: string | null | undefined;
  newText: string;
}
export const ToolCallDiff = schemaFor<ToolCallDiff>()(
  z.looseObject({
    type: z.literal("diff"),
    path: z.string(),
    oldText: z.optional(z.nullable(z.string())),
    newText: z.string(),
    _meta: meta,
  }),
);

/** A terminal whose output belongs to the tool call. */
export interface ToolCallTerminal extends Extensible {
  type: "terminal";
  terminalId: string;
}
export const ToolCallTerminal = schemaFor<ToolCallTerminal>()(
  z.looseObject({ type: z.literal("terminal"), terminalId: z.string(), _meta: meta }),
);

/** Output of a type that this version does not know; it is kept as it came. */
export interface UnknownToolCallContent extends Extensible {
  type: UnknownTag;
}

/** One piece of a tool call's output. */
export type ToolCallContent = ToolCallBlock | ToolCallDiff | ToolCallTerminal | UnknownToolCallContent;

const contents = { content: ToolCallBlock, diff: ToolCallDiff, terminal: ToolCallTerminal };

/** Tells the type of a known piece of tool output, exactly as the model writes it. */
export function isToolCallContentType(type: unknown): type is keyof typeof contents {
  return typeof type === "string" && Object.hasOwn(contents, type);
}

/** Refuses a bare content block and a known type in the wrong case: profiles and deviations read those. */
export const ToolCallContent = openUnion<ToolCallContent>("type", contents, (type) => {
  const lower = type.toLowerCase();
  return !isToolCallContentType(lower) && !isBlockType(lower);
});

/**
 * The changed fields of a tool call; an absent field is unchanged, and an array replaces the previous one (section
 * 8.4).
 */
export interface ToolCallUpdate extends Extensible {
  toolCallId: string;
  title?: string | undefined;
  /** The tool's name in the agent, such as `read_file`, for programs; users read `title`. */
  name?: string | undefined;
  status?: ToolCallStatus | undefined;
  /** One of `toolKinds`, or a word of the agent's own. */
  kind?: string | undefined;
  content?: ToolCallContent[] | undefined;
  locations?: ToolCallLocation[] | undefined;
  /** The tool's arguments: any JSON value, usually an object. */
  rawInput?: unknown;
  /** The tool's result: any JSON value. */
  rawOutput?: unknown;
}

/** A tool call as it begins (section 8.3). */
export interface ToolCall extends ToolCallUpdate {
  title: string;
  status: ToolCallStatus;
}

/** The fields of a `ToolCallUpdate`. */
export const toolCallUpdateShape = {
  toolCallId: z.string(),
  title: z.optional(z.string()),
  name: z.optional(z.string()),
  status: z.optional(z.enum(toolCallStatuses)),
  kind: z.optional(z.string()),
  content: z.optional(z.array(ToolCallContent)),
  locations: z.optional(z.array(ToolCallLocation)),
  rawInput: z.optional(z.unknown()),
  rawOutput: z.optional(z.unknown()),
  _meta: meta,
};

/** The fields of a `ToolCall`. */
export const toolCallShape = { ...toolCallUpdateShape, title: z.string(), status: z.enum(toolCallStatuses) };

export const ToolCallUpdate = schemaFor<ToolCallUpdate>()(z.looseObject(toolCallUpdateShape));
export const ToolCall = schemaFor<ToolCall>()(z.looseObject(toolCallShape));
