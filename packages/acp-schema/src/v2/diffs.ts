import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { absolutePath } from "../session-id.js";
import { text } from "./patch.js";

interface FileFacts extends Extensible {
  /** `text`, `binary`, `directory`, `symlink`, or another word. */
  fileType?: string | undefined;
  mimeType?: string | undefined;
}

/** A file is new, gone or has other content. */
export interface FileChange extends FileFacts {
  operation: "add" | "delete" | "modify";
  /** Absolute. */
  path: string;
}

/** A file has another place, or a second one. */
export interface FileMove extends FileFacts {
  operation: "move" | "copy";
  /** Absolute, as is `path`, its new place. */
  oldPath: string;
  path: string;
}

/** An operation that this version does not know. */
export interface UnknownFileChange extends FileFacts {
  operation: UnknownTag;
}

/** One file of a `V2Diff`. */
export type DiffChange = FileChange | FileMove | UnknownFileChange;
const facts = { fileType: text, mimeType: text, _meta: meta };
const change = (operation: FileChange["operation"]) =>
  z.looseObject({ operation: z.literal(operation), path: absolutePath, ...facts });
const move = (operation: FileMove["operation"]) =>
  z.looseObject({ operation: z.literal(operation), oldPath: absolutePath, path: absolutePath, ...facts });
const changes = {
  add: change("add"),
  delete: change("delete"),
  modify: change("modify"),
  move: move("move"),
  copy: move("copy"),
};
export const DiffChange = openUnion<DiffChange>(
  "operation",
  changes,
  z.looseObject({ operation: z.string(), ...facts }),
);

/** A diff as text. */
export interface DiffPatch extends Extensible {
  /** `git_patch`, whose paths are absolute and have no prefix such as `a/`, or another word. */
  format: string;
  text: string;
}
export const DiffPatch = schemaFor<DiffPatch>()(z.looseObject({ format: z.string(), text: z.string(), _meta: meta }));

/** The changes of a tool call to files (tool-calls#content). */
export interface V2Diff extends Extensible {
  type: "diff";
  /** The files. It decides where `patch` differs from it. */
  changes: DiffChange[];
  patch?: DiffPatch | undefined;
}
export const V2Diff = schemaFor<V2Diff>()(
  z.looseObject({
    type: z.literal("diff"),
    changes: z.array(DiffChange),
    patch: z.optional(DiffPatch),
    _meta: meta,
  }),
);
