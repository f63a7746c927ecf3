import { Gate } from "@editwire/core/gate";
import { expect, it } from "vitest";

it("gives everybody who waits one promise, and a new one after it was opened", async () => {
  const gate = new Gate();
  expect(gate.awaited).toBe(false);
  const first = gate.wait();
  expect(gate.wait()).toBe(first);
  expect(gate.awaited).toBe(true);
  gate.open();
  await first;
  expect(gate.awaited).toBe(false);
  expect(gate.wait()).not.toBe(first);
});

it("stays shut for those who come after it was opened", async () => {
  const gate = new Gate();
  gate.open();
  let passed = false;
  const waiting = gate.wait().then(() => (passed = true));
  await Promise.resolve();
  expect(passed).toBe(false);
  gate.open();
  await waiting;
  expect(passed).toBe(true);
});
