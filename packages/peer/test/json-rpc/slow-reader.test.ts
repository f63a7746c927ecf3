import { ndjson } from "@editwire/framing";
import { spawnTransport } from "@editwire/transport/node";
import { expect, it } from "vitest";
import { bundle } from "../../../../scripts/testing/bundle.js";
import { jsonRpcPeer } from "../../src/index.js";
import { deferred, handlerOf } from "./support.js";

const { reader } = await bundle(import.meta.url, { reader: "fixtures/slow-reader.ts" });
/**
 * Characters of an event, how many of them are sent, the milliseconds that the reader takes for each, and the
 * megabytes that it may grow by. An event of 8 MB is there three times while it is read: as bytes, as text and as a value.
 * V8 moves the text to its old generation, and collects that late.
 */
const floods = [
  { size: 20, count: 1_000, delayMs: 0, maxGrownMb: 64 },
  { size: 1_000, count: 1_000, delayMs: 0, maxGrownMb: 64 },
  { size: 1_000_000, count: 120, delayMs: 10, maxGrownMb: 64 },
  { size: 8_000_000, count: 20, delayMs: 20, maxGrownMb: 112 },
];

it.each(floods.flatMap((flood) => ["start", "call"].map((method) => ({ ...flood, method }))))(
  "a reader that takes $delayMs ms for each of $count events of $size characters holds few of them ($method)",
  async ({ size, count, delayMs, maxGrownMb, method }) => {
    const report = await flood([reader, String(delayMs)], { method, size, count });
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
