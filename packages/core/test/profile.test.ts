import type { Deviation, Diagnostic, Profile } from "@editwire/core";
import { expect, test } from "vitest";
import { deviationsOf, repair, rewrite } from "../src/profile.js";

const row = (id: string, from: unknown, to?: unknown): Deviation => ({
  id,
  summary: `${String(from)} is sent`,
  seen: "nobody",
  methods: ["m"],
  part: "params",
  matches: (value) => value === from,
  ...(to === undefined ? {} : { repair: () => to }),
});

test("rewrite changes only the method and the part that it names", () => {
  const rewrites = { m: { params: (value: unknown) => [value] } };
  expect(rewrite(rewrites, "m", "params", 1)).toEqual([1]);
  expect(rewrite(rewrites, "m", "result", 1)).toBe(1);
  expect(rewrite(rewrites, "other", "params", 1)).toBe(1);
  expect(rewrite(rewrites, "toString", "params", 1)).toBe(1);
  expect(rewrite(undefined, "m", "params", 1)).toBe(1);
});

test("rows match by method, part and value, in the table's order", () => {
  const profile: Profile = {
    name: "p",
    deviations: [
      row("a", 1),
      { ...row("b", 1), methods: ["n"] },
      { ...row("c", 1), part: "result" },
      row("d", 1),
      row("e", 2),
    ],
  };
  expect(deviationsOf(profile, "m", "params", 1).map(({ id }) => id)).toEqual(["a", "d"]);
  expect(deviationsOf({ name: "bare" }, "m", "params", 1)).toEqual([]);
});

test("a repair sees what the one before it made, and each is reported", () => {
  const recorded: Diagnostic[] = [];
  const profile: Profile = {
    name: "p",
    deviations: [row("a", 1, 2), row("not", 1, 9), row("kept", 2), row("b", 2, 3)],
  };
  expect(repair(profile, "m", "params", 1, (diagnostic) => void recorded.push(diagnostic))).toBe(3);
  expect(recorded).toEqual([
    { id: "a", method: "m", message: "1 is sent" },
    { id: "b", method: "m", message: "2 is sent" },
  ]);
});
