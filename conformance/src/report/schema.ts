import * as z from "zod";
import { outcomes } from "../core/verdict/exit-code.js";
import { bases } from "../core/registry/requirement.js";
import { verdicts } from "../core/verdict/verdict.js";
import { statuses } from "./counts.js";
import type { ReportDocument } from "./document.js";

// Loose, so that this reader accepts a later report with more fields.

const totals = z.object(
  Object.fromEntries(verdicts.map((verdict) => [verdict, count()])) as Record<
    (typeof verdicts)[number],
    ReturnType<typeof count>
  >,
);
const strings = z.array(z.string());
const level = z.enum(["must", "should", "may"]);
const basis = z.enum(bases);

const check = z.looseObject({
  id: z.string().meta({ description: "`<case or monitor>#<requirement>`" }),
  req: z.string(),
  level,
  basis,
  verdict: z.enum(verdicts),
  source: z.enum(["case", "monitor"]),
  message: z.string().optional(),
  expected: z.string().optional(),
  actual: z.unknown().optional(),
  at: count().optional().meta({ description: "Number of the entry in the case's trace that decided it" }),
  count: count().meta({ description: "How often it was judged; the worst verdict was kept" }),
});

const base = {
  seq: count(),
  at: z.number().meta({ description: "Milliseconds since the connection began" }),
  from: z.enum(["suite", "target", "model"]),
};
const range = z.looseObject({ first: count(), start: count(), last: count(), end: count() }).meta({
  description:
    "Where the bytes lie: from byte `start` of chunk `first` up to, not including, byte `end` of chunk `last`",
});
const entry = z.discriminatedUnion("kind", [
  z.looseObject({
    ...base,
    kind: z.literal("bytes"),
    size: count(),
    text: z.string().optional(),
    base64: z.string().optional(),
    sha256: z.string().optional(),
  }),
  z.looseObject({
    ...base,
    kind: z.literal("message"),
    message: z.unknown().optional(),
    cut: z
      .looseObject({ size: count(), sha256: z.string(), text: z.string() })
      .optional()
      .meta({ description: "In place of a message that is too large" }),
    frame: z.looseObject({ framing: z.string(), size: count(), detail: z.string().optional() }).optional(),
    reading: z
      .looseObject({
        kind: z.enum(["request", "notification", "result", "error", "invalid"]),
        method: z.string().optional(),
        id: z.string().optional().meta({ description: "The id as JSON" }),
        answers: count().optional().meta({ description: "Number of the entry with the request" }),
        problem: z.string().optional(),
      })
      .optional(),
    bytes: range.optional(),
  }),
  z.looseObject({
    ...base,
    kind: z.literal("malformed"),
    problem: z.string(),
    excerpt: z.string(),
    bytes: range.optional(),
  }),
  z.looseObject({ ...base, kind: z.literal("stderr"), text: z.string() }),
  z.looseObject({ ...base, kind: z.literal("event"), name: z.string(), data: z.unknown().optional() }),
]);

/** The form of a report document, as a zod schema; `schemas/report.schema.json` is made from it. */
export const reportSchema = z
  .looseObject({
    version: z.literal(1),
    suite: z.looseObject({ name: z.string(), version: z.string() }),
    command: z.string().optional().meta({ description: "Repeats the run" }),
    run: z.looseObject({
      protocol: z.string(),
      role: z.string().meta({ description: "The role of the target" }),
      profile: z.string(),
      target: z.string(),
      transport: z.string(),
      seed: z.number(),
      timeScale: z.number(),
      faults: strings,
      framing: z.string(),
      behaviors: z.string(),
      strict: z.boolean(),
      basis: z.array(basis).meta({ description: "The bases of the requirements that decide the outcome" }),
      selected: count().meta({ description: "Cases that were selected; fewer ran when the run was interrupted" }),
      spec: z.string().meta({ description: "Hash of the spec that the requirements quote" }),
      startedAt: z.iso.datetime(),
      ms: z.number(),
    }),
    target: z.looseObject({
      name: z.string().optional(),
      version: z.string().optional(),
      capabilities: z.unknown().optional(),
      startMs: z.number().optional(),
    }),
    outcome: z.enum(outcomes),
    exitCode: count(),
    notes: strings.optional().meta({ description: "What keeps cases from judging the target as usual" }),
    error: z.string().optional(),
    notJudged: z
      .looseObject({ cases: strings, behaviors: strings, requirements: strings })
      .optional()
      .meta({ description: "What was left out because the target does not show it on request" }),
    counts: z.looseObject({ passed: count(), failed: count(), skipped: count() }),
    totals: z.looseObject({ cases: totals, checks: totals }),
    cases: z.array(
      z.looseObject({
        id: z.string(),
        title: z.string(),
        verdict: z.enum(verdicts),
        ms: z.number(),
        reason: z.string().optional(),
        checks: z.array(check),
        trace: z.array(entry).optional(),
        omitted: z.string().optional().meta({ description: "Why there is no trace" }),
      }),
    ),
    requirements: z.array(
      z.looseObject({
        id: z.string(),
        level,
        basis,
        text: z.string(),
        quotes: z.array(z.looseObject({ at: z.string(), text: z.string() })),
        oracle: z.enum(["case", "monitor", "vector", "none"]),
        excluded: z.string().optional(),
        status: z.enum(statuses),
        proven: z.boolean().optional().meta({ description: "A broken reference showed that a check of it can fail" }),
      }),
    ),
    verdicts: z.array(
      z.looseObject({
        basis,
        outcome: z.enum(["violated", "incomplete", "passed", "conformant"]),
        musts: count(),
        met: count(),
        violated: strings,
        blocked: strings,
      }),
    ),
    causes: z.array(
      z.looseObject({
        verdict: z.enum(["fail", "warn", "blocked"]),
        message: z.string(),
        requirements: strings,
        cases: strings,
        checks: strings,
      }),
    ),
    baseline: z
      .looseObject({
        expected: z.array(z.looseObject({ check: z.string(), reason: z.string() })),
        stale: strings,
        unmatched: strings,
        expired: strings,
        different: strings,
      })
      .optional(),
  })
  .meta({
    title: "Conformance report",
    description: "What a run of @editwire/conformance found",
  }) satisfies z.ZodType<ReportDocument>;

function count(): z.ZodNumber {
  return z.number().int().min(0);
}

/** The JSON Schema (2020-12) of a report document. */
export function reportJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(reportSchema) as Record<string, unknown>;
}
