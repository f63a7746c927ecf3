import { ndjson } from "@editwire/framing";
import { spawnTransport } from "@editwire/transport/node";
import { expect, it } from "vitest";
import { bundle } from "../../../../scripts/testing/bundle.js";
import { jsonRpcPeer } from "../../src/index.js";
import { deferred, handlerOf } from "./support.js";

const { reader } = await bundle(import.meta.url, { reader: "fixtures/slow-reader.ts" });
/**
 * Characters of an event, how many of them are sent, the milliseconds that the reader takes for each, and the
 * megabytes that it may grow by. An event of 8 MB is there several times while it is read, and the runtime frees what
 * it was read from late.
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
    const held = deferred<string>();
    const peer = jsonRpcPeer(spawnTransport([process.execPath, reader, String(delayMs)], ndjson()));
    peer.serve(handlerOf({ request: () => held.promise }));
    await peer.request(method, {});
    const text = "x".repeat(size);
    for (let n = 0; n < count; n++) await peer.notify("event", { text });
    held.resolve("late");
    const report = (await peer.request("report", {})) as { handled: number; call: string; grownMb: number };
    expect(report.handled).toBe(count);
    expect(report.grownMb).toBeLessThan(maxGrownMb);
    await peer.close();
  },
  60_000,
);
