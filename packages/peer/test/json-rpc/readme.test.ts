import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../../scripts/testing/bundle.js";

const { twoEnds } = await bundle(import.meta.url, { twoEnds: "readme/two-ends.ts" });

it("the README's example prints what the README shows", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [twoEnds]);
  expect(stdout.split("\n")).toEqual([
    "{ word: 'Looking' }",
    "{ word: 'at' }",
    `{ word: '{"text":"the tests"}' }`,
    "{ stopReason: 'end_turn' }",
    "Method not found: compact",
    "closed by the other end",
    "",
  ]);
});
