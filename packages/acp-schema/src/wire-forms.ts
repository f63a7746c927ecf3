import { type Change, isAbsent, isObject } from "@editwire/core";
import { isBlockType } from "./block-types.js";
import { keepRaw } from "./keep-raw.js";
import { toolCallUpdateShape, toolKinds } from "./tool-calls.js";

/** Puts a bare content block among tool output into the model's `{ type: "content" }`. */
export const wrapBlock: Change = (item) =>
  isObject(item) && isBlockType(item["type"]) ? { type: "content", content: item } : item;

/**
 * Writes a wrapped block bare. A block of an unknown type stays wrapped: bare, nobody could tell it from other output.
 */
export const bareBlock: Change = (item) =>
  isObject(item) && item["type"] === "content" && isObject(item["content"]) && isBlockType(item["content"]["type"])
    ? item["content"]
    : item;

/** Gives the untagged MCP server, which is one on stdio, its `type`. */
export const tagStdio: Change = (server) =>
  isObject(server) && isAbsent(server["type"]) && typeof server["command"] === "string"
    ? { ...server, type: "stdio" }
    : server;

/** Takes the `type` from an MCP server on stdio. */
export const untagStdio: Change = (server) => {
  if (!isObject(server) || server["type"] !== "stdio") return server;
  const { type: _, ...others } = server;
  return others;
};

/** Gives a tool call that begins the official dialect's default status. */
export const pendingByDefault: Change = (call) =>
  isObject(call) && call["sessionUpdate"] === "tool_call" && isAbsent(call["status"])
    ? { ...call, status: "pending" }
    : call;

const kinds: readonly unknown[] = toolKinds;
const toolCallFields: ReadonlySet<string> = new Set([...Object.keys(toolCallUpdateShape), "sessionUpdate"]);

/**
 * Writes a tool call as the official dialect demands: a kind of the agent's own as `other`, and a vendor's fields in
 * `_meta`, where its readers keep them.
 */
export const officialToolCall: Change = (call) => {
  if (!isObject(call)) return call;
  const { kind } = call;
  const written = isAbsent(kind) || kinds.includes(kind) ? call : keepRaw({ ...call, kind: "other" }, "kind", kind);
  for (const field in written) if (!toolCallFields.has(field)) return vendorsInMeta(written);
  return written;
};

/** Moves a vendor's fields to `_meta`. A field that `_meta` already has under the same name is kept. */
function vendorsInMeta({ _meta: meta, ...entries }: Record<string, unknown>): Record<string, unknown> {
  const [moved, rest]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [field, each] of Object.entries(entries)) (toolCallFields.has(field) ? rest : moved)[field] = each;
  return { ...rest, _meta: isObject(meta) ? { ...moved, ...meta } : moved };
}

/** Gives a link its `name` and a medium its `mimeType`, which the official dialect demands. */
export const completeBlock: Change = (block) => {
  if (!isObject(block) || block["type"] === "text") return block;
  const { type, name, mimeType, uri, data } = block;
  if (type === "resource_link" && name === undefined) return { ...block, name: baseName(String(uri)) };
  if ((type === "image" || type === "audio") && mimeType === undefined)
    return { ...block, mimeType: mimeTypeOf(type, String(data)) };
  return block;
};

/** Gives a command and its input the texts that the official dialect demands. */
export const completeCommand: Change = (command) => {
  if (!isObject(command)) return command;
  const { description = "", input } = command;
  const complete = isObject(input) ? { input: { ...input, hint: input["hint"] ?? "" } } : {};
  return { ...command, description, ...complete };
};

/** Gives a way to sign in the `name` that the official dialect demands. */
export const completeAuthMethod: Change = (method) =>
  isObject(method) && isAbsent(method["name"]) ? { ...method, name: method["id"] } : method;

/** Gives a program the `name` and the `version` that the official dialect demands. */
export const completeInfo: Change = (info) =>
  isObject(info) ? { ...info, name: info["name"] ?? info["title"] ?? "", version: info["version"] ?? "" } : info;

/** The last segment of a URI's path, or the URI where it has none. */
function baseName(uri: string): string {
  const segment = /([^/\\]+)[/\\]*$/.exec(uri.replace(/[?#].*$/s, ""))?.[1] ?? uri;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** How files of each type begin, in base64. RIFF holds pictures and sounds, so the block's type comes first. */
const signatures: Readonly<Record<"image" | "audio", readonly (readonly [prefix: string, mimeType: string])[]>> = {
  image: [
    ["iVBORw0KGgo", "image/png"],
    ["/9j/", "image/jpeg"],
    ["R0lGOD", "image/gif"],
    ["UklGR", "image/webp"],
    ["Qk0", "image/bmp"],
  ],
  audio: [
    ["UklGR", "audio/wav"],
    ["SUQz", "audio/mpeg"],
    ["//", "audio/mpeg"],
    ["T2dnUw", "audio/ogg"],
    ["ZkxhQw", "audio/flac"],
  ],
};

function mimeTypeOf(type: "image" | "audio", data: string): string {
  return signatures[type].find(([prefix]) => data.startsWith(prefix))?.[1] ?? "application/octet-stream";
}
