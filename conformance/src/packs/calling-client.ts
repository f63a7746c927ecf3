import { isObject } from "@editwire/core";
import type { PipeEnd } from "../wire/pipe.js";

type Json = Record<string, unknown>;
type Framing = "line" | "header";

/** A request that has no answer yet. */
export interface OpenCall {
  readonly method: string;
  resolve(result: Json): void;
  reject(error: Error): void;
}

/** Decisions of the reference clients of several protocols. */
export interface CallingBehavior {
  outgoing(message: Json): readonly unknown[];
  encode(message: unknown, framing: Framing): Uint8Array;
  /** Whether calls fail when the connection is lost. */
  readonly failsAtEnd: boolean;
  /** The call that an answer is for. */
  match(id: unknown, open: readonly number[]): number | undefined;
  strayAnswer(id: unknown): "survive" | "die";
  /** Why a call fails for its result; null: it never ends. */
  resultProblem(method: string, result: unknown): string | undefined | null;
}

/** Reads the bytes of a connection. */
interface Reader {
  push(chunk: Uint8Array): readonly ({ readonly ok: true; readonly message: unknown } | { readonly ok: false })[];
}

/** Thrown when a request was answered with an error. */
export class Refused extends Error {
  constructor(readonly body: Json) {
    super(String(body["message"]));
  }
}

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** A reference client: its calls, and the end of its connection. */
export abstract class CallingClient<Behavior extends CallingBehavior> {
  protected readonly calls = new Map<number, OpenCall>();
  protected nextId = 1;
  #dead = false;

  constructor(
    protected readonly pipe: PipeEnd,
    protected readonly behavior: Behavior,
    protected readonly framing: Framing = "header",
  ) {}

  protected abstract requested(id: unknown, method: string, params: Json): void;
  protected abstract notified(method: string, params: Json): void;

  /** Reads the connection. `noise` is what it makes of bytes that are not a message. */
  protected listen(reader: Reader, noise: () => void): void {
    this.pipe.listen({
      data: (chunk) => {
        for (const cut of this.#dead ? [] : reader.push(chunk)) {
          if (!cut.ok) noise();
          else if (isObject(cut.message)) this.#take(cut.message);
        }
      },
      end: () => this.lost(),
    });
  }

  /** Sends a request, perhaps within another one. */
  protected call(method: string, params: unknown, sent: Json = { method, params }): Promise<Json> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { method, resolve, reject });
      if (this.#dead) reject(new Error("the connection is lost"));
      else this.send({ jsonrpc: "2.0", id, ...sent });
    });
  }

  protected send(message: Json): void {
    if (this.#dead) return;
    for (const one of this.behavior.outgoing(message)) this.pipe.write(this.behavior.encode(one, this.framing));
  }

  /** Gives the connection up, as a client does that crashes. */
  protected die(): void {
    this.pipe.destroy();
    this.lost();
  }

  protected lost(): void {
    this.#dead = true;
    this.pipe.end();
    if (!this.behavior.failsAtEnd) return;
    for (const { reject } of this.calls.values()) reject(new Error("the connection is lost"));
  }

  protected refused(call: OpenCall, body: Json): void {
    call.reject(new Refused(body));
  }

  #take(message: Json): void {
    const { id, method, params } = message;
    if (typeof method !== "string") this.#answered(message);
    else if (id !== undefined && id !== null) this.requested(id, method, objectOf(params));
    else this.notified(method, objectOf(params));
  }

  #answered({ id, result, error }: Json): void {
    const found = this.behavior.match(id, [...this.calls.keys()]);
    const call = found === undefined ? undefined : this.calls.get(found);
    if (found === undefined || call === undefined) {
      if (this.behavior.strayAnswer(id) === "die") this.die();
      return;
    }
    this.calls.delete(found);
    if (error !== undefined) return this.refused(call, objectOf(error));
    const problem = this.behavior.resultProblem(call.method, result);
    if (problem === null) return;
    if (problem === undefined) call.resolve(objectOf(result));
    else call.reject(new Error(problem));
  }
}
