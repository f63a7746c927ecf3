import type { CallOptions, RequestId } from "@editwire/core";
import type { WireError } from "@editwire/core/errors";
import { abortedError, type Call, closedError, limit, overloadedError, settle } from "./call.js";
import type { Flow } from "./flow.js";
import type { Lanes } from "./lanes.js";

/** What the calls need of their peer. */
interface Parts {
  readonly send: (json: string) => void;
  readonly lanes: Lanes;
  readonly flow: Flow;
  /** Hears of a call whose caller stopped waiting before its reply was here. */
  readonly onGiveUp: ((call: Call) => void) | undefined;
}

/** Calls given up that are remembered, so that their late replies pass unreported. */
const maxAbandoned = 1_024;

/** The calls that this side makes, by the key that their replies name. */
export class Calls {
  readonly #parts: Parts;
  readonly #pending = new Map<unknown, Call>();
  readonly #abandoned = new Set<unknown>();
  #closed: WireError | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends a request under a key that no pending call has. Nothing is sent when the promise rejects at once. */
  make(key: RequestId, method: string, options: CallOptions, encode: (key: RequestId) => string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal, timeoutMs, settle: when, streams = false } = options;
      const { lanes, flow, send } = this.#parts;
      if (signal?.aborted === true) throw abortedError(method, signal.reason);
      if (this.#closed !== undefined) throw closedError(method, this.#closed);
      if (!streams && flow.full) throw overloadedError(method, lanes.unhandled);
      const json = encode(key);
      const call: Call = { key, method, madeAt: lanes.clock, ordered: when !== "now", streams, resolve, reject, release: undefined };
      this.#add(call);
      try {
        send(json);
      } catch (error) {
        this.#remove(call);
        throw error;
      }
      if (signal !== undefined || timeoutMs !== undefined) limit(call, options, this.#giveUp);
      flow.recheck();
    });
  }

  /** True for the key of a call that waits. */
  waits(key: unknown): boolean {
    return this.#pending.has(key);
  }

  /** True for the key of a call that the peer may still answer. */
  expects(key: unknown): boolean {
    return this.#pending.has(key) || this.#abandoned.has(key);
  }

  /** The call that a reply belongs to; it waits no more and has to be settled with `settle`. */
  take(key: unknown): Call | undefined {
    const call = this.#pending.get(key);
    if (call !== undefined) this.#remove(call);
    return call;
  }

  /** Settles a call that was taken, in its turn. */
  settle(call: Call, error: Error | undefined, result: unknown): void {
    if (call.ordered) this.#parts.lanes.after(call.madeAt, () => settle(call, error, result));
    else settle(call, error, result);
  }

  /** True, once, for the reply to a call that was given up. */
  forget(key: unknown): boolean {
    const known = this.#abandoned.delete(key);
    if (known) this.#parts.flow.unanswered--;
    return known;
  }

  /** Rejects the calls whose replies cannot be reached, because reading has to pause. */
  overload(): void {
    for (const call of this.#pending.values()) {
      if (!call.streams) this.#abandon(call, overloadedError(call.method, this.#parts.lanes.unhandled));
    }
  }

  /** Rejects every call whose reply is not in. One whose reply waits for its turn still settles with it. */
  close(reason: WireError): void {
    this.#closed = reason;
    for (const call of this.#pending.values()) {
      this.#remove(call);
      settle(call, closedError(call.method, reason), undefined);
    }
  }

  /** Stops waiting, and says so unless the reply is already here. */
  readonly #giveUp = (call: Call, error: WireError): void => {
    if (this.#pending.get(call.key) !== call) return settle(call, error, undefined);
    this.#abandon(call, error);
    this.#parts.onGiveUp?.(call);
  };

  #abandon(call: Call, error: WireError): void {
    this.#remove(call);
    if (this.#abandoned.size < maxAbandoned) this.#parts.flow.unanswered++;
    else this.#abandoned.delete(this.#abandoned.values().next().value);
    this.#abandoned.add(call.key);
    settle(call, error, undefined);
  }

  #add(call: Call): void {
    const { flow } = this.#parts;
    this.#pending.set(call.key, call);
    flow.unanswered++;
    if (!call.streams) flow.ordinary++;
  }

  #remove(call: Call): void {
    const { flow } = this.#parts;
    this.#pending.delete(call.key);
    flow.unanswered--;
    if (!call.streams) flow.ordinary--;
  }
}
