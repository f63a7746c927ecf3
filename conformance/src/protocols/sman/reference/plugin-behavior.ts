import { isObject } from "@editwire/core";
import { tools, toolNames, type ToolName } from "../samples.js";
import { callChain } from "./chain-tool.js";
import { applyChange, edited } from "./change-tool.js";
import { confined, readText, writeText } from "./files.js";
import { grepFile, readFile } from "./search-tools.js";
import { type Json, ToolFailure } from "./tool-failure.js";
import type { PluginFiles } from "./plugin-files.js";

/** A call as the plugin reads it. */
export interface PluginCall {
  readonly id: unknown;
  readonly tool: unknown;
  readonly params: unknown;
  readonly message: Json;
}

/** An oddity that a backend may send and a plugin must survive. */
export type Oddity =
  | "no-json"
  | "binary"
  | "no-object"
  | "unknown-type"
  | "no-id"
  | "bad-call"
  | "more-fields"
  | "ping";

type Tool = (files: PluginFiles, params: Json) => string;

/** Bytes of a result as JSON; the rest is cut off. */
const MAX_BYTES = 8 * 1024 * 1024;

const rightTools: Readonly<Record<ToolName, Tool>> = {
  grep_file: grepFile,
  read_file: readFile,
  call_chain: callChain,
  apply_change: applyChange,
};

/**
 * Every decision of the reference plugin, as the specification wants it. A mutant replaces one of them; the functions
 * take what they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightPlugin = {
  /** Where it dials, given where it should. */
  url: (url: string): string => url,
  /** The data of the pong that answers a ping; `undefined`: none. */
  pong: (data: Buffer): Buffer | undefined => data,
  /** Characters of a message that it takes. */
  maxLength: 10 * 1024 * 1024,
  /** The messages sent on a new connection. The specification has none. */
  greeting: (): readonly Json[] => [],
  /** The messages sent for a message that is not a call. */
  words: (_message: Json): readonly Json[] => [],
  /** Last chance to change, drop or repeat a result. */
  outgoing: (message: Json): readonly unknown[] => [message],
  encode: (message: unknown): string | Uint8Array => JSON.stringify(message),

  /** Whether it lives on. */
  survives: (_what: Oddity): boolean => true,
  /** Reads the fields of a call. */
  call: (message: Json): PluginCall => ({
    id: message["toolCallId"],
    tool: message["toolName"],
    params: message["params"],
    message,
  }),
  /** The id in the answer to a call. */
  answerId: (id: unknown): unknown => (id === undefined || id === null || typeof id === "object" ? "" : id),
  /** Why a call is not executed; `undefined` if it is. */
  refusal({ tool, params }: PluginCall): string | undefined {
    if (typeof tool !== "string") return "缺少必需参数: toolName";
    if (!toolNames.includes(tool as ToolName)) return `不支持的工具: ${tool}`;
    if (!isObject(params)) return "缺少必需参数: params";
    const missing = [...tools[tool as ToolName].required, "projectKey"].find(
      (name) => typeof params[name] !== "string",
    );
    return missing === undefined ? undefined : `缺少必需参数: ${missing}`;
  },
  /** The answer to a call whose id was answered before. */
  again: (before: Json): Json | undefined => before,
  /** Runs a tool. */
  run: (tool: ToolName, files: PluginFiles, params: Json): string => rightTools[tool](files, params),
  /** Starts the work of a call. */
  schedule: (work: () => void, _call: PluginCall): void => void setImmediate(work),
  /** The folder that a call is about. */
  root: (root: string, _call: PluginCall): string => root,
  /** Finds a file. Throws a `ToolFailure` for a path that leads out of the project. */
  file: (root: string, path: string): string => confined(root, path),
  edited,
  /** Whether a file that exists is replaced by one that is created. */
  overwrites: false,
  /** The text of a failure. */
  failure: (error: unknown, _root: string): string => (error instanceof ToolFailure ? error.message : "工具执行异常"),
  /** A text that fits into a message. */
  fitting: (text: string): string =>
    Buffer.byteLength(text) <= MAX_BYTES ? text : `${text.slice(0, MAX_BYTES / 4)}\n\n> ⚠️ 结果过长，已截断`,
  /** Whether a call of a connection that was lost is executed and answered on the next one. */
  keepsCalls: false,
};

/** The reference plugin's switches. */
export type PluginBehavior = typeof rightPlugin;

/** The files of a project, as the tools of one call see them. */
export function filesOf(root: string, behavior: PluginBehavior): PluginFiles {
  const place = (path: string): string => behavior.file(root, path);
  return {
    root,
    edited: behavior.edited,
    read: (path) => readText(place(path), path),
    change(path, edit) {
      const before = readText(place(path), path);
      writeText(place(path), edit(before));
    },
    create(path, text) {
      const file = place(path);
      if (!behavior.overwrites && exists(file, path)) throw new ToolFailure(`文件已存在: ${path}`);
      writeText(file, text);
    },
  };
}

function exists(file: string, path: string): boolean {
  try {
    readText(file, path);
    return true;
  } catch (error) {
    return error instanceof ToolFailure && error.message.startsWith("不是文件");
  }
}
