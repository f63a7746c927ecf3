import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("the README's example prints what the README shows", async () => {
  const file = fileURLToPath(new URL("readme/two-ends.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "--conditions=@editwire/source", file]);
  expect(stdout.split("\n")).toEqual([
    'out {"type":"TOOL_CALL","callId":"c1","tool":"read_file"}',
    'in {"session":"s1","event":"PROGRESS","data":{"percent":50}}',
    'in {"event":"TOOL_RESULT","data":{"callId":"c1","text":"ran read_file"}}',
    "ran read_file",
    "",
  ]);
});
