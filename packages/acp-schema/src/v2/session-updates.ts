import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { count, type Extensible, meta } from "../extensible.js";
import { Cost, Notice } from "../session-updates.js";
import { V2ConfigOption } from "./config-options.js";
import { V2ContentBlock } from "./content.js";
import { metaPatch, type Patch, patch, textPatch, type Upsert } from "./patch.js";

/** The session's options, all of them, with their values from now on. */
export interface V2ConfigOptionUpdate extends Extensible {
  sessionUpdate: "config_option_update";
  configOptions: V2ConfigOption[];
}

/** The changed fields of the session. */
export interface V2SessionInfoUpdate extends Upsert {
  sessionUpdate: "session_info_update";
  title?: Patch<string>;
  /** The time of the last activity, in ISO 8601. */
  updatedAt?: Patch<string>;
}

/** How full the model's context is, and what the session has cost. */
export interface V2UsageUpdate extends Upsert {
  sessionUpdate: "usage_update";
  /** Tokens in the context. */
  used: number;
  /** Tokens that fit. */
  size: number;
  /** Its currency may be another unit, such as `credits`. */
  cost?: Patch<Cost>;
}

/** The agent shortens its context, or is done. */
export interface V2CompactionUpdate extends Upsert {
  sessionUpdate: "compaction_update";
  compactionId: string;
  /**
   * `in_progress`, `completed`, `failed`, `cancelled`, or a word of the agent's own. At first and after null:
   * `in_progress`. It may be absent or null since crate schema 1.20.
   */
  status?: Patch<string>;
  /** Replaces what came in `compaction_summary_chunk`. */
  summary?: Patch<V2ContentBlock[]>;
  error?: Patch<string>;
}

/** A block that is appended to the summary that a compaction leaves. */
export interface V2CompactionSummaryChunk extends Extensible {
  sessionUpdate: "compaction_summary_chunk";
  compactionId: string;
  content: V2ContentBlock;
}

/** All that `session/resume` sends again has been sent; what follows is new (crate schema 1.20). */
export interface ReplayComplete extends Extensible {
  sessionUpdate: "replay_complete";
}

/** The schemas of the updates about the session as a whole. A notice needs no capability. */
export const sessionUpdates = {
  config_option_update: schemaFor<V2ConfigOptionUpdate>()(
    z.looseObject({
      sessionUpdate: z.literal("config_option_update"),
      configOptions: z.array(V2ConfigOption),
      _meta: meta,
    }),
  ),
  session_info_update: schemaFor<V2SessionInfoUpdate>()(
    z.looseObject({
      sessionUpdate: z.literal("session_info_update"),
      title: textPatch,
      updatedAt: textPatch,
      _meta: metaPatch,
    }),
  ),
  usage_update: schemaFor<V2UsageUpdate>()(
    z.looseObject({
      sessionUpdate: z.literal("usage_update"),
      used: count,
      size: count,
      cost: patch(Cost),
      _meta: metaPatch,
    }),
  ),
  notice: Notice,
  compaction_update: schemaFor<V2CompactionUpdate>()(
    z.looseObject({
      sessionUpdate: z.literal("compaction_update"),
      compactionId: z.string(),
      status: textPatch,
      summary: patch(z.array(V2ContentBlock)),
      error: textPatch,
      _meta: metaPatch,
    }),
  ),
  compaction_summary_chunk: schemaFor<V2CompactionSummaryChunk>()(
    z.looseObject({
      sessionUpdate: z.literal("compaction_summary_chunk"),
      compactionId: z.string(),
      content: V2ContentBlock,
      _meta: meta,
    }),
  ),
  replay_complete: schemaFor<ReplayComplete>()(
    z.looseObject({ sessionUpdate: z.literal("replay_complete"), _meta: meta }),
  ),
};
