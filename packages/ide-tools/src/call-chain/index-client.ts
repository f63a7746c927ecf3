import type { Worker } from "node:worker_threads";
import { ToolError } from "../errors.js";
import { refused } from "../jobs/messages.js";
import { isOutOfMemory, startWorker } from "../workers.js";
import type { IndexOptions } from "./code-index.js";
import type { ChainAnswer, ChainRequest } from "./messages.js";

/** Megabytes of the index. */
const maxIndexMb = 2048;
/** Milliseconds that the worker has for its current step after the end of a call. A file is parsed in less. */
const graceMs = 3000;

interface Pending {
  resolve(report: string): void;
  reject(error: unknown): void;
}

/** A worker with an index, and the calls that it has not answered. */
export class IndexClient {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #waiting = 0;
  #lastId = 0;
  #isEnded = false;

  constructor(options: IndexOptions) {
    this.#worker = startWorker("call-chain/index-worker", { data: options, maxMb: maxIndexMb });
    this.#worker.on("error", (error) => void this.end(isOutOfMemory(error) ? tooLarge(error) : error));
    this.#worker.on("exit", () => void this.end(new Error("the worker of call_chain has ended")));
    this.#worker.on("message", (answer: ChainAnswer) => this.#settle(answer));
  }

  /** Whether it answers no more calls. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Sends a request. Rejects with the signal's reason; the worker then stops by itself when the time is over. */
  async ask(request: Omit<ChainRequest, "id">, signal: AbortSignal): Promise<string> {
    const id = ++this.#lastId;
    let stop = (): void => {};
    // The worker keeps the process alive only while somebody waits for it.
    if (this.#waiting++ === 0) this.#worker.ref();
    try {
      return await new Promise<string>((resolve, reject) => {
        stop = () => reject(signal.reason);
        signal.addEventListener("abort", stop);
        this.#pending.set(id, { resolve, reject });
        this.#worker.postMessage({ ...request, id } satisfies ChainRequest);
      });
    } finally {
      signal.removeEventListener("abort", stop);
      if (--this.#waiting === 0) this.#worker.unref();
      if (this.#pending.has(id)) setTimeout(() => this.#endStuck(id), request.endsAt - Date.now() + graceMs).unref();
    }
  }

  /** Ends the worker; open calls reject. */
  async end(error: unknown): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    await this.#worker.terminate();
  }

  #settle(answer: ChainAnswer): void {
    const call = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ("isOver" in answer) return; // the caller's own clock ends the call
    if ("report" in answer) call?.resolve(answer.report);
    else call?.reject("refusal" in answer ? refused(answer.refusal) : answer.failed);
  }

  /** Ends a worker that still works on a call whose time is over. */
  #endStuck(id: number): void {
    if (!this.#pending.has(id)) return;
    const message = "The analysis before this one did not end, and was ended with its index";
    void this.end(new ToolError(message, { code: "timeout", detail: `${graceMs}` }));
  }
}

function tooLarge(cause: unknown): ToolError {
  return new ToolError("The project is too large to be analyzed", { code: "too_large", cause });
}
