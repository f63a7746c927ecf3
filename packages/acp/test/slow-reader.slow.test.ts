import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { agent, reader } = await bundle(import.meta.url, {
  agent: "fixtures/flood-agent.ts",
  reader: "fixtures/slow-reader.ts",
});

/**
 * Characters of an update, how many of them are read, the milliseconds that the reader takes for each, and the
 * megabytes that its process may grow by. The session's state keeps 2 Mi characters of what was read, or one longer
 * text, and V8 frees large texts late: a program that holds nothing but the last text of 8 MB grows by some 150 MB. So
 * the heap of the last row is limited instead: a reader that held its 320 MB would run out of memory.
 */
const floods = [
  { size: 20, count: 100, delayMs: 10, heapMb: 4_096, maxGrownMb: 64 },
  { size: 1_000_000, count: 120, delayMs: 5, heapMb: 4_096, maxGrownMb: 96 },
  { size: 8_000_000, count: 40, delayMs: 80, heapMb: 160, maxGrownMb: 200 },
];

it.each(floods.flatMap((flood) => ["no call", "a call"].map((calls) => ({ ...flood, calls }))))(
  "a reader of a turn that takes $delayMs ms for each of $count texts of $size characters holds few of them ($calls)",
  async ({ size, count, delayMs, heapMb, maxGrownMb, calls }) => {
    const argv = [`--max-old-space-size=${heapMb}`, reader, agent, size, count, delayMs, calls].map(String);
    const { stdout } = await promisify(execFile)(process.execPath, argv);
    const report = JSON.parse(stdout) as { read: number; grownMb: number };
    expect(report.read).toBe(count);
    expect(report.grownMb).toBeLessThan(maxGrownMb);
  },
);
