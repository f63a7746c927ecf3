import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import type { Extensible } from "./extensible.js";

/** Lines of a file. They count from 1, and both ends belong to the range. */
export interface LinesRange {
  start: number;
  end: number;
}
export const LinesRange = schemaFor<LinesRange>()(z.looseObject({ start: z.int(), end: z.int() }));

/** A file, or some lines of it (#chat-prompt). */
export interface FileContext {
  type: "file";
  path: string;
  /** Absent for the whole file. */
  linesRange?: LinesRange | undefined;
}
export const FileContext = schemaFor<FileContext>()(
  z.looseObject({ type: z.literal("file"), path: z.string(), linesRange: z.optional(LinesRange) }),
);

/** A directory (#chat-prompt). */
export interface DirectoryContext {
  type: "directory";
  path: string;
}
export const DirectoryContext = schemaFor<DirectoryContext>()(
  z.looseObject({ type: z.literal("directory"), path: z.string() }),
);

/** A web page (#chat-prompt). */
export interface WebContext {
  type: "web";
  url: string;
}
export const WebContext = schemaFor<WebContext>()(z.looseObject({ type: z.literal("web"), url: z.string() }));

/** The overview of the workspace that the server makes (#chat-prompt). */
export interface RepoMapContext {
  type: "repoMap";
}
export const RepoMapContext = schemaFor<RepoMapContext>()(z.looseObject({ type: z.literal("repoMap") }));

/** A resource of an MCP server (#chat-prompt). */
export interface McpResourceContext {
  type: "mcpResource";
  uri: string;
  name: string;
  description: string;
  /** Such as `text/markdown`. */
  mimeType: string;
  /** The MCP server that has it. */
  server: string;
}
export const McpResourceContext = schemaFor<McpResourceContext>()(
  z.looseObject({
    type: z.literal("mcpResource"),
    uri: z.string(),
    name: z.string(),
    description: z.string(),
    mimeType: z.string(),
    server: z.string(),
  }),
);

/** A place in a document. */
export interface Position {
  line: number;
  character: number;
}
export const Position = schemaFor<Position>()(z.looseObject({ line: z.int(), character: z.int() }));

/** A stretch of a document. */
export interface Range {
  start: Position;
  end: Position;
}
export const Range = schemaFor<Range>()(z.looseObject({ start: Position, end: Position }));

/** Where the cursor is, in `v2026`. */
export interface CursorContext {
  type: "cursor";
  /** Empty in what servers offer, because only the client knows where its cursor is. */
  path: string;
  /** Start and end are equal when nothing is selected. */
  position: Range;
}
export const CursorContext = schemaFor<CursorContext>()(
  z.looseObject({ type: z.literal("cursor"), path: z.string(), position: Range }),
);

/** A picture, in `v2026`. */
export interface ImageContext {
  type: "image";
  mediaType: string;
  base64: string;
}
export const ImageContext = schemaFor<ImageContext>()(
  z.looseObject({ type: z.literal("image"), mediaType: z.string(), base64: z.string() }),
);

/** Text that is in no file, such as an unsaved buffer; in `v2026`. */
export interface TextContext {
  type: "text";
  /** The label that the user sees. */
  label: string;
  content: string;
}
export const TextContext = schemaFor<TextContext>()(
  z.looseObject({ type: z.literal("text"), label: z.string(), content: z.string() }),
);

/** A context of a type that this version does not know; it is kept as it came. */
export interface UnknownContext extends Extensible {
  type: UnknownTag;
}

/** Something that the model should know besides the message (#chat-prompt). */
export type ChatContext =
  | FileContext
  | DirectoryContext
  | WebContext
  | RepoMapContext
  | McpResourceContext
  | CursorContext
  | ImageContext
  | TextContext
  | UnknownContext;

export const ChatContext = openUnion<ChatContext>("type", {
  file: FileContext,
  directory: DirectoryContext,
  web: WebContext,
  repoMap: RepoMapContext,
  mcpResource: McpResourceContext,
  cursor: CursorContext,
  image: ImageContext,
  text: TextContext,
});
