import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type CaseContext, memoryTarget, runConformance } from "../src/index.js";
import { toy, toyCase, toyServer } from "./toy.js";
import { alarm, scaledTime, startTime, within } from "../src/core/talk/time.js";

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

describe("a scale below 1", () => {
  test("shortens deadlines, and neither what was measured nor a start", () => {
    const measured = scaledTime(0.1, 0.1, () => 2_000);
    expect([measured.deadline(5_000), measured.quiet(100)]).toEqual([2_000, 10]);
    expect(scaledTime(0.1).deadline(5_000)).toBe(500);
    expect(startTime(0.1).deadline(30_000)).toBe(30_000);
  });

  test("is no reason to call a target silent that starts slowly", async () => {
    const slow = memoryTarget((pipe) =>
      toyServer()({
        listen: (listener) => pipe.listen(listener),
        write: (chunk) => void setTimeout(() => pipe.write(chunk), 200),
        end: () => pipe.end(),
        destroy: () => pipe.destroy(),
      }),
    );
    const calls = toyCase("calls", ["TOY-MUST"], async (t) => {
      await t.require("TOY-MUST", t.send.request("ping", {}).result());
    });
    const options = { protocol: toy([calls]), role: "server", target: slow, timeScale: 0.001, seed: 1 };
    expect(await runConformance(options)).toMatchObject({ outcome: "conformant" });
  });
});

test("a pace is not over before what arrived meanwhile was read", async () => {
  const later = memoryTarget((pipe) =>
    toyServer()({
      listen: (listener) => pipe.listen(listener),
      write: (chunk) => void setTimeout(async () => (await tick(), await tick(), pipe.write(chunk)), 1),
      end: () => pipe.end(),
      destroy: () => pipe.destroy(),
    }),
  );
  const waits = toyCase("waits", ["TOY-MUST"], async (t) => {
    void t.send.request("ping", {});
    const pace = t.pace(15);
    await tick();
    block(60);
    await pace;
    t.check("TOY-MUST", t.history().length === 1, { expected: "the answer", actual: t.history() });
  });
  const options = { protocol: toy([waits]), role: "server", target: later, seed: 1 };
  expect(await runConformance(options)).toMatchObject({ outcome: "conformant" });
});

test("a connection whose first answers come late is waited for longer", async () => {
  let connections = 0;
  const slower = memoryTarget((pipe) => {
    const ms = connections++ === 0 ? 0 : 200;
    toyServer()({
      listen: (listener) => pipe.listen(listener),
      write: (chunk) => void setTimeout(() => pipe.write(chunk), ms),
      end: () => pipe.end(),
      destroy: () => pipe.destroy(),
    });
  });
  const ping = (t: CaseContext, options = {}) => t.require("TOY-MUST", t.send.request("ping", {}).result({}, options));
  const cases = [
    toyCase("quick", ["TOY-MUST"], async (t) => {
      for (let n = 0; n < 20; n++) await ping(t);
    }),
    toyCase(
      "late",
      ["TOY-MUST"],
      async (t) => {
        await ping(t, { deadline: 100_000 });
        await ping(t);
      },
      { isolation: "rough" },
    ),
  ];
  const options = { protocol: toy(cases), role: "server", target: slower, timeScale: 0.01, seed: 1, jobs: 1 };
  const report = await runConformance(options);
  expect(connections).toBe(2);
  expect(report).toMatchObject({ outcome: "conformant" });
});

test("a scale above 1 lengthens everything", () => {
  const time = scaledTime(2, 2, () => 4_000);
  expect([time.deadline(1_000), time.deadline(5_000), time.quiet(10)]).toEqual([8_000, 10_000, 20]);
  expect(startTime(2).deadline(1_000)).toBe(2_000);
});
