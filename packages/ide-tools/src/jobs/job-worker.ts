import { parentPort } from "node:worker_threads";
import { ToolError } from "../errors.js";
import { type JobFunction, type JobInput, type JobName, jobs } from "./jobs.js";
import { type JobAnswer, type JobRequest, refusalOf } from "./messages.js";

parentPort?.on("message", ({ name, input }: JobRequest) => {
  void answer(name, input).then((message) => parentPort?.postMessage(message));
});

async function answer<Name extends JobName>(name: Name, input: JobInput<Name>): Promise<JobAnswer> {
  try {
    const job: JobFunction<Name> = jobs[name];
    return { output: await job(input, (part) => parentPort?.postMessage({ part } satisfies JobAnswer)) };
  } catch (error) {
    return error instanceof ToolError ? { refusal: refusalOf(error) } : { failure: error };
  }
}
