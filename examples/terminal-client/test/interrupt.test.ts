import { expect, test, vi } from "vitest";
import { createInterrupts } from "../src/interrupt.js";

function setUp() {
  const exit = vi.fn<(code: number) => void>();
  const interrupts = createInterrupts(exit);
  return { exit, interrupts };
}

test("at the prompt Ctrl-C quits", () => {
  const { exit, interrupts } = setUp();
  interrupts.idle();
  interrupts.press();
  expect([interrupts.phase, interrupts.quit.aborted, interrupts.exitCode]).toEqual(["quitting", true, 0]);
  expect(exit).not.toHaveBeenCalled();
});

test("while something starts Ctrl-C quits with 130", () => {
  const { interrupts } = setUp();
  interrupts.press();
  expect([interrupts.phase, interrupts.exitCode]).toEqual(["quitting", 130]);
});

test("during a turn the first Ctrl-C cancels, the second quits, the third does not wait", () => {
  const { exit, interrupts } = setUp();
  const cancel = vi.fn();
  interrupts.turn(cancel);
  interrupts.press();
  expect(cancel).toHaveBeenCalledTimes(1);
  expect([interrupts.phase, interrupts.quit.aborted]).toEqual(["cancelling", false]);
  interrupts.press();
  expect([interrupts.phase, interrupts.quit.aborted, interrupts.exitCode]).toEqual(["quitting", true, 130]);
  expect(exit).not.toHaveBeenCalled();
  interrupts.press();
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
  expect(cancel).toHaveBeenCalledTimes(1);
});

test("a turn that ends gives Ctrl-C its former meaning back", () => {
  const { interrupts } = setUp();
  const cancel = vi.fn();
  const leave = interrupts.turn(cancel);
  interrupts.press();
  leave();
  interrupts.turn(cancel);
  interrupts.press();
  expect(cancel).toHaveBeenCalledTimes(2);
  expect(interrupts.quit.aborted).toBe(false);
});

test("nothing leads out of quitting", () => {
  const { interrupts } = setUp();
  const leave = interrupts.turn(() => {});
  interrupts.end(143);
  leave();
  interrupts.idle();
  expect([interrupts.phase, interrupts.quit.aborted, interrupts.exitCode]).toEqual(["quitting", true, 143]);
});

test("the end of the program cancels a running turn", () => {
  const { interrupts } = setUp();
  const cancel = vi.fn();
  interrupts.turn(cancel);
  interrupts.end(143);
  expect(cancel).toHaveBeenCalledTimes(1);
  expect([interrupts.phase, interrupts.exitCode]).toEqual(["quitting", 143]);
});
