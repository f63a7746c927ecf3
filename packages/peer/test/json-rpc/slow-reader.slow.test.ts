import { ndjson } from "@editwire/framing";
import { spawnTransport } from "@editwire/transport/node";
import { expect, it } from "vitest";
import { bundle } from "../../../../scripts/testing/bundle.js";
import { jsonRpcPeer } from "../../src/index.js";
import { deferred, handlerOf } from "./support.js";

const { reader } = await bundle(import.meta.url, { reader: "fixtures/slow-reader.ts" });
/**
 * Characters of an event, how many of them are sent, the milliseconds that the reader takes for each, the megabytes of
 * its heap, and those that it may grow by. V8 collects large texts late, and later in some versions of Node than in
 * others, so the heap of the large rows is limited: a reader that held all events would run out of memory.
 */
const floods = [
  { size: 20, count: 1_000, delayMs: 0, heapMb: 4_096, maxGrownMb: 64 },
  { size: 1_000, count: 1_000, delayMs: 0, heapMb: 4_096, maxGrownMb: 64 },
  { size: 1_000_000, count: 180, delayMs: 20, heapMb: 80, maxGrownMb: 160 },
  { size: 8_000_000, count: 30, delayMs: 100, heapMb: 112, maxGrownMb: 220 },
];

it.each(floods.flatMap((flood) => ["start", "call"].map((method) => ({ ...flood, method }))))(
  "a reader that takes $delayMs ms for each of $count events of $size characters holds few of them ($method)",
  async ({ size, count, delayMs, heapMb, maxGrownMb, method }) => {
    const argv = [`--max-old-space-size=${heapMb}`, reader, String(delayMs)];
    const report = await flood(argv, { method, size, count });
    expect(report.handled).toBe(count);
    expect(report.grownMb).toBeLessThan(maxGrownMb);
  },
  60_000,
);

it("a reader holds an event of 8 MB as a value and as bytes while it handles it, and no other one", async () => {
  const report = await flood(["--expose-gc", reader, "0"], { method: "start", size: 8_000_000, count: 5 });
  expect(report.heldMb).toBeGreaterThan(7);
  expect(report.heldMb).toBeLessThan(20);
});

/** Sends events to a reader in a process of its own, and gives its report. */
async function flood(argv: string[], { method, size, count }: { method: string; size: number; count: number }) {
  const held = deferred<string>();
  const peer = jsonRpcPeer(spawnTransport([process.execPath, ...argv], ndjson()));
  peer.serve(handlerOf({ request: () => held.promise }));
  await peer.request(method, {});
  const text = "x".repeat(size);
  for (let n = 0; n < count; n++) await peer.notify("event", { text });
  held.resolve("late");
  const report = (await peer.request("report", {})) as { handled: number; grownMb: number; heldMb: number };
  await peer.close();
  return report;
}
