import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type OpenEnum, openEnum, type UserMap } from "./extensible.js";
import { ToolCallDetails } from "./tool-details.js";

/** Where a tool comes from. */
export type ToolCallOrigin = OpenEnum<"mcp" | "native" | "server" | "unknown">;
const origin = openEnum(["mcp", "native", "server", "unknown"]);

/** Why a tool call was rejected; `spec` knows `user` only. */
export type ToolCallRejectReason = OpenEnum<
  "user" | "userChoiceDeny" | "userConfigDeny" | "hookRejected" | "hookStopped" | "userPromptStop" | "userStop"
>;
const reason = openEnum([
  "user",
  "userChoiceDeny",
  "userConfigDeny",
  "hookRejected",
  "hookStopped",
  "userPromptStop",
  "userStop",
]);

/** The arguments of a tool: any JSON values under the tool's own keys. */
export type ToolArguments = UserMap;
const toolArguments = z.record(z.string(), z.unknown());

/** Fields of every content about a tool call. */
export interface ToolCallBase {
  origin: ToolCallOrigin;
  /** Unique in its chat. */
  id: string;
  name: string;
  /** The server of the tool, in `v2026`; `eca` for the server's own. */
  server?: string | undefined;
  /** A description of the call for the user, such as "Reading file". */
  summary?: string | undefined;
  details?: ToolCallDetails | undefined;
}
const base = {
  origin,
  id: z.string(),
  name: z.string(),
  server: z.optional(z.string()),
  summary: z.optional(z.string()),
  details: z.optional(ToolCallDetails),
};

/** The model writes a tool call (#chat-content-received). */
export interface ToolCallPrepareContent extends ToolCallBase {
  type: "toolCallPrepare";
  /** The whole text so far in `spec`, the next piece of it in `v2026`: see `appendArguments`. */
  argumentsText: string;
  manualApproval?: boolean | undefined;
}
export const ToolCallPrepareContent = schemaFor<ToolCallPrepareContent>()(
  z.looseObject({
    type: z.literal("toolCallPrepare"),
    ...base,
    argumentsText: z.string(),
    manualApproval: z.optional(z.boolean()),
  }),
);

/** The server is about to run a tool (#chat-content-received). */
export interface ToolCallRunContent extends ToolCallBase {
  type: "toolCallRun";
  arguments: ToolArguments;
  /** Whether the call waits for the user. */
  manualApproval: boolean;
}
export const ToolCallRunContent = schemaFor<ToolCallRunContent>()(
  z.looseObject({ type: z.literal("toolCallRun"), ...base, arguments: toolArguments, manualApproval: z.boolean() }),
);

/** The tool runs, in `v2026`. */
export interface ToolCallRunningContent extends ToolCallBase {
  type: "toolCallRunning";
  arguments: ToolArguments;
}
export const ToolCallRunningContent = schemaFor<ToolCallRunningContent>()(
  z.looseObject({ type: z.literal("toolCallRunning"), ...base, arguments: toolArguments }),
);

/** A piece of what a tool returned. */
export interface ToolCallOutput {
  type: OpenEnum<"text">;
  text: string;
  /** The name of `text` in the specification. */
  content?: string | undefined;
}
export const ToolCallOutput = schemaFor<ToolCallOutput>()(
  z.looseObject({ type: openEnum(["text"]), text: z.string(), content: z.optional(z.string()) }),
);

/** A tool ran (#chat-content-received). */
export interface ToolCalledContent extends ToolCallBase {
  type: "toolCalled";
  /** An object in what peers send; the specification has a list of strings. */
  arguments: ToolArguments | unknown[];
  error: boolean;
  outputs: ToolCallOutput[];
  totalTimeMs?: number | undefined;
}
export const ToolCalledContent = schemaFor<ToolCalledContent>()(
  z.looseObject({
    type: z.literal("toolCalled"),
    ...base,
    arguments: z.union([toolArguments, z.array(z.unknown())], { error: "expected an object or an array" }),
    error: z.boolean(),
    outputs: z.array(ToolCallOutput),
    totalTimeMs: z.optional(z.number()),
  }),
);

/** A tool call does not run (#chat-content-received). */
export interface ToolCallRejectedContent extends ToolCallBase {
  type: "toolCallRejected";
  arguments: ToolArguments;
  reason: ToolCallRejectReason;
}
export const ToolCallRejectedContent = schemaFor<ToolCallRejectedContent>()(
  z.looseObject({ type: z.literal("toolCallRejected"), ...base, arguments: toolArguments, reason }),
);
