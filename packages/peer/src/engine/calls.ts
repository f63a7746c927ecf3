import type { CallOptions, RequestId } from "@editwire/core";
import type { WireError } from "@editwire/core/errors";
import {
  abortedError,
  type Call,
  type CallEnds,
  closedError,
  limit,
  overloadedError,
  settle,
  tooManyCallsError,
} from "./call.js";
import type { Flow } from "./flow.js";
import { HeldReplies } from "./held-replies.js";
import type { Lanes } from "./lanes.js";
import type { Reports } from "./reports.js";

/** The parts of the peer that its calls use. */
export interface Outlet {
  readonly lanes: Lanes;
  readonly flow: Flow;
  readonly reports: Reports;
  send(json: string): void;
}

/** The number of abandoned calls to remember, so that their late replies are not reported. */
const maxAbandoned = 1_024;

/** The calls that this side makes, by the key that their replies name. */
export class Calls {
  readonly #outlet: Outlet;
  readonly #maxCalls: number;
  readonly #onGiveUp: ((call: Call) => void) | undefined;
  readonly #pending = new Map<unknown, Call>();
  readonly #held: HeldReplies;
  /** Created when the first call is abandoned; most connections have none. */
  #abandoned: Set<unknown> | undefined;
  #closed: WireError | undefined;
  readonly #ends: CallEnds = {
    isHeld: (call) => this.#held.has(call),
    giveUp: (call, error) => this.#giveUp(call, error),
    cancel: (call) => {
      if (this.#pending.get(call.key) === call) this.#onGiveUp?.(call);
    },
  };

  constructor(outlet: Outlet, maxCalls: number, onGiveUp: ((call: Call) => void) | undefined) {
    this.#outlet = outlet;
    this.#held = new HeldReplies(outlet.reports);
    this.#maxCalls = maxCalls;
    this.#onGiveUp = onGiveUp;
  }

  /** Sends a request under a key that no pending call has. Nothing is sent when the promise rejects at once. */
  make(key: RequestId, method: string, options: CallOptions, encode: (key: RequestId) => string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal, timeoutMs, settle: when, streams = false, onReply } = options;
      const { lanes, flow } = this.#outlet;
      if (signal?.aborted === true) throw abortedError(method, signal.reason);
      if (this.#closed !== undefined) throw closedError(method, this.#closed);
      if (this.#pending.size >= this.#maxCalls) throw tooManyCallsError(method, this.#maxCalls);
      if (!streams && flow.full) throw overloadedError(method, lanes.unhandled);
      const json = encode(key);
      const call: Call = {
        key,
        method,
        madeAt: lanes.clock,
        ordered: when !== "now",
        streams,
        onReply,
        resolve,
        reject,
        release: undefined,
      };
      this.#add(call);
      try {
        this.#outlet.send(json);
      } catch (error) {
        this.#remove(call);
        throw error;
      }
      if (signal !== undefined || timeoutMs !== undefined) limit(call, options, this.#ends);
      flow.recheck();
      if (!streams) lanes.freeRequests();
    });
  }

  /**
   * True while an ordinary call is awaited that was made at the tick `since` or later, also one whose reply waits for
   * its turn.
   */
  awaitedSince(since: number): boolean {
    const isAwaited = ({ streams, madeAt }: Call): boolean => !streams && madeAt >= since;
    for (const call of this.#pending.values()) if (isAwaited(call)) return true;
    for (const call of this.#held.calls()) if (isAwaited(call)) return true;
    return false;
  }

  /** True for the key of a call that waits. */
  waits(key: unknown): boolean {
    return this.#pending.has(key);
  }

  /** True for the key of a call that the peer may still answer. */
  expects(key: unknown): boolean {
    return this.#pending.has(key) || this.#abandoned?.has(key) === true;
  }

  /** The call that a reply belongs to. It no longer counts as waiting and must be settled with `settle`. */
  take(key: unknown): Call | undefined {
    const call = this.#pending.get(key);
    if (call !== undefined) this.#remove(call);
    return call;
  }

  /** Settles a call that was taken, in its turn. */
  settle(call: Call, error: Error | undefined, result: unknown): void {
    const { lanes } = this.#outlet;
    call.onReply?.();
    if (!call.ordered || lanes.allFree) return settle(call, error, result);
    this.#held.add(call);
    lanes.after(call.madeAt, () => {
      this.#held.remove(call);
      settle(call, error, result);
    });
  }

  /** True, once, for the reply to an abandoned call. */
  forget(key: unknown): boolean {
    const known = this.#abandoned?.delete(key) === true;
    if (known) this.#outlet.flow.unanswered--;
    return known;
  }

  /** Rejects the calls whose replies cannot be reached, because reading has to pause. */
  overload(): void {
    for (const call of this.#pending.values()) {
      if (!call.streams) this.#abandon(call, overloadedError(call.method, this.#outlet.lanes.unhandled));
    }
  }

  /**
   * Rejects every call whose reply has not arrived. A call whose reply waits for its turn still settles with that
   * reply.
   */
  close(reason: WireError): void {
    this.#closed = reason;
    for (const call of this.#pending.values()) {
      this.#remove(call);
      settle(call, closedError(call.method, reason), undefined);
    }
  }

  /** Stops waiting, and calls `onGiveUp` unless the reply has already arrived. */
  #giveUp(call: Call, error: WireError): void {
    if (this.#pending.get(call.key) === call) {
      this.#abandon(call, error);
      this.#onGiveUp?.(call);
    } else {
      this.#held.remove(call);
      settle(call, error, undefined);
    }
  }

  #abandon(call: Call, error: WireError): void {
    this.#remove(call);
    const abandoned = (this.#abandoned ??= new Set());
    if (abandoned.size < maxAbandoned) this.#outlet.flow.unanswered++;
    else abandoned.delete(abandoned.values().next().value);
    abandoned.add(call.key);
    settle(call, error, undefined);
  }

  #add(call: Call): void {
    const { flow } = this.#outlet;
    this.#pending.set(call.key, call);
    flow.unanswered++;
    if (!call.streams) flow.ordinary++;
  }

  #remove(call: Call): void {
    const { flow } = this.#outlet;
    this.#pending.delete(call.key);
    flow.unanswered--;
    if (!call.streams) flow.ordinary--;
  }
}
