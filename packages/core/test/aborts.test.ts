import { onAbort } from "@editwire/core/aborts";
import { expect, it, onTestFinished, vi } from "vitest";

it("calls each action once, unless it is stopped first", () => {
  const controller = new AbortController();
  const [kept, stopped] = [vi.fn(), vi.fn()];
  onAbort(controller.signal, kept);
  onAbort(controller.signal, kept);
  onAbort(controller.signal, stopped)();
  controller.abort();
  expect([kept.mock.calls.length, stopped.mock.calls.length]).toEqual([2, 0]);
});

it("causes no warning, however many actions a signal has", async () => {
  const warned = vi.fn();
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const { signal } = new AbortController();
  for (let count = 0; count < 50; count++) onAbort(signal, () => {});
  await new Promise(setImmediate); // warnings are emitted in the next tick
  expect(warned).not.toHaveBeenCalled();
});
