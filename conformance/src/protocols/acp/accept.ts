import { acpProfiles } from "@editwire/acp-schema";
import { isObject, rewrite } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

const blocks: readonly unknown[] = ["text", "resource_link", "resource", "image", "audio"];

/** The spec says "ToolCallContent blocks" and no more: bare content blocks are as right as wrapped ones. */
const wrap = (item: unknown): unknown =>
  isObject(item) && blocks.includes(item["type"]) ? { type: "content", content: item } : item;

/** The spec says nothing of `_meta`, so that it may be null, at any depth. */
const withoutEmptyMeta = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmptyMeta);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([name, one]) => name !== "_meta" || one !== null);
  return Object.fromEntries(fields.map(([name, one]) => [name, withoutEmptyMeta(one)]));
};

/** Reads the forms that the spec leaves open as the schema has them. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (method, part, given) => {
  const value = withoutEmptyMeta(given);
  const field = { "session/update": "update", "session/request_permission": "toolCall" }[method];
  if (field === undefined || part !== "params" || !isObject(value) || !isObject(value[field])) return value;
  const { content } = value[field];
  return Array.isArray(content) ? { ...value, [field]: { ...value[field], content: content.map(wrap) } } : value;
};

/** Whether an agent that was offered a later version has answered with one, in the forms of that version. */
export const isLaterVersion = (result: unknown): boolean =>
  isObject(result) && Number.isInteger(result["protocolVersion"]) && Number(result["protocolVersion"]) > 1;

/** Reads the official dialect's own forms: stdio servers without a type, and null for what is absent. */
export const acceptV1: typeof accept = (method, part, value) => {
  if (method === "initialize" && part === "result" && isObject(value) && isLaterVersion(value))
    return { protocolVersion: value["protocolVersion"], agentCapabilities: {}, authMethods: [] };
  const { decode, decodeUnfit } = acpProfiles.v1;
  return rewrite(decodeUnfit, method, part, rewrite(decode, method, part, value));
};
