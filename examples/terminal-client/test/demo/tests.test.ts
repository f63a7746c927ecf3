import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTap, runTests } from "../../src/demo/tests.js";

describe("readTap", () => {
  test("counts what passed and says what failed and why", () => {
    const tap = [
      "TAP version 13",
      "not ok 1 - adds",
      "  ---",
      "  duration_ms: 1",
      "  error: 'no room'",
      "  ...",
      "ok 2 - subtracts",
      "not ok 3 - divides",
      "  ---",
      "  error: |-",
      "    Expected values to be strictly equal:",
      "",
      "    1 !== 2",
      "  ...",
      "1..3",
      "# pass 1",
      "# fail 2",
      "",
    ].join("\n");
    expect(readTap(tap, false)).toEqual({
      passed: 1,
      failures: [
        { name: "adds", error: "no room" },
        { name: "divides", error: "Expected values to be strictly equal:" },
      ],
      ok: false,
    });
  });

  test("is not content with nothing", () => {
    expect(readTap("TAP version 13\n1..0\n# pass 0\n", true).ok).toBe(false);
    expect(readTap("# pass 3\n", false).ok).toBe(false);
    expect(readTap("# pass 3\n", true)).toEqual({ passed: 3, failures: [], ok: true });
  });
});

describe("runTests", () => {
  let folder: string;
  const never = new AbortController().signal;
  const write = (text: string): Promise<void> =>
    writeFile(join(folder, "a.test.mjs"), `import { test } from "node:test";\n${text}`);

  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "demo-tests-"))));
  afterEach(() => rm(folder, { recursive: true }));

  test("runs the tests of a folder", async () => {
    await write('test("one", () => {});\ntest("two", () => { throw new Error("because"); });');
    expect(await runTests(folder, never)).toEqual({
      passed: 1,
      failures: [{ name: "two", error: "because" }],
      ok: false,
    });
    await write('test("one", () => {});');
    expect(await runTests(folder, never)).toEqual({ passed: 1, failures: [], ok: true });
  });

  test("ends with the signal", async () => {
    await write('test("endless", () => new Promise((resolve) => setTimeout(resolve, 1_000_000)));');
    await expect(runTests(folder, AbortSignal.abort())).rejects.toThrow("aborted");
  });
});
