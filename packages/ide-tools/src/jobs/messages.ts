import { ToolError, type ToolErrorDetails } from "../errors.js";
import type { JobInput, JobName } from "./jobs.js";

/** Tells a worker what to do. */
export interface JobRequest {
  readonly name: JobName;
  readonly input: JobInput<JobName>;
}

/** A message of a worker: any number of parts, and then one of the others. */
export type JobAnswer =
  | { readonly part: unknown }
  | { readonly output: unknown }
  | { readonly refusal: Refusal }
  | { readonly failure: unknown };

/** A `ToolError` on its way between threads. */
export interface Refusal extends Pick<ToolErrorDetails, "code" | "path" | "detail"> {
  readonly message: string;
}

/** Takes a `ToolError` apart. */
export function refusalOf({ message, code, path, detail }: ToolError): Refusal {
  return { message, code, path, detail };
}

/** Puts it together again. */
export function refused({ message, ...details }: Refusal): ToolError {
  return new ToolError(message, details);
}
