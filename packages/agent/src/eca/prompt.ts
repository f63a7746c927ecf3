import type { ContentBlock } from "@editwire/acp";
import type { ChatContext, EcaParams } from "@editwire/eca";
import { fileUri, pathOf } from "../shared/file-uri.js";

/**
 * A message with its contexts. Contexts that have no form here, such as the overview of the workspace, are left out.
 */
export function blocksOf(message: string, contexts: readonly ChatContext[]): ContentBlock[] {
  return [{ type: "text", text: message }, ...contexts.flatMap(blockOf)];
}

function blockOf(context: ChatContext): ContentBlock[] {
  const { type, path, url, uri, name, label, content, mediaType, base64, linesRange, position } = context as Fields;
  if (typeof path === "string" && path !== "")
    return [link(`${fileUri(path)}${fragmentOf(linesRange, position)}`, path.split(/[\\/]/).at(-1) ?? path)];
  if (typeof url === "string") return [link(url, url)];
  if (typeof uri === "string") return [link(uri, typeof name === "string" ? name : uri)];
  if (type === "image" && typeof base64 === "string")
    return [{ type: "image", data: base64, mimeType: String(mediaType) }];
  if (typeof content === "string") return [{ type: "text", text: `${String(label)}:\n${content}` }];
  return [];
}

interface Fields {
  readonly type?: unknown;
  readonly path?: unknown;
  readonly url?: unknown;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly label?: unknown;
  readonly content?: unknown;
  readonly mediaType?: unknown;
  readonly base64?: unknown;
  readonly linesRange?: { readonly start?: unknown; readonly end?: unknown } | undefined;
  readonly position?: { readonly start?: { readonly line?: unknown } | undefined } | undefined;
}

const link = (uri: string, name: string): ContentBlock => ({ type: "resource_link", uri, name });

function fragmentOf(lines: Fields["linesRange"], position: Fields["position"]): string {
  if (lines !== undefined) return `#L${String(lines.start)}-L${String(lines.end)}`;
  const line = position?.start?.line;
  return typeof line === "number" ? `#L${line}` : "";
}

/** The folders that an editor has open. Without one, the root of the file system. */
export function foldersOf({ workspaceFolders }: Pick<EcaParams<"initialize">, "workspaceFolders">): {
  cwd: string;
  roots: string[];
} {
  const [cwd = "/", ...roots] = (workspaceFolders ?? []).map(({ uri }) => pathOf(uri));
  return { cwd, roots };
}
