import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { SessionConfigOption } from "./config-options.js";
import { ContentBlock } from "./content.js";
import { count, type Extensible, meta } from "./extensible.js";

/** The session's options, all of them, with their values from now on (version 1). */
export interface ConfigOptionUpdate extends Extensible {
  sessionUpdate: "config_option_update";
  configOptions: SessionConfigOption[];
}
export const ConfigOptionUpdate = schemaFor<ConfigOptionUpdate>()(
  z.looseObject({
    sessionUpdate: z.literal("config_option_update"),
    configOptions: z.array(SessionConfigOption),
    _meta: meta,
  }),
);

const clearable = z.optional(z.nullable(z.string()));

/** The changed fields of a session; an absent field is unchanged, and null clears it (version 1). */
export interface SessionInfoUpdate extends Extensible {
  sessionUpdate: "session_info_update";
  title?: string | null | undefined;
  /** The time of the last activity, in ISO 8601. */
  updatedAt?: string | null | undefined;
}
export const SessionInfoUpdate = schemaFor<SessionInfoUpdate>()(
  z.looseObject({
    sessionUpdate: z.literal("session_info_update"),
    title: clearable,
    updatedAt: clearable,
    _meta: meta,
  }),
);

/** The cost of a session so far. */
export interface Cost extends Extensible {
  amount: number;
  /** In ISO 4217, such as `USD`. */
  currency: string;
}
export const Cost = schemaFor<Cost>()(z.looseObject({ amount: z.number(), currency: z.string(), _meta: meta }));

/** How full the model's context is, and what the session has cost (version 1). */
export interface UsageUpdate extends Extensible {
  sessionUpdate: "usage_update";
  /** Tokens in the context. */
  used: number;
  /** Tokens that fit. */
  size: number;
  cost?: Cost | undefined;
}
export const UsageUpdate = schemaFor<UsageUpdate>()(
  z.looseObject({
    sessionUpdate: z.literal("usage_update"),
    used: count,
    size: count,
    cost: z.optional(Cost),
    _meta: meta,
  }),
);

/** Something that the user should know; for clients with `session.notices` (version 1). */
export interface Notice extends Extensible {
  sessionUpdate: "notice";
  /** `info`, `warning`, `error`, or a word of the agent's own. */
  severity: string;
  title: string;
  description?: string | undefined;
}
export const Notice = schemaFor<Notice>()(
  z.looseObject({
    sessionUpdate: z.literal("notice"),
    severity: z.string(),
    title: z.string().check(z.minLength(1)),
    description: z.optional(z.string()),
    _meta: meta,
  }),
);

/** The agent shortens its context, or is done; for clients with `session.compaction` (version 1). */
export interface CompactionUpdate extends Extensible {
  sessionUpdate: "compaction_update";
  compactionId: string;
  /** `in_progress`, `completed`, `failed`, `cancelled`, or a word of the agent's own. */
  status: string;
  /** Replaces what came in `compaction_summary_chunk`. */
  summary?: ContentBlock[] | undefined;
  error?: string | undefined;
}
export const CompactionUpdate = schemaFor<CompactionUpdate>()(
  z.looseObject({
    sessionUpdate: z.literal("compaction_update"),
    compactionId: z.string(),
    status: z.string(),
    summary: z.optional(z.array(ContentBlock)),
    error: z.optional(z.string()),
    _meta: meta,
  }),
);

/** A piece of the summary that a compaction leaves; for clients with `session.compaction` (version 1). */
export interface CompactionSummaryChunk extends Extensible {
  sessionUpdate: "compaction_summary_chunk";
  compactionId: string;
  content: ContentBlock;
}
export const CompactionSummaryChunk = schemaFor<CompactionSummaryChunk>()(
  z.looseObject({
    sessionUpdate: z.literal("compaction_summary_chunk"),
    compactionId: z.string(),
    content: ContentBlock,
    _meta: meta,
  }),
);
