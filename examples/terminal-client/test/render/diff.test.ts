import { describe, expect, test } from "vitest";
import { compare, renderDiffHeader, renderHunks } from "../../src/render/diff.js";
import { coloured, green, plain, red } from "../looks.js";

const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";

describe("compare", () => {
  test("gives unified hunks and the line counts", () => {
    const { lines, added, removed, tooLarge } = compare({
      path: "a",
      oldText: before,
      newText: before.replace("five", "5\n5½"),
    });
    expect(lines).toEqual([
      "@@ -2,7 +2,8 @@",
      " two",
      " three",
      " four",
      "-five",
      "+5",
      "+5½",
      " six",
      " seven",
      " eight",
    ]);
    expect({ added, removed, tooLarge }).toEqual({ added: 2, removed: 1, tooLarge: false });
  });

  test("counts lines that look like a sign of their own", () => {
    const comparison = compare({ path: "a", oldText: "--x;\n", newText: "++x;\n" });
    expect(comparison).toMatchObject({ added: 1, removed: 1, lines: ["@@ -1,1 +1,1 @@", "---x;", "+++x;"] });
  });

  test("reads a file without a text as empty", () => {
    const of = (oldText: string | undefined, newText: string | undefined) => compare({ path: "a", oldText, newText });
    expect(of(undefined, "x\ny\n")).toMatchObject({ added: 2, removed: 0, lines: ["@@ -0,0 +1,2 @@", "+x", "+y"] });
    expect(of("x", undefined)).toMatchObject({ added: 0, removed: 1, lines: ["@@ -1,1 +0,0 @@", "-x"] });
    expect(of(undefined, "")).toMatchObject({ added: 0, removed: 0, lines: [] });
  });

  test("shows the whole of a large new file", () => {
    expect(compare({ path: "a", oldText: undefined, newText: "x\n".repeat(20_000) })).toMatchObject({
      added: 20_000,
      tooLarge: false,
    });
  });

  test("gives up on texts that have too little in common", () => {
    const text = (seed: string): string => Array.from({ length: 3000 }, (_, index) => `${seed}${index}`).join("\n");
    expect(compare({ path: "a", oldText: text("a"), newText: text("b") })).toEqual({
      lines: [],
      added: 3000,
      removed: 3000,
      tooLarge: true,
    });
  });
});

describe("renderHunks", () => {
  test("colours additions and removals", () => {
    const lines = renderHunks(compare({ path: "a", oldText: "x\n", newText: "y\n" }), coloured);
    expect(lines.slice(1)).toEqual([red("-x"), green("+y")]);
  });

  test("shows control characters of both sides", () => {
    const lines = renderHunks(compare({ path: "a", oldText: "ok\n", newText: "ok\u001b[8m hidden\u202e\r\n" }), plain);
    expect(lines.slice(1)).toEqual(["-ok", "+ok␛[8m hidden<U+202E>␍"]);
  });

  test("says how many lines it leaves out, and cuts the longest", () => {
    const many = compare({ path: "a", oldText: undefined, newText: "x\n".repeat(100) });
    expect(renderHunks(many, plain, 10)).toHaveLength(11);
    expect(renderHunks(many, plain, 10).at(-1)).toBe("… 91 more lines");
    expect(renderHunks(compare({ path: "a", oldText: undefined, newText: "x".repeat(10_000) }), plain)[1]).toHaveLength(
      501,
    );
  });
});

test("renderDiffHeader names the file, its fate and the counts", () => {
  const header = (oldText: string | undefined, newText: string | undefined): string => {
    const diff = { path: "/work/src/a\u001b.js", oldText, newText };
    return renderDiffHeader(diff, compare(diff), plain);
  };
  expect(header("x\n", "y\n")).toBe("src/a␛.js  +1 −1");
  expect(header(undefined, "y\n")).toBe("src/a␛.js (new file)  +1 −0");
  expect(header("x\n", undefined)).toBe("src/a␛.js (deleted)  +0 −1");
});
