import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { namesOf, paramAliases, properNames } from "./aliases.js";
import { count, type Extensible, filled, positive } from "./fields.js";
import type { SmanToolName } from "./tool-names.js";

/** The fields of a tool call that name its connection. The backend's binding adds both. */
export interface ToolSite extends Extensible {
  /** The project of the connection. */
  projectKey: string;
  /** The backend's id of the connection. */
  webSocketSessionId: string;
}

const site = { projectKey: z.string(), webSocketSessionId: z.string() };

/** A loose object that refuses the other names of its members. */
function params<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const object = z.looseObject({ ...site, ...shape });
  return object.check(properNames(paramAliases(namesOf(object))));
}

/** Searches for a text or a regular expression in one file, or in all files of the project. */
export interface GrepFileInput {
  pattern: string;
  /** The file, relative to the project. Default: every file. */
  relativePath?: string | undefined;
  /** `pattern` is a regular expression. Default false: a literal text. */
  regex?: boolean | undefined;
  /** Default false. */
  case_sensitive?: boolean | undefined;
  /** Lines shown before and after each match. Default 0. */
  context_lines?: number | undefined;
  /** Matches at most. Default 20. */
  limit?: number | undefined;
  /** `all`, `java` or `config`. Default `all`; a plugin reads unknown values as `all`. */
  file_type?: string | undefined;
}
/** The params of `grep_file`. */
export interface GrepFileParams extends GrepFileInput, ToolSite {}
export const GrepFileParams = schemaFor<GrepFileParams>()(
  params({
    pattern: filled,
    relativePath: z.optional(z.string()),
    regex: z.optional(z.boolean()),
    case_sensitive: z.optional(z.boolean()),
    context_lines: z.optional(count),
    limit: z.optional(positive),
    file_type: z.optional(z.string()),
  }),
);

/**
 * Reads a file or a part of it. Both `start_line` and `end_line`: this range. `start_line` alone: up to the end of the
 * file. `end_line` alone: from line 1. Otherwise `line` with `context_lines` around it, otherwise the whole file.
 */
export interface ReadFileInput {
  /** The file, relative to the project. */
  relativePath: string;
  /** The first line, counted from 1. */
  start_line?: number | undefined;
  /** The last line, which is included. */
  end_line?: number | undefined;
  /** The line to show with its context. */
  line?: number | undefined;
  /** Lines shown before and after `line`. Default 20. */
  context_lines?: number | undefined;
}
/** The params of `read_file`. */
export interface ReadFileParams extends ReadFileInput, ToolSite {}
export const ReadFileParams = schemaFor<ReadFileParams>()(
  params({
    relativePath: filled,
    start_line: z.optional(z.int()),
    end_line: z.optional(z.int()),
    line: z.optional(z.int()),
    context_lines: z.optional(count),
  }),
);

/** Which calls `call_chain` lists. */
export type CallDirection = "callers" | "callees" | "both";

/** Lists the methods that call a method, and those that it calls. */
export interface CallChainInput {
  /** `ClassName.methodName`; the class may have its package or module in front. */
  method: string;
  /** Default `both`. */
  direction?: CallDirection | undefined;
  /** Calls between the method and the farthest one that is listed. Default 1. */
  depth?: number | undefined;
  /** Shows the source of each method. Default false. */
  includeSource?: boolean | undefined;
}
/** The params of `call_chain`. */
export interface CallChainParams extends CallChainInput, ToolSite {}
export const CallChainParams = schemaFor<CallChainParams>()(
  params({
    method: z.string().check(z.regex(/^[^.]+(?:\.[^.]+)+$/, { error: "expected ClassName.methodName" })),
    direction: z.optional(z.enum(["callers", "callees", "both"])),
    depth: z.optional(positive),
    includeSource: z.optional(z.boolean()),
  }),
);

/** Replaces a text of a file, or creates a file. */
export interface ApplyChangeInput {
  /** The file, relative to the project. */
  relativePath: string;
  /** The text to replace. Absent or empty: the file is created. */
  searchContent?: string | undefined;
  /** The text to write; empty deletes `searchContent`. */
  replaceContent: string;
  /** The purpose of the change. */
  description?: string | undefined;
}
/** The params of `apply_change`. */
export interface ApplyChangeParams extends ApplyChangeInput, ToolSite {}
export const ApplyChangeParams = schemaFor<ApplyChangeParams>()(
  params({
    relativePath: filled,
    searchContent: z.optional(z.string()),
    replaceContent: z.string(),
    description: z.optional(z.string()),
  }),
);

/** The params of each tool, without the connection's `projectKey` and `webSocketSessionId`. */
export interface SmanToolInputs {
  grep_file: GrepFileInput;
  read_file: ReadFileInput;
  call_chain: CallChainInput;
  apply_change: ApplyChangeInput;
}

/** The schemas of the tools' params, by the tools' names. */
export const smanTools = {
  grep_file: GrepFileParams,
  read_file: ReadFileParams,
  call_chain: CallChainParams,
  apply_change: ApplyChangeParams,
} as const satisfies Record<SmanToolName, unknown>;

/** The values that a plugin uses for params that a call leaves out. */
export const smanToolDefaults = {
  grep_file: { regex: false, case_sensitive: false, context_lines: 0, limit: 20, file_type: "all" },
  read_file: { context_lines: 20 },
  call_chain: { direction: "both", depth: 1, includeSource: false },
  apply_change: {},
} as const;
