import type { Worker } from "node:worker_threads";
import { ToolError } from "../errors.js";
import { isOutOfMemory, startWorker } from "../workers.js";
import { type JobInput, type JobName, type JobOutput, type JobPart, jobs } from "./jobs.js";
import { type JobAnswer, type JobRequest, refused } from "./messages.js";

/** How a job is run. */
export interface JobOptions<Name extends JobName> {
  /** Ends the job and its worker; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Characters or bytes that the job works on, where they are known: a small job runs at once in this thread. */
  readonly size?: number | undefined;
  /** Called for each part. Returns false to end the job; the promise then resolves without an output. */
  readonly onPart?: ((part: JobPart<Name>) => boolean) | undefined;
}

/** The largest job that runs in this thread, which it keeps for a few milliseconds. */
const maxInline = 32 * 1024;
/** Workers of the process; other jobs wait for one of them. */
const maxWorkers = 4;
/** Milliseconds after which an idle worker ends. */
const idleMs = 30_000;

const inSlot = openSlots(maxWorkers);
const idle = new Map<Worker, NodeJS.Timeout>();

/**
 * Runs a job in one of the process's workers, so that this thread is never kept for long. Idle workers do not keep the
 * process alive. Rejects with a `ToolError` that the job throws, or for a job that takes too much memory.
 */
export async function runJob<Name extends JobName>(
  name: Name,
  input: JobInput<Name>,
  { signal, size = Infinity, onPart = () => true }: JobOptions<Name>,
): Promise<JobOutput<Name>> {
  signal.throwIfAborted();
  if (size <= maxInline) return jobs[name](input, onPart);
  return inSlot(async () => {
    signal.throwIfAborted();
    const worker = takeWorker();
    let isReusable = false;
    let stop = (): void => {};
    try {
      const output = await new Promise<JobOutput<Name> | undefined>((resolve, reject) => {
        stop = () => reject(signal.reason);
        signal.addEventListener("abort", stop);
        worker.on("error", (error) => reject(isOutOfMemory(error) ? tooMuchMemory(error) : error));
        worker.on("exit", () => reject(new Error(`the worker of the job ${name} has ended`)));
        worker.on("message", (answer: JobAnswer) => {
          if ("part" in answer) {
            if (!onPart(answer.part as JobPart<Name>)) resolve(undefined);
            return;
          }
          isReusable = true;
          if ("output" in answer) resolve(answer.output as JobOutput<Name>);
          else reject("refusal" in answer ? refused(answer.refusal) : answer.failure);
        });
        worker.postMessage({ name, input } satisfies JobRequest);
      });
      return output as JobOutput<Name>;
    } finally {
      signal.removeEventListener("abort", stop);
      forget(worker);
      if (isReusable) putBack(worker);
      else await worker.terminate();
    }
  });
}

function takeWorker(): Worker {
  const [kept] = idle;
  if (kept === undefined) return startWorker("jobs/job-worker");
  const [worker, timer] = kept;
  clearTimeout(timer);
  idle.delete(worker);
  forget(worker);
  worker.ref();
  return worker;
}

/** Removes our listeners. Without Node's own ones, the worker would never be heard again. */
function forget(worker: Worker): void {
  for (const event of ["error", "exit", "message"]) worker.removeAllListeners(event);
}

function putBack(worker: Worker): void {
  worker.unref();
  const drop = (): void => {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  };
  worker.on("error", drop);
  worker.on("exit", drop);
  idle.set(worker, setTimeout(() => void worker.terminate(), idleMs).unref());
}

function tooMuchMemory(cause: unknown): ToolError {
  return new ToolError("The work takes too much memory", { code: "too_large", cause });
}

/** Runs work when one of a number of slots is free, in the order of the calls. */
type Slots = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Opens `count` slots. */
function openSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot passes to the next in line without becoming free in between.
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
