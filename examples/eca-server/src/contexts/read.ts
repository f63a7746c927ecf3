import { join } from "node:path";
import type { ChatContext, LinesRange, Position } from "@editwire/eca-schema";
import { isSystemError, ToolError, type UserContent } from "@editwire/example-coding-agent";
import type { Folders } from "../folders.js";
import type { McpServers } from "../mcp/servers.js";
import { repoMap } from "./repo-map.js";
import { fetchPage } from "./web.js";

/** Where contexts are read from. */
export interface ContextSources {
  readonly folders: Folders;
  readonly mcp: McpServers;
}

/** Characters of all contexts of a prompt together; what is beyond is named, not read. */
const maxChars = 512 * 1024;
/** Characters of one file, one page or one resource. */
const maxPartChars = 128 * 1024;

type Part = UserContent[number];

/**
 * Reads the contexts of a prompt for the model, in their order. One that cannot be read never fails the prompt: the
 * model gets a note instead. Throws only the signal's reason.
 */
export async function readContexts(
  contexts: readonly ChatContext[],
  sources: ContextSources,
  signal: AbortSignal,
): Promise<UserContent> {
  const parts: Part[] = [];
  let room = maxChars;
  for (const context of contexts) {
    if (context.type === "image") {
      const { mediaType, base64 } = context;
      parts.push({ type: "image_url", image_url: { url: `data:${mediaType};base64,${base64}` } });
      continue;
    }
    const text =
      room > 0
        ? await readContext(context, sources, signal)
        : `[${nameOf(context)}: left out, because the contexts are too long]`;
    parts.push({ type: "text", text: text.length <= room || room <= 0 ? text : `${text.slice(0, room)}\n… cut` });
    room -= text.length;
  }
  return parts;
}

async function readContext(context: ChatContext, sources: ContextSources, signal: AbortSignal): Promise<string> {
  try {
    return await contentOf(context, sources, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolError || isSystemError(error))
      return `[${nameOf(context)}: cannot be read: ${error.message}]`;
    throw error;
  }
}

async function contentOf(context: ChatContext, { folders, mcp }: ContextSources, signal: AbortSignal): Promise<string> {
  switch (context.type) {
    case "file":
      return file(context.path, context.linesRange, await folders.of(context.path).read(context.path));
    case "directory":
      return directory(context.path, folders, signal);
    case "web":
      return titled(context.url, await fetchPage(context.url, signal));
    case "repoMap":
      return titled(
        "The files of the workspace",
        (await Promise.all(folders.all.map((folder) => repoMap(folder, signal)))).join("\n"),
      );
    case "mcpResource":
      return titled(
        `${context.name} (${context.uri} of ${context.server})`,
        await mcp.read(context.server, context.uri, signal),
      );
    case "cursor": {
      if (context.path === "") return "The cursor is in no file.";
      const { start, end } = context.position;
      const place = ({ line, character }: Position): string => `line ${line}, column ${character}`;
      return `The cursor is in ${context.path}, from ${place(start)}, to ${place(end)}.`;
    }
    case "text":
      return titled(context.label === "" ? "A text of the user" : context.label, context.content);
    default:
      return `[${nameOf(context)}: this server does not know this kind of context]`;
  }
}

/** Lines count from 1, both ends included; a range that is upside down is turned. */
function file(path: string, range: LinesRange | undefined, text: string): string {
  if (range === undefined) return titled(path, text);
  const [start, end] = [Math.max(1, Math.min(range.start, range.end)), Math.max(range.start, range.end)];
  return titled(
    `${path}, lines ${start} to ${end}`,
    text
      .split("\n")
      .slice(start - 1, end)
      .join("\n"),
  );
}

/** Every text file below, as far as there is room, and the names of the others. */
async function directory(path: string, folders: Folders, signal: AbortSignal): Promise<string> {
  const folder = folders.of(path);
  const parts: string[] = [];
  const left: string[] = [];
  let room = maxPartChars;
  for (const name of await folder.list(path, signal)) {
    signal.throwIfAborted();
    const text = room <= 0 ? undefined : await folder.read(name).catch(() => undefined);
    if (text === undefined || text.length > room) left.push(name);
    else parts.push(titled(join(folder.cwd, name), text));
    room -= text?.length ?? 0;
  }
  const rest = left.length === 0 ? [] : [`Also below ${path}, not shown:\n${left.join("\n")}`];
  return [`The directory ${path} follows.`, ...parts, ...rest].join("\n\n");
}

function titled(title: string, text: string): string {
  return `${title}:\n\n${text.length > maxPartChars ? `${text.slice(0, maxPartChars)}\n… cut` : text}`;
}

function nameOf(context: ChatContext): string {
  const { type, path, url, uri } = context as Record<string, unknown>;
  const place = path ?? url ?? uri;
  return typeof place === "string" ? `${String(type)} ${place}` : String(type);
}
