import { applyPatch } from "diff";
import fc from "fast-check";
import { expect, it } from "vitest";
import { detailsOf, fileChange } from "../src/file-change.js";

it("tells a change as a unified diff, with the lines that it adds and removes", () => {
  const { diff, ...rest } = fileChange("/p/a.ts", "one\ntwo\nthree\n", "one\n2\ntwo and a half\nthree\n");
  expect(rest).toEqual({ type: "fileChange", path: "/p/a.ts", linesAdded: 2, linesRemoved: 1 });
  expect(diff).toMatch(/@@ -1,3 \+1,4 @@\n one\n-two\n\+2\n\+two and a half\n three\n$/);
  expect(fileChange("/p/new.ts", "", "a\nb\n")).toMatchObject({ linesAdded: 2, linesRemoved: 0 });
});

it("gives a diff that makes the one text of the other", () => {
  const text = fc.array(fc.constantFrom("a", "b", "", "c d"), { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { diff, linesAdded, linesRemoved } = fileChange("f", before, after);
      expect(applyPatch(before, diff)).toBe(after);
      const lines = diff.split("\n").slice(4);
      expect([
        lines.filter((line) => line.startsWith("+")).length,
        lines.filter((line) => line.startsWith("-")).length,
      ]).toEqual([linesAdded, linesRemoved]);
    }),
    { numRuns: 200 },
  );
});

it("is there for actions that change a file, and for no others", () => {
  const run = () => Promise.resolve({ text: "" });
  expect(detailsOf({ run, preview: [{ type: "diff", path: "/a", oldText: null, newText: "x\n" }] })).toMatchObject({
    linesAdded: 1,
  });
  expect(detailsOf({ run })).toBeUndefined();
});
