/// <reference lib="esnext.disposable" preserve="true" />
import { isWireError, WireError } from "@editwire/core";
import { onAbort } from "@editwire/core/aborts";
import { startTimer } from "@editwire/core/timers";
import { callListener, claimTransport, splitOptions } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import type { SmanBackend, SmanBackendOptions, SmanIde, SmanIdeQuery, SmanSite } from "./api.js";
import { openIde } from "./ide.js";

/**
 * Creates a backend for transports of your own. `listenSman` and `smanHandler` of `./node` create a backend and serve
 * it. Throws a `TypeError` for options of the wrong type.
 */
export function createSmanBackend(options: SmanBackendOptions = {}): SmanBackend {
  const split = splitOptions("createSmanBackend", "smanProfiles", options);
  const ides: SmanIde[] = [];
  const waiting = new Set<Waiter>();
  let isClosed = false;

  const attach = (transport: Transport, site: SmanSite): SmanIde => {
    claimTransport("attach", transport);
    const ide = openIde(transport, site, options, split);
    if (isClosed) {
      void ide.close();
      return ide;
    }
    ides.push(ide);
    void ide.closed.then(() => ides.splice(ides.indexOf(ide), 1));
    for (const waiter of [...waiting]) if (matches(ide, waiter.wanted)) waiter.settle(ide);
    callListener(options.onIde, (error) => split.onError(error, undefined), ide);
    return ide;
  };

  const close = async (): Promise<void> => {
    isClosed = true;
    for (const waiter of [...waiting]) waiter.settle(closed());
    await Promise.all(ides.map((ide) => ide.close()));
  };

  return {
    ides,
    async ide(wanted = {}, { signal, timeoutMs } = {}) {
      if (isClosed) throw closed();
      const found = ides.findLast((ide) => matches(ide, wanted));
      return found ?? next(waiting, wanted, signal, timeoutMs);
    },
    attach,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Waiter {
  readonly wanted: SmanIdeQuery;
  settle(end: SmanIde | WireError): void;
}

function next(
  waiting: Set<Waiter>,
  wanted: SmanIdeQuery,
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
): Promise<SmanIde> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      wanted,
      settle(end) {
        waiting.delete(waiter);
        stop();
        stopWatching?.();
        if (isWireError(end)) reject(end);
        else resolve(end);
      },
    };
    const abort = (): void =>
      waiter.settle(new WireError("aborted", "ide: aborted", { cause: signal?.reason as unknown }));
    const expire = (): void =>
      waiter.settle(new WireError("timeout", `ide: no plugin connected within ${timeoutMs} ms`));
    const stop = timeoutMs === undefined ? () => {} : startTimer(timeoutMs, expire);
    waiting.add(waiter);
    const stopWatching = signal && onAbort(signal, abort);
    if (signal?.aborted === true) abort();
  });
}

function matches(ide: SmanIde, { sessionId, projectKey, caller }: SmanIdeQuery): boolean {
  return (
    (caller === undefined || ide.caller === caller) &&
    (sessionId === undefined || ide.sessionId === sessionId) &&
    (projectKey === undefined || ide.projectKey === projectKey)
  );
}

const closed = (): WireError => new WireError("closed", "ide: the backend is closed");
