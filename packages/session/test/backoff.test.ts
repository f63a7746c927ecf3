import { expect, it } from "vitest";
import { backoff } from "../src/index.js";

it("A19: waits 1 s first and 30 s at most, twice as long each time, and by chance a quarter longer", () => {
  const waits = (random: number): number[] =>
    [0, 1, 2, 3, 4, 5, 6, 1_000].map((failures) => backoff(failures, {}, () => random));
  expect(waits(0)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(waits(1)).toEqual([1_250, 2_500, 5_000, 10_000, 20_000, 30_000, 30_000, 30_000]);
  for (let i = 0; i < 100; i += 1) expect(backoff(0)).toBeGreaterThanOrEqual(1_000);
});
