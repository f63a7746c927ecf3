import { readFileSync } from "node:fs";
import * as z from "zod";
import { UsageError } from "../core/errors.js";
import { writeTrace } from "../trace/file.js";
import type { FuzzFailure } from "./run-fuzz.js";
import type { FuzzStep } from "./suite.js";

const Head = z.looseObject({
  repro: z.literal(1),
  protocol: z.string(),
  role: z.string(),
  mode: z.string(),
  behaviors: z.enum(["commands", "model", "env", "none"]),
  framing: z.enum(["line", "header"]),
  seed: z.number(),
  problem: z.string(),
  command: z.array(z.string()),
  /** For a client: an adapter that steers it, and how it reaches the suite. */
  steer: z.boolean().optional(),
  over: z.string().optional(),
});
const Step = z.looseObject({ do: z.string() });

/** The first line of a kept failure. */
export type ReproHead = z.infer<typeof Head>;

/** A failure as NDJSON: a head, then a step a line, then what was seen on the wire, which nobody has to read. */
export function writeRepro(
  { mode, problem, steps, trace }: FuzzFailure,
  head: Omit<ReproHead, "repro" | "mode" | "problem">,
): string {
  const seen = writeTrace(trace.filter(({ kind }) => kind !== "bytes")).replace(/^(.+)$/gm, '{"trace":$1}');
  return [{ repro: 1, mode, problem, ...head }, ...steps].map((line) => `${JSON.stringify(line)}\n`).join("") + seen;
}

/** Reads a kept failure. Throws a `UsageError` that names the line. */
export function readRepro(file: string): { head: ReproHead; steps: FuzzStep[] } {
  let lines: unknown[];
  try {
    lines = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as unknown);
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const head = Head.safeParse(lines[0]);
  if (!head.success)
    throw new UsageError(`${file}: the first line is not the head of a saved failure: ${z.prettifyError(head.error)}`);
  const steps = lines.slice(1).flatMap((line, index) => {
    if (typeof line === "object" && line !== null && "trace" in line) return [];
    const step = Step.safeParse(line);
    if (!step.success) throw new UsageError(`${file}: line ${index + 2} is not a step`);
    return [step.data];
  });
  return { head: head.data, steps };
}
