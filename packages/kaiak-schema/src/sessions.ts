import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { count, id, timestamp } from "./fields.js";

/** Deletes a session (`kaiak/delete_session`). */
export interface DeleteSessionParams {
  session_id: string;
  /** Cancels the run of a session that is in use. Default false. */
  force?: boolean | undefined;
  /** Default true. */
  cleanup_files?: boolean | undefined;
}
export const DeleteSessionParams = schemaFor<DeleteSessionParams>()(
  z.looseObject({ session_id: id, force: z.optional(z.boolean()), cleanup_files: z.optional(z.boolean()) }),
);

/** The counts of a deletion. */
export interface CleanupSummary {
  session_removed: boolean;
  messages_cleaned: number;
  temp_files_removed: number;
  errors: string[];
}
export const CleanupSummary = schemaFor<CleanupSummary>()(
  z.looseObject({
    session_removed: z.boolean(),
    messages_cleaned: count,
    temp_files_removed: count,
    errors: z.array(z.string()),
  }),
);

/** A session that was deleted. */
export interface DeleteSessionResult {
  session_id: string;
  status: "deleted";
  cleanup_summary: CleanupSummary;
  deleted_at: string;
}
export const DeleteSessionResult = schemaFor<DeleteSessionResult>()(
  z.looseObject({
    session_id: id,
    status: z.literal("deleted"),
    cleanup_summary: CleanupSummary,
    deleted_at: timestamp,
  }),
);
