import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, type OpenEnum, openEnum } from "./extensible.js";

/** How a background job is. */
export type JobStatus = OpenEnum<"running" | "completed" | "failed" | "killed">;
const status = openEnum(["running", "completed", "failed", "killed"]);

/** A background job. */
export interface JobSummary extends Extensible {
  id: string;
  type: OpenEnum<"shell">;
  status: JobStatus;
  /** The command. */
  label: string;
  summary?: string | null | undefined;
  /** ISO 8601. */
  startedAt: string;
  /** For reading, such as `5m23s`. */
  elapsed: string;
  /** Null while it runs. */
  exitCode?: number | null | undefined;
  chatId: string;
  chatLabel: string;
}
const exitCode = z.optional(z.nullable(z.int()));

/** Every background job (jobs/list, jobs/updated). */
export interface JobsListResult extends Extensible {
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
        summary: z.optional(z.nullable(z.string())),
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
export interface JobParams extends Extensible {
  jobId: string;
}
export const JobParams = schemaFor<JobParams>()(z.looseObject({ jobId: z.string() }));

/** Whether the job was ended. */
export interface JobsKillResult extends Extensible {
  killed: boolean;
}
export const JobsKillResult = schemaFor<JobsKillResult>()(z.looseObject({ killed: z.boolean() }));

/** A line that a job wrote. */
export interface JobOutputLine extends Extensible {
  text: string;
  stream: OpenEnum<"stdout" | "stderr">;
}

/** What a job wrote lately. */
export interface JobsReadOutputResult extends Extensible {
  lines: JobOutputLine[];
  status: JobStatus;
  exitCode?: number | null | undefined;
}
export const JobsReadOutputResult = schemaFor<JobsReadOutputResult>()(
  z.looseObject({
    lines: z.array(z.looseObject({ text: z.string(), stream: openEnum(["stdout", "stderr"]) })),
    status,
    exitCode,
  }),
);
