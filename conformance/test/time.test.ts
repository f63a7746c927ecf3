import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { alarm, within } from "../src/core/time.js";

const block = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe("an alarm", () => {
  test("rings when its time is up, and not when it was stopped", async () => {
    const start = performance.now();
    let stopped = false;
    const stop = alarm(10, () => (stopped = true));
    stop();
    await new Promise<void>((resolve) => void alarm(60, resolve));
    expect(performance.now() - start).toBeGreaterThanOrEqual(55);
    expect(stopped).toBe(false);
  });

  test("does not ring for time in which the process was busy", async () => {
    const busy = (async () => {
      for (let turn = 0; turn < 5; turn++) {
        block(20);
        await tick();
      }
      return "done";
    })();
    expect(await within(busy, 60)).toBe("done");
  });
});
