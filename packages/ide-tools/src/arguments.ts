import { smanToolDefaults as defaults, type SmanToolName } from "@editwire/sman-schema";
import * as z from "zod";
import { ToolError } from "./errors.js";

const path = z.string().min(1).max(4096);
const lineNumber = z.int().min(-1_000_000_000).max(1_000_000_000);
const contextLines = z.int().min(0).max(1000);
/** Text that is searched for or written. Files of 10 MiB have no more. */
const passage = z.string().max(10 * 1024 * 1024);

/** The arguments of the tools, with their bounds, which the protocol leaves to the tools, and their defaults. */
export const toolArguments = {
  grep_file: z.object({
    pattern: z.string().min(1).max(10_000),
    relativePath: z.string().max(4096).optional(),
    regex: z.boolean().default(defaults.grep_file.regex),
    case_sensitive: z.boolean().default(defaults.grep_file.case_sensitive),
    context_lines: contextLines.default(defaults.grep_file.context_lines),
    limit: z.int().min(1).max(1000).default(defaults.grep_file.limit),
    file_type: z.string().max(100).default(defaults.grep_file.file_type),
  }),
  read_file: z.object({
    relativePath: path,
    start_line: lineNumber.optional(),
    end_line: lineNumber.optional(),
    line: lineNumber.optional(),
    context_lines: contextLines.default(defaults.read_file.context_lines),
  }),
  call_chain: z.object({
    method: z
      .string()
      .max(1000)
      .regex(/^[^.]+(?:\.[^.]+)+$/, { error: "expected ClassName.methodName" }),
    direction: z.enum(["callers", "callees", "both"]).default(defaults.call_chain.direction),
    depth: z.int().min(1).max(10).default(defaults.call_chain.depth),
    includeSource: z.boolean().default(defaults.call_chain.includeSource),
  }),
  apply_change: z.object({
    relativePath: path,
    searchContent: passage.default(""),
    replaceContent: passage,
    description: z.string().max(10_000).optional(),
  }),
} as const satisfies Record<SmanToolName, z.ZodType>;

/** The checked arguments of a tool. */
export type ToolArguments<Name extends SmanToolName> = z.output<(typeof toolArguments)[Name]>;

/** Checks the arguments of a call. Throws a `ToolError` that names each one that does not fit, and its bound. */
export function checkArguments<Name extends SmanToolName>(name: Name, input: unknown): ToolArguments<Name> {
  const schemas: { readonly [Each in SmanToolName]: z.ZodType<ToolArguments<Each>> } = toolArguments;
  const { success, data, error } = schemas[name].safeParse(input);
  if (success) return data;
  const detail = error.issues.map(({ path: at, message }) => `${at.join(".")}: ${message}`).join("; ");
  throw new ToolError(`The arguments of ${name} do not fit: ${detail}`, { code: "argument", detail });
}
