import { StringDecoder } from "node:string_decoder";
import { RemoteError } from "@editwire/core";
import type { EcaServerMethods, EcaServerSession } from "@editwire/eca";
import type { JobOutputLine, JobSummary } from "@editwire/eca-schema";
import { runProcess } from "@editwire/example-coding-agent";

/** Lines that a job keeps; the oldest are dropped first. */
const maxLines = 2_000;
/** Jobs that are kept when they have ended. */
const maxEnded = 50;
/** The longest time that a timer takes: a job runs until it ends or is killed. */
const longestMs = 2 ** 31 - 1;

interface Job {
  readonly id: string;
  readonly argv: readonly string[];
  readonly summary: string | null;
  readonly session: EcaServerSession;
  readonly startedAt: number;
  readonly kill: AbortController;
  readonly lines: JobOutputLine[];
  status: "running" | "completed" | "failed" | "killed";
  exitCode: number | null;
  endedAt: number | undefined;
  ended: Promise<void>;
}

/** Programs that run on while the model and the user do something else. */
export class Jobs {
  readonly #jobs = new Map<string, Job>();
  readonly #onChange: () => void;
  #count = 0;

  /** `onChange` is called when a job starts or ends. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get all(): JobSummary[] {
    return [...this.#jobs.values()].map(summaryOf);
  }

  /** Starts a program in a folder. Returns the job's id. */
  start(argv: readonly string[], cwd: string, session: EcaServerSession, summary: string | null): string {
    const kill = new AbortController();
    const id = `job-${++this.#count}`;
    const lines: JobOutputLine[] = [];
    const take = { stdout: lineTaker("stdout", lines), stderr: lineTaker("stderr", lines) };
    const running = runProcess(argv, {
      cwd,
      timeoutMs: longestMs,
      signal: kill.signal,
      onOutput: (chunk, stream) => take[stream](chunk),
    });
    const job: Job = {
      ...{ id, argv, summary, session, kill, lines, startedAt: Date.now() },
      ...{ status: "running", exitCode: null, endedAt: undefined, ended: Promise.resolve() },
    };
    job.ended = running.then(
      ({ exitCode }) => this.#end(job, exitCode === 0 ? "completed" : "failed", exitCode),
      (error: unknown) => {
        if (!kill.signal.aborted) lines.push({ text: (error as Error).message, stream: "stderr" });
        this.#end(job, kill.signal.aborted ? "killed" : "failed", null);
      },
    );
    this.#jobs.set(id, job);
    this.#onChange();
    return id;
  }

  /** Ends a job. Returns false when it does not run. */
  async kill(id: string): Promise<boolean> {
    const job = this.#jobs.get(id);
    if (job?.status !== "running") return false;
    job.kill.abort();
    await job.ended;
    return true;
  }

  /** What a job wrote lately, and how it is; `undefined` for an unknown one. */
  output(id: string): Pick<Job, "lines" | "status" | "exitCode"> | undefined {
    return this.#jobs.get(id);
  }

  /** Ends every job. */
  async close(): Promise<void> {
    await Promise.all([...this.#jobs.keys()].map((id) => this.kill(id)));
  }

  #end(job: Job, status: Job["status"], exitCode: number | null): void {
    Object.assign(job, { status, exitCode, endedAt: Date.now() });
    const ended = [...this.#jobs.values()].filter((other) => other.status !== "running");
    for (const { id } of ended.slice(0, Math.max(0, ended.length - maxEnded))) this.#jobs.delete(id);
    this.#onChange();
  }
}

/** Listing, ending and reading jobs. */
export function jobMethods(jobs: Jobs): EcaServerMethods {
  return {
    "jobs/list": () => ({ jobs: jobs.all }),
    "jobs/kill": async ({ jobId }) => ({ killed: await jobs.kill(jobId) }),
    "jobs/readOutput"({ jobId }) {
      const output = jobs.output(jobId);
      if (output === undefined)
        throw RemoteError.invalidParams(`jobs/readOutput: params.jobId: there is no job ${jobId}`, {
          code: "job_not_found",
        });
      const { lines, status, exitCode } = output;
      return { lines: [...lines], status, exitCode };
    },
  };
}

function summaryOf({ id, argv, summary, session, status, startedAt, endedAt, exitCode }: Job): JobSummary {
  return {
    ...{ id, type: "shell", status, label: argv.join(" "), summary, exitCode },
    startedAt: new Date(startedAt).toISOString(),
    elapsed: elapsed((endedAt ?? Date.now()) - startedAt),
    chatId: session.id,
    chatLabel: session.title ?? session.id,
  };
}

function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

/** Cuts output into lines. A line that goes on in the next piece is extended. */
function lineTaker(stream: "stdout" | "stderr", lines: JobOutputLine[]): (chunk: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let open: JobOutputLine | undefined;
  return (chunk) => {
    for (const [index, text] of decoder.write(chunk).split("\n").entries()) {
      if (index > 0) open = undefined;
      if (text === "") continue;
      if (open === undefined) lines.push((open = { text: "", stream }));
      open.text = (open.text + text).slice(0, 10_000);
    }
    lines.splice(0, Math.max(0, lines.length - maxLines));
  };
}
