import { Gate } from "@editwire/core/gate";
import { Lane } from "./lane.js";
import { closedHere, closedThere, sendAfterClose } from "../shared/reasons.js";
import type { Transport, TransportEvents } from "../transport.js";

/** How much each direction of a memory pair may hold. A character of JSON text counts as one byte. */
export interface MemoryOptions {
  /** Undelivered bytes above which `send` returns a promise. Default 64 KiB. */
  highWaterMark?: number | undefined;
  /** Undelivered bytes past which `send` throws `overloaded`. Default 64 MiB. */
  maxQueuedBytes?: number | undefined;
}

/**
 * Creates two connected transports in one process. Messages arrive asynchronously and in order, those of one tick
 * together. Each message is parsed where it arrives, so the two ends share no objects.
 */
export function memoryPair(options: MemoryOptions = {}): [Transport, Transport] {
  const { highWaterMark = 64 * 1024, maxQueuedBytes = 64 * 1024 * 1024 } = options;
  const there = new Lane(highWaterMark, maxQueuedBytes);
  const back = new Lane(highWaterMark, maxQueuedBytes);
  return [memoryEnd(back, there), memoryEnd(there, back)];
}

function memoryEnd(inbound: Lane, outbound: Lane): Transport {
  const gone = new Gate();
  let events: TransportEvents | undefined;
  let state: "open" | "closing" | "closed" = "open";
  let reasonOf = closedThere;

  const finish = (): void => {
    state = "closed";
    inbound.drop();
    outbound.end();
    gone.open();
    events?.closed(reasonOf());
  };

  return {
    start(listener) {
      events = listener;
      if (state === "closed") queueMicrotask(() => listener.closed(reasonOf()));
      else inbound.listen(listener, finish);
    },
    send(json) {
      if (state !== "open") throw sendAfterClose();
      return outbound.push(json);
    },
    close() {
      if (state === "closed") return Promise.resolve();
      const done = gone.wait();
      if (state === "open") {
        state = "closing";
        reasonOf = closedHere;
        inbound.drop();
        outbound.end();
        queueMicrotask(finish);
      }
      return done;
    },
  };
}
