import type { Transport } from "../src/index.js";
import type { Ends } from "./contract.js";
import { serveFarEnd } from "./far-end.js";
import { deferred } from "./near-end.js";

/** Ends whose far one lives in this process. */
export function inProcess(
  near: Transport,
  far: Transport,
  { garbage, kill }: { garbage(): void; kill?(): void },
): Ends {
  const blocked = deferred<number>();
  const flooded = deferred();
  const closed = deferred<number>();
  const released = deferred();
  serveFarEnd(far, {
    blocked: blocked.resolve,
    flooded: flooded.resolve,
    closed: closed.resolve,
    released: () => released.promise,
    garbage,
  });
  return {
    near,
    blocked: blocked.promise,
    flooded: flooded.promise,
    farClosed: closed.promise,
    release: () => released.resolve(),
    kill,
  };
}
