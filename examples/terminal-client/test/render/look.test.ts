import { expect, test } from "vitest";
import { indentDetail } from "../../src/render/look.js";
import { renderHunks } from "../../src/render/diff.js";
import { coloured, plain, red } from "../looks.js";

const narrow = { ...plain, columns: 50 };

test("each part of a line that is wider than the terminal has the bar", () => {
  const line = `+${"a".repeat(60)} ${"b".repeat(20)}`;
  expect(indentDetail([line], narrow)).toEqual([`  │ +${"a".repeat(45)}`, `  │ ${"a".repeat(15)} ${"b".repeat(20)}`]);
  expect(indentDetail([`-${"世".repeat(30)}`], narrow)).toEqual([`  │ -${"世".repeat(22)}`, `  │ ${"世".repeat(8)}`]);
});

test("each part has the color of its line", () => {
  const comparison = { lines: [`-${"a".repeat(60)}`], added: 0, removed: 1, tooLarge: false };
  const look = { ...coloured, columns: 50 };
  expect(indentDetail(renderHunks(comparison, look), look).map((line) => line.split("│")[1])).toEqual(
    [`-${"a".repeat(45)}`, "a".repeat(15)].map((part) => `${look.colors.dim(" ").replace(/^.* /, "")} ${red(part)}`),
  );
});

test("lines for a pipe stay whole", () => {
  const line = `+${"a".repeat(200)}`;
  expect(indentDetail([line], { ...narrow, live: false })).toEqual([`  │ ${line}`]);
});
