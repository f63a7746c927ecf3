import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { callAliases, properNames, resultAliases } from "./aliases.js";
import { count, type Extensible } from "./fields.js";
import type { SmanToolName } from "./tool-names.js";
import {
  type ApplyChangeParams,
  type CallChainParams,
  type GrepFileParams,
  type ReadFileParams,
  smanTools,
} from "./tools.js";

interface CallOf<Name, Params> extends Extensible {
  toolName: Name;
  params: Params;
  /** The backend's id of the connection, the same as in `params`. */
  webSocketSessionId: string;
}

/**
 * A tool call without its `toolCallId`, which the peer engine sets and reads. A tool that this version does not know
 * may have any params.
 */
export type ToolCallParams =
  | CallOf<"grep_file", GrepFileParams>
  | CallOf<"read_file", ReadFileParams>
  | CallOf<"call_chain", CallChainParams>
  | CallOf<"apply_change", ApplyChangeParams>
  | CallOf<UnknownTag, unknown>;

function callOf(name: SmanToolName) {
  return z
    .looseObject({ toolName: z.literal(name), params: smanTools[name], webSocketSessionId: z.string() })
    .check(properNames(callAliases));
}
export const ToolCallParams = openUnion<ToolCallParams>("toolName", {
  grep_file: callOf("grep_file"),
  read_file: callOf("read_file"),
  call_chain: callOf("call_chain"),
  apply_change: callOf("apply_change"),
});

/** The result of a tool call without its `toolCallId`, which the peer engine sets and reads. */
export interface ToolResult extends Extensible {
  /** The tool did what was asked. */
  success: boolean;
  /** The tool's text: plain, Markdown or JSON. */
  result?: string | undefined;
  /** Why it failed. */
  error?: string | undefined;
  /** Milliseconds that the tool took. */
  executionTime?: number | undefined;
}
export const ToolResult = schemaFor<ToolResult>()(
  z
    .looseObject({
      success: z.boolean(),
      result: z.optional(z.string()),
      error: z.optional(z.string()),
      executionTime: z.optional(count),
    })
    .check(properNames(resultAliases)),
);
