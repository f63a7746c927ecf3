import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("the README's example prints what the README shows", async () => {
  const file = fileURLToPath(new URL("readme/two-ends.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "--conditions=@editwire/source", file]);
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
