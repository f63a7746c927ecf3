import type { CallOptions } from "@editwire/core";
import type { WireError } from "@editwire/core/errors";
import { abortedError, type Call, closedError, limit, overloadedError, settle } from "./call.js";
import type { Flow } from "./flow.js";
import type { Lanes } from "./lanes.js";
import { encodeMessage, type Incoming, show } from "./messages.js";
import type { CancelMessage } from "./options.js";
import { errorIn, reportStray } from "./replies.js";
import type { Reports } from "./reports.js";

/** What the calls need of their peer. */
interface Parts {
  readonly encode: typeof encodeMessage;
  readonly send: (json: string) => void;
  readonly lanes: Lanes;
  readonly flow: Flow;
  readonly reports: Reports;
  readonly cancel: CancelMessage | undefined;
}

/** Calls given up that are remembered, so that their late replies pass unreported. */
const maxAbandoned = 1_024;

/** The calls that this side makes. */
export class Calls {
  readonly #parts: Parts;
  readonly #pending = new Map<unknown, Call>();
  readonly #abandoned = new Set<unknown>();
  #lastId = 0;
  #closed: WireError | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends a request. Nothing is sent when the promise rejects at once. */
  make(method: string, params: unknown, options: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal, timeoutMs, settle: when, streams = false } = options;
      const { lanes, flow, encode, send } = this.#parts;
      if (signal?.aborted === true) throw abortedError(method, signal.reason);
      if (this.#closed !== undefined) throw closedError(method, this.#closed);
      if (!streams && flow.full) throw overloadedError(method, lanes.unhandled);
      const id = ++this.#lastId;
      const json = encode(id, method, params);
      const call: Call = { id, method, madeAt: lanes.clock, ordered: when !== "now", streams, resolve, reject, release: undefined };
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

  /** True for the id of a call that the peer may still answer. */
  expects(id: unknown): boolean {
    return this.#pending.has(id) || this.#abandoned.has(id);
  }

  /** Settles the call that a reply belongs to. */
  reply(reply: Incoming): void {
    const { lanes, reports } = this.#parts;
    const id = unquoted(reply.id);
    const call = this.#pending.get(id);
    if (call === undefined) {
      if (this.#abandoned.delete(id)) this.#parts.flow.unanswered--;
      else reportStray(reply, reports);
      return;
    }
    this.#remove(call);
    if (id !== reply.id) reports.diagnostic("rpc.id-type", call.method, `the reply's id is ${show(reply.id)}; ${call.id} was sent`);
    const error = errorIn(reply, call.method, reports);
    const result = reply.result ?? null;
    if (call.ordered) lanes.after(call.madeAt, () => settle(call, error, result));
    else settle(call, error, result);
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

  /** Stops waiting, and tells the peer so unless its reply is already here. */
  readonly #giveUp = (call: Call, error: WireError): void => {
    const { cancel, reports, send } = this.#parts;
    if (!this.#pending.has(call.id)) return settle(call, error, undefined);
    this.#abandon(call, error);
    if (cancel === undefined) return;
    try {
      send(encodeMessage(undefined, cancel.method, cancel.params(call.id)));
    } catch (failure) {
      reports.error(failure, cancel.method);
    }
  };

  #abandon(call: Call, error: WireError): void {
    this.#remove(call);
    if (this.#abandoned.size < maxAbandoned) this.#parts.flow.unanswered++;
    else this.#abandoned.delete(this.#abandoned.values().next().value);
    this.#abandoned.add(call.id);
    settle(call, error, undefined);
  }

  #add(call: Call): void {
    const { flow } = this.#parts;
    this.#pending.set(call.id, call);
    flow.unanswered++;
    if (!call.streams) flow.ordinary++;
  }

  #remove(call: Call): void {
    const { flow } = this.#parts;
    this.#pending.delete(call.id);
    flow.unanswered--;
    if (!call.streams) flow.ordinary--;
  }
}

/** Some peers write back the id 1 as "1". */
function unquoted(id: unknown): unknown {
  return typeof id === "string" && String(Number(id)) === id ? Number(id) : id;
}
