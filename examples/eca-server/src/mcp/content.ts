import { isObject } from "@editwire/core";

/** The content of a result or a message of MCP as text; what is no text is named. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content.map(partText).join("\n");
}

function partText(part: unknown): string {
  if (!isObject(part)) return "";
  const { type, text, resource, uri, mimeType } = part;
  if (typeof text === "string") return text;
  if (type === "resource" && isObject(resource))
    return typeof resource["text"] === "string" ? resource["text"] : `[${String(resource["uri"])}]`;
  if (type === "resource_link") return `[${String(uri)}]`;
  return `[${typeof mimeType === "string" ? mimeType : String(type)}]`;
}
