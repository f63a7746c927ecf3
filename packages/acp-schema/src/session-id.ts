import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";

/** A session's id: any string but the empty one. */
export const SessionId = schemaFor<string>()(
  z.string().check(z.minLength(1, { error: "expected a session id, received an empty string" })),
);

/** Absolute on POSIX (`/a`) or on Windows (`C:\a`, `\\host\share`). */
export const absolutePath = z
  .string()
  .check(z.regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)/, { error: "expected an absolute path" }));
