import { createHook } from "node:async_hooks";
import { vi } from "vitest";

/** The allocations and copies of some work. */
export interface Counts {
  /** Calls that join, fill or copy bytes: each costs as much as what it copies. */
  readonly copies: number;
  /** Calls that make text of bytes. */
  readonly texts: number;
  /** Calls that make a view or allocate memory for bytes. */
  readonly buffers: number;
  /** Promises, timers, ticks and whatever else the event loop has to remember. */
  readonly asyncResources: number;
}

const copying = [spyOn(Buffer, "concat"), spyOn(Buffer.prototype, "copy"), spyOn(Uint8Array.prototype, "set")];
const decoding = [spyOn(Buffer.prototype, "toString"), spyOn(TextDecoder.prototype, "decode")];
const allocating = [
  spyOn(Buffer, "from"),
  spyOn(Buffer, "alloc"),
  spyOn(Buffer, "allocUnsafe"),
  spyOn(Buffer.prototype, "slice"),
  spyOn(Buffer.prototype, "subarray"),
  spyOn(TextEncoder.prototype, "encode"),
];

/** Runs some work and counts what it costs, until the microtasks and ticks that it started are done. */
export async function countCosts(work: () => void): Promise<Counts> {
  const spies = [copying, decoding, allocating].map((group) => group.map((start) => start()));
  let resources = 0;
  const hook = createHook({ init: () => void (resources += 1) });
  hook.enable();
  work();
  hook.disable();
  const asyncResources = resources;
  // No further than the ticks that follow: in the next phase of the event loop the test runner allocates, too.
  for (let ticks = 0; ticks < 2; ticks += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  const [copies = 0, texts = 0, buffers = 0] = spies.map((group) =>
    group.reduce((sum, spy) => sum + spy.mock.calls.length, 0),
  );
  for (const spy of spies.flat()) spy.mockRestore();
  return { copies, texts, buffers, asyncResources };
}

function spyOn(target: object, method: string): () => { mock: { calls: unknown[] }; mockRestore(): void } {
  return () => vi.spyOn(target as Record<string, () => void>, method);
}
