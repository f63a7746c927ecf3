import type { Link } from "../../wire/link.js";
import type { MessageEntry, TraceEntry } from "../../trace/trace.js";
import { HarnessError } from "../errors.js";
import { type Classified, type Envelope, type ErrorBody, idKey } from "./message.js";

/** JSON-RPC's code for params that are not valid. */
const INVALID_PARAMS = -32602;

/** A message from the target, as it was read. */
export interface Received {
  readonly entry: MessageEntry;
  readonly is: Classified;
  /** Why it is not valid, according to the protocol's schemas. */
  readonly problem: string | undefined;
}

/** Answers a request of the target. Returns `undefined` to leave the answer to the case. */
export type Responder = (params: unknown, id: unknown) => { result: unknown } | { error: ErrorBody } | undefined;

/** Checks messages against the protocol's schemas. Returns what is wrong, or `undefined`. */
export interface MessageJudge {
  /** A message of the target. `asked` is the method that a response answers. */
  target(is: Classified, asked: string | undefined): string | undefined;
  /** A message of the suite. */
  suite(is: Classified, asked: string | undefined): string | undefined;
  /** Remembers a message of the suite. Its misfits are not wrong in a message of the target. */
  sent(is: Classified): void;
}

/**
 * One connection to the target from its start to its end: ids, open requests, and all received messages. A case uses it
 * through a `Talk`.
 */
export class Conversation {
  readonly received: Received[] = [];
  /** Requests of the suite that are open, by id. */
  readonly open = new Map<string, string>();
  /** Requests of the target that nobody has answered, by id. */
  readonly asked = new Map<string, string>();
  /** Set by the protocol once the handshake is done. */
  handshake: unknown;
  /** A case has been run on the connection. */
  used = false;
  /** Responders of the connection; those of a case take precedence until it ends. */
  readonly responders = new Map<string, Responder>();
  /** Answers requests without a responder, such as those that the protocol does not define. */
  otherwise: ((method: string) => ReturnType<Responder>) | undefined;
  readonly #sent = new Map<string, string>();
  #nextId = 1;

  readonly #judge: MessageJudge;
  readonly #onAnswer: (ms: number) => void;
  readonly #sentAt = new Map<string, number>();
  readonly #acting = new Set<() => void>();

  constructor(
    readonly link: Link,
    /** Writes and reads the protocol's messages; for cases that send what the suite itself would not. */
    readonly envelope: Envelope,
    judge: MessageJudge,
    onAnswer: (ms: number) => void = () => {},
    /** The surroundings that the role prepared for the target of this connection. */
    readonly room: unknown = undefined,
  ) {
    this.#onAnswer = onAnswer;
    this.#judge = judge;

    const read = (entry: TraceEntry): void => {
      if (entry.kind === "message" && entry.from === "target") this.#take(entry);
    };
    // A client may have sent messages before this side could read them.
    for (const entry of [...link.trace.entries]) read(entry);
    link.trace.subscribe(read);
  }

  /** A client sends first: what came before the first case and the handshake belongs to the case that reads first. */
  get isNew(): boolean {
    return this.handshake === undefined && !this.used;
  }

  /** Sends a request and returns its id. Throws `HarnessError` when it is not valid. */
  request(method: string, params: unknown): unknown {
    const id = this.freshId();
    this.open.set(idKey(id), method);
    this.#sent.set(idKey(id), method);
    this.#sentAt.set(idKey(id), performance.now());
    this.#write(this.envelope.request(id, method, params));
    return id;
  }

  notify(method: string, params: unknown): void {
    const reaction = this.envelope.reactions?.[method];
    if (reaction !== undefined) this.#sentAt.set(reaction, performance.now());
    this.#write(this.envelope.notification(method, params));
  }

  reply(id: unknown, result: unknown): void {
    this.#write(this.envelope.result(id, result), this.asked.get(idKey(id)));
    this.asked.delete(idKey(id));
  }

  refuse(id: unknown, error: ErrorBody): void {
    this.asked.delete(idKey(id));
    this.#write(this.envelope.error(id, error));
  }

  /** Takes the time from an action of the target to its next message, or to the end of an action without any. */
  async acting<T>(action: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const measure = (): void => {
      if (this.#acting.delete(measure)) this.#onAnswer(performance.now() - startedAt);
    };
    this.#acting.add(measure);
    try {
      const result = await action;
      measure();
      return result;
    } finally {
      this.#acting.delete(measure);
    }
  }

  /** Sends a deliberately invalid message. If it is a request, it counts as open. */
  sendInvalid(message: unknown): void {
    const is = this.envelope.classify(message);
    if (is.kind === "request") this.#sent.set(idKey(is.id), is.method);
    this.#judge.sent(is);
    this.link.send(message);
  }

  /** An id that no request has used. */
  freshId(): unknown {
    const number = this.#nextId++;
    return this.envelope.id === undefined ? number : this.envelope.id(number);
  }

  /** The method of a request of the suite, even after its answer. */
  methodOf(id: unknown): string | undefined {
    return this.#sent.get(idKey(id));
  }

  #write(message: unknown, asked?: string): void {
    const problem = this.#judge.suite(this.envelope.classify(message), asked);
    if (problem !== undefined)
      throw new HarnessError(`the suite would send an invalid message: ${problem}: ${JSON.stringify(message)}`);
    this.link.send(message);
  }

  #take(entry: MessageEntry): void {
    const is = this.envelope.classify(entry.message);
    const asked = is.kind === "result" || is.kind === "error" ? this.methodOf(is.id) : undefined;
    const problem = this.#judge.target(is, asked);
    this.received.push({ entry, is, problem });
    for (const measure of this.#acting) measure();
    if (is.kind === "result" || is.kind === "error") {
      this.open.delete(idKey(is.id));
      this.#measure(idKey(is.id));
    }
    if (is.kind === "notification") this.#measure(is.method);
    if (is.kind !== "request") return;
    this.asked.set(idKey(is.id), is.method);
    const responder = this.responders.get(is.method);
    const answer = responder === undefined ? this.otherwise?.(is.method) : responder(is.params, is.id);
    if (answer === undefined) return;
    if ("error" in answer) return this.refuse(is.id, answer.error);
    // An invalid request may leave nothing that would answer it.
    const answers = this.envelope.classify(this.envelope.result(is.id, answer.result));
    if (problem === undefined || this.#judge.suite(answers, is.method) === undefined) this.reply(is.id, answer.result);
    else this.refuse(is.id, { code: INVALID_PARAMS, message: problem });
  }

  /** Takes the time from what the suite sent to the answer or reaction to it. */
  #measure(key: string): void {
    const sentAt = this.#sentAt.get(key);
    if (sentAt !== undefined) this.#onAnswer(performance.now() - sentAt);
    this.#sentAt.delete(key);
  }
}

/** The last messages of a trace, for a report. */
export function lastMessages(entries: readonly TraceEntry[], count: number): TraceEntry[] {
  return entries.filter(({ kind }) => kind !== "bytes").slice(-count);
}
