import type { Incident, MigrationContext } from "@editwire/kaiak";
import * as z from "zod";

/** An incident that may name a line. Its `uri` is a `file:` URI, or a path from the working directory. */
export interface LocatedIncident extends Incident {
  /** From 1. */
  readonly line_number?: number | undefined;
}

/** The incidents to fix. */
export interface IncidentList {
  readonly incidents: readonly LocatedIncident[];
  /** The file's statements about the migration. */
  readonly context: MigrationContext;
}

const incident = z.looseObject({
  id: z.string(),
  rule_id: z.string(),
  message: z.string(),
  description: z.string().optional(),
  effort: z.string().optional(),
  severity: z.string().optional(),
  uri: z.string().optional(),
  line_number: z.int().optional(),
});

const context = z.looseObject({
  source_technology: z.string().optional(),
  target_technology: z.string().optional(),
  migration_hints: z.array(z.string()).optional(),
  constraints: z.array(z.string()).optional(),
  preferences: z.record(z.string(), z.unknown()).optional(),
});

const list = z.looseObject({ incidents: z.array(incident), migration_context: context.default({}) });

/**
 * Reads incidents in the form of Kaiak's messages: a list, or an object with `incidents` and `migration_context`.
 * Throws a `ZodError`.
 */
export function readIncidentList(value: unknown): IncidentList {
  const { incidents, migration_context } = list.parse(Array.isArray(value) ? { incidents: value } : value);
  return { incidents, context: migration_context };
}
