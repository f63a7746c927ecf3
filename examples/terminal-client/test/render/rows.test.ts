import { expect, test } from "vitest";
import { renderRows } from "../../src/render/rows.js";
import { plain } from "../looks.js";

test("the texts stand in one column, with a gap behind the longest name", () => {
  const rows = [
    ["read-only", "Looks"],
    ["bypassPermissions", "Asks nothing"],
    ["世界", "Two wide characters"],
  ] as const;
  expect(renderRows(rows, plain)).toEqual([
    "read-only          Looks",
    "bypassPermissions  Asks nothing",
    "世界               Two wide characters",
  ]);
});

test("a very long name moves only its own text, and a row is one harmless line", () => {
  const rows = [
    ["x".repeat(50), "far"],
    ["short", `near\u001b[2J\n${"y".repeat(200)}`],
  ] as const;
  const [long = "", short = ""] = renderRows(rows, plain);
  expect(long).toBe(`${"x".repeat(50)}  far`);
  expect(short).toMatch(/^short {2}near␛\[2J y+…$/);
  expect(short).toHaveLength(80);
});

test("no rows are no lines", () => {
  expect(renderRows([], plain)).toEqual([]);
});
