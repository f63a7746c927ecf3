import type { Readable, Writable } from "node:stream";
import { type Control, UnsupportedAction } from "./link.js";

/** Tells an adapter where the suite's agent is. */
export type AgentAddress = { readonly command: readonly string[] } | { readonly url: string };

/** The first message to an adapter. */
export interface AdapterInit {
  /** The agent that the client under test must start or connect to. */
  readonly agent: AgentAddress;
  /** An absolute path for sessions. */
  readonly cwd: string;
  /** The framing that the client should write in, if it has a choice. */
  readonly framing: "line" | "header";
}

interface Answer {
  readonly id?: unknown;
  readonly ok?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly unsupported?: unknown;
}

/** The longest answer of a program, in characters. */
const MAX_LINE = 16 * 1024 * 1024;

/**
 * Steers a program by lines of JSON. `{"id":2,"do":"prompt","args":{"text":"…"}}` is answered by
 * `{"id":2,"ok":true,"result":…}`, `{"id":2,"ok":false,"error":"…"}` or, for an unknown action,
 * `{"id":2,"ok":false,"unsupported":true,"error":"…"}`, in whatever order. The first action is `init`, the last one
 * `shutdown`.
 */
export class LineControl implements Control {
  readonly #waiting = new Map<unknown, { resolve(result: unknown): void; reject(error: Error): void }>();
  #nextId = 1;
  #text = "";
  #over: Error | undefined;
  #ready: Promise<unknown> = Promise.resolve();

  readonly #output: Writable;
  readonly #onNoise: (line: string) => void;

  /** `onNoise` gets what the program writes beside its answers. */
  constructor(input: Readable, output: Writable, onNoise: (line: string) => void = () => {}) {
    this.#output = output;
    this.#onNoise = onNoise;

    input.setEncoding("utf8");
    input.on("data", (chunk: string) => {
      const lines = (this.#text + chunk).split("\n");
      this.#text = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") this.#take(line);
      if (this.#text.length <= MAX_LINE) return;
      this.#onNoise(this.#text);
      this.#text = "";
    });
    input.once("close", () => {
      this.#over = new Error("the adapter ended");
      for (const { reject } of this.#waiting.values()) reject(this.#over);
    });
  }

  /**
   * Sends what the program must know first, such as an `AdapterInit`. Resolves when the program is ready: a client is
   * then connected and has made its handshake.
   */
  init(init: object): Promise<unknown> {
    this.#ready = this.#ask("init", { ...init });
    this.#ready.catch(() => {});
    return this.#ready;
  }

  async do(action: string, args: Record<string, unknown> = {}): Promise<unknown> {
    await this.#ready;
    return this.#ask(action, args);
  }

  /** Asks the program to end. */
  shutdown(): void {
    if (this.#output.writable) this.#output.end(`${JSON.stringify({ id: this.#nextId++, do: "shutdown" })}\n`);
  }

  #ask(action: string, args: Record<string, unknown>): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (this.#over !== undefined) return reject(this.#over);
      this.#waiting.set(id, { resolve, reject });
      if (this.#output.writable) this.#output.write(`${JSON.stringify({ id, do: action, args })}\n`);
    });
  }

  #take(line: string): void {
    const answer = parse(line);
    const waiting = this.#waiting.get(answer?.id);
    if (answer === undefined || waiting === undefined) return this.#onNoise(line);
    this.#waiting.delete(answer.id);
    if (answer.ok === true) return waiting.resolve(answer.result);
    const reason = String(answer.error ?? "it gave no reason");
    waiting.reject(answer.unsupported === true ? new UnsupportedAction(reason) : new Error(reason));
  }
}

function parse(line: string): Answer | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
