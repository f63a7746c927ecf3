import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type OpenEnum, openEnum } from "./extensible.js";

/** How a background job is. */
export type JobStatus = OpenEnum<"running" | "completed" | "failed" | "killed">;
const status = openEnum(["running", "completed", "failed", "killed"]);

/** A background job. */
export interface JobSummary {
  id: string;
  type: OpenEnum<"shell">;
  status: JobStatus;
  /** The command. */
  label: string;
  /** Null for none. */
  summary: string | null;
  /** ISO 8601. */
  startedAt: string;
  /** For reading, such as `5m23s`. */
  elapsed: string;
  /** Null while it runs. */
  exitCode: number | null;
  chatId: string;
  chatLabel: string;
}
const exitCode = z.nullable(z.int());

/** Every background job (jobs/list, jobs/updated). */
export interface JobsListResult {
  jobs: JobSummary[];
}
export const JobsListResult = schemaFor<JobsListResult>()(
  z.looseObject({
    jobs: z.array(
      z.looseObject({
        id: z.string(),
        type: openEnum(["shell"]),
        status,
        label: z.string(),
        summary: z.nullable(z.string()),
        startedAt: z.string(),
        elapsed: z.string(),
        exitCode,
        chatId: z.string(),
        chatLabel: z.string(),
      }),
    ),
  }),
);

/** Names a job. */
export interface JobParams {
  jobId: string;
}
export const JobParams = schemaFor<JobParams>()(z.looseObject({ jobId: z.string() }));

/** Whether the job was ended. */
export interface JobsKillResult {
  killed: boolean;
}
export const JobsKillResult = schemaFor<JobsKillResult>()(z.looseObject({ killed: z.boolean() }));

/** A line that a job wrote. */
export interface JobOutputLine {
  text: string;
  stream: OpenEnum<"stdout" | "stderr">;
}

/** The latest output of a job. */
export interface JobsReadOutputResult {
  lines: JobOutputLine[];
  status: JobStatus;
  /** Null while it runs. */
  exitCode: number | null;
}
export const JobsReadOutputResult = schemaFor<JobsReadOutputResult>()(
  z.looseObject({
    lines: z.array(z.looseObject({ text: z.string(), stream: openEnum(["stdout", "stderr"]) })),
    status,
    exitCode,
  }),
);
