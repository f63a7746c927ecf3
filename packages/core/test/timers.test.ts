import { longestTimerMs, startInterval, startTimer } from "@editwire/core/timers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("calls its action once, unless it is stopped first", () => {
  const action = vi.fn();
  startTimer(10, action);
  startTimer(10, action)();
  vi.advanceTimersByTime(100);
  expect(action).toHaveBeenCalledTimes(1);
});

it("calls its action again and again until it is stopped", () => {
  const action = vi.fn();
  const stop = startInterval(10, action);
  vi.advanceTimersByTime(30);
  stop();
  vi.advanceTimersByTime(30);
  expect(action).toHaveBeenCalledTimes(3);
});

it("waits for the longest time that a timer can, when it is given a longer one", () => {
  const action = vi.fn();
  startTimer(Infinity, action);
  vi.advanceTimersByTime(longestTimerMs - 1);
  expect(action).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(action).toHaveBeenCalledTimes(1);
});

it("keeps no process alive", () => {
  vi.useRealTimers();
  const set = vi.spyOn(globalThis, "setTimeout");
  const stop = startTimer(1_000, () => {});
  const timers = set.mock.results.map(({ value }) => value as NodeJS.Timeout);
  expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
  stop();
  set.mockRestore();
});
