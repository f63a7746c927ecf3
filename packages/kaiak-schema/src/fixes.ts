import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { Configuration } from "./configuration.js";
import { anyObject, count, id, type Open, openText, timestamp } from "./fields.js";

/** A place in the code that has to change. */
export interface Incident {
  id: string;
  rule_id: string;
  message: string;
  description?: string | undefined;
  effort?: Open<"trivial" | "low" | "medium" | "high"> | undefined;
  severity?: Open<"info" | "warning" | "error" | "critical"> | undefined;
  /** The file. Required in `v2026`; the specification does not have it. */
  uri?: string | undefined;
}
export const Incident = schemaFor<Incident>()(
  z.looseObject({
    id: z.string(),
    rule_id: z.string(),
    message: z.string(),
    description: z.optional(z.string()),
    effort: z.optional(openText<"trivial" | "low" | "medium" | "high">()),
    severity: z.optional(openText<"info" | "warning" | "error" | "critical">()),
    uri: z.optional(z.string()),
  }),
);

/** From what to what the code moves. */
export interface MigrationContext {
  source_technology?: string | undefined;
  target_technology?: string | undefined;
  migration_hints?: string[] | undefined;
  constraints?: string[] | undefined;
  preferences?: Record<string, unknown> | undefined;
}
export const MigrationContext = schemaFor<MigrationContext>()(
  z.looseObject({
    source_technology: z.optional(z.string()),
    target_technology: z.optional(z.string()),
    migration_hints: z.optional(z.array(z.string())),
    constraints: z.optional(z.array(z.string())),
    preferences: z.optional(anyObject),
  }),
);

/** How a run works. */
export interface FixOptions {
  /** Applies fixes of low risk without a question. Default false. */
  auto_apply_safe_fixes?: boolean | undefined;
  /** Seconds after which the run ends as `failed`. Default 300. */
  max_processing_time?: number | undefined;
  /** Works on several incidents at once. Default false. */
  parallel_processing?: boolean | undefined;
  /** Default true. */
  include_explanations?: boolean | undefined;
}
export const FixOptions = schemaFor<FixOptions>()(
  z.looseObject({
    auto_apply_safe_fixes: z.optional(z.boolean()),
    max_processing_time: z.optional(z.number().check(z.positive())),
    parallel_processing: z.optional(z.boolean()),
    include_explanations: z.optional(z.boolean()),
  }),
);

/** Incidents of one request. */
const maxIncidents = 1_000;

/** Starts a run (`kaiak/generate_fix`). */
export interface GenerateFixParams {
  /** Made by the client. An unknown one begins a session. */
  session_id: string;
  /** 1 to 1,000. */
  incidents: Incident[];
  migration_context?: MigrationContext | undefined;
  options?: FixOptions | undefined;
  /** `v2026`: how the run works, in place of `kaiak/configure`. The specification does not have it. */
  configuration?: Configuration | undefined;
  /**
   * `v2026`: true for the first run of a session, which the server names; false for a session that the server must
   * know. Absent, as in the specification: an unknown session begins.
   */
  begins?: boolean | undefined;
}
export const GenerateFixParams = schemaFor<GenerateFixParams>()(
  z.looseObject({
    session_id: id,
    incidents: z
      .array(Incident)
      .check(
        z.minLength(1, { error: "expected at least one incident" }),
        z.maxLength(maxIncidents, { error: `expected at most ${maxIncidents} incidents` }),
      ),
    migration_context: z.optional(MigrationContext),
    options: z.optional(FixOptions),
    configuration: z.optional(Configuration),
    begins: z.optional(z.boolean()),
  }),
);

/** How a run ended. */
export type FixStatus = "completed" | "failed" | "cancelled";
/** All values of `FixStatus`. */
const fixStatuses = ["completed", "failed", "cancelled"] as const satisfies readonly FixStatus[];

/** The end of a run. */
export interface GenerateFixResult {
  /** The id that the run's notifications carry. */
  request_id: string;
  session_id: string;
  status: FixStatus;
  incident_count: number;
  completed_at: string;
}
export const GenerateFixResult = schemaFor<GenerateFixResult>()(
  z.looseObject({
    request_id: id,
    session_id: id,
    status: z.enum(fixStatuses),
    incident_count: count,
    completed_at: timestamp,
  }),
);

/** Cancels a run by its id (`kaiak/fix/cancel`), the way of the contract before this one. */
export interface CancelFixParams {
  request_id: string;
}
export const CancelFixParams = schemaFor<CancelFixParams>()(z.looseObject({ request_id: id }));

/** A run that is being cancelled. Its own request is answered as `cancelled`. */
export interface CancelFixResult {
  request_id: string;
  status: "cancelled";
  /** RFC 3339. */
  cancelled_at: string;
}
export const CancelFixResult = schemaFor<CancelFixResult>()(
  z.looseObject({ request_id: id, status: z.literal("cancelled"), cancelled_at: timestamp }),
);
