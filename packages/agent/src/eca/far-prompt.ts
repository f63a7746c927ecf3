import type { ContentBlock } from "@editwire/acp";
import type { ChatContext } from "@editwire/eca";
import { textOf } from "../shared/prompt.js";
import { pathOf } from "../shared/file-uri.js";

/** A prompt as a message with its contexts. */
export function messageOf(content: readonly ContentBlock[]): { message: string; contexts: ChatContext[] } {
  return { message: textOf(content), contexts: content.flatMap(contextOf) };
}

/** Whether a block of a prompt has a form in a message or its contexts. */
export function isCarried(block: ContentBlock): boolean {
  return block.type === "text" || contextOf(block).length > 0;
}

interface Fields {
  readonly type?: unknown;
  readonly uri?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly resource?: { readonly uri?: unknown; readonly text?: unknown } | undefined;
}

function contextOf(block: ContentBlock): ChatContext[] {
  const { type, uri, data, mimeType, resource } = block as Fields;
  if (type === "resource_link" && typeof uri === "string") return [linked(uri)];
  if (type === "image" && typeof data === "string")
    return [{ type: "image", mediaType: String(mimeType), base64: data }];
  if (typeof resource?.text === "string")
    return [{ type: "text", label: String(resource.uri), content: resource.text }];
  return [];
}

function linked(uri: string): ChatContext {
  if (!uri.startsWith("file:")) return { type: "web", url: uri };
  const [address = uri, fragment = ""] = uri.split("#");
  const path = pathOf(address);
  if (path.endsWith("/")) return { type: "directory", path };
  const [, start, end = start] = /^L(\d+)(?:-L?(\d+))?$/.exec(fragment) ?? [];
  const lines = start === undefined ? {} : { linesRange: { start: Number(start), end: Number(end) } };
  return { type: "file", path, ...lines };
}
