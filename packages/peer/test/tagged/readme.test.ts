import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../../scripts/testing/bundle.js";

const { twoEnds } = await bundle(import.meta.url, { twoEnds: "readme/two-ends.ts" });

it("the README's example prints what the README shows", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [twoEnds]);
  expect(stdout.split("\n")).toEqual([
    'out {"type":"TOOL_CALL","callId":"TOOL_CALL-1","tool":"read_file"}',
    'in {"session":"s1","event":"PROGRESS","data":{"percent":50}}',
    'in {"event":"TOOL_RESULT","data":{"callId":"TOOL_CALL-1","text":"ran read_file"}}',
    "ran read_file",
    "",
  ]);
});
