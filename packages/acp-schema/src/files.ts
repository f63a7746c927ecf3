import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { count, type Extensible, meta } from "./extensible.js";
import { absolutePath, SessionId } from "./session-id.js";

/** Asks the client for a text file, with what is not saved yet (version 1). */
export interface ReadTextFileParams extends Extensible {
  sessionId: string;
  /** Absolute. */
  path: string;
  /** The first line to return, counted from 1. Default: the first of the file. */
  line?: number | undefined;
  /** The number of lines to return. Default: all. */
  limit?: number | undefined;
}
export const ReadTextFileParams = schemaFor<ReadTextFileParams>()(
  z.looseObject({
    sessionId: SessionId,
    path: absolutePath,
    line: z.optional(count),
    limit: z.optional(count),
    _meta: meta,
  }),
);

/** The lines that were asked for. */
export interface ReadTextFileResult extends Extensible {
  content: string;
}
export const ReadTextFileResult = schemaFor<ReadTextFileResult>()(z.looseObject({ content: z.string(), _meta: meta }));

/** Asks the client to write a text file, and to create it where it does not exist (version 1). */
export interface WriteTextFileParams extends Extensible {
  sessionId: string;
  /** Absolute. */
  path: string;
  content: string;
}
export const WriteTextFileParams = schemaFor<WriteTextFileParams>()(
  z.looseObject({ sessionId: SessionId, path: absolutePath, content: z.string(), _meta: meta }),
);
