import type { Readable, Writable } from "node:stream";
import type { Control } from "./link.js";

/** What an adapter says first, on a line of its own. */
export interface AdapterReady {
  readonly ready: true;
  /** Actions that it can do; absent: it says so when asked. */
  readonly actions?: readonly string[] | undefined;
}

/**
 * Steers a program by lines of JSON: `{"id":1,"do":"prompt","args":{"text":"…"}}` is answered by `{"id":1,"ok":true,"result":…}` or
 * `{"id":1,"ok":false,"error":"…"}`. The program's first line is `{"ready":true}`; `{"do":"shutdown"}` is the last that it gets.
 */
export class LineControl implements Control {
  /** Resolves with the first line; rejects when the program ends without one. */
  readonly ready: Promise<AdapterReady>;
  private readonly waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  private nextId = 1;
  private text = "";

  constructor(
    input: Readable,
    private readonly output: Writable,
  ) {
    let resolveReady = (_ready: AdapterReady): void => {};
    let rejectReady = (_error: Error): void => {};
    this.ready = new Promise((resolve, reject) => {
      resolveReady = resolve;
      rejectReady = reject;
    });
    this.ready.catch(() => {});
    output.on("error", () => {});
    input.setEncoding("utf8");
    input.on("data", (chunk: string) => {
      const lines = (this.text + chunk).split("\n");
      this.text = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") this.take(line, resolveReady);
    });
    input.once("close", () => {
      const error = new Error("the adapter ended");
      rejectReady(error);
      for (const { reject } of this.waiting.values()) reject(error);
    });
  }

  do(action: string, args: Record<string, unknown> = {}): Promise<unknown> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.output.write(`${JSON.stringify({ id, do: action, args })}\n`);
    });
  }

  /** Asks the program to end. */
  shutdown(): void {
    if (this.output.writable) this.output.end(`${JSON.stringify({ do: "shutdown" })}\n`);
  }

  private take(line: string, ready: (message: AdapterReady) => void): void {
    let message: { id?: number; ok?: boolean; result?: unknown; error?: unknown; ready?: boolean };
    try {
      message = JSON.parse(line) as typeof message;
    } catch {
      return;
    }
    if (message.ready === true) return ready(message as AdapterReady);
    const waiting = this.waiting.get(message.id ?? -1);
    this.waiting.delete(message.id ?? -1);
    if (message.ok === true) waiting?.resolve(message.result);
    else waiting?.reject(new Error(String(message.error ?? "the adapter gave no reason")));
  }
}
