import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { unheard } = await bundle(import.meta.url, { unheard: "fixtures/unheard-errors.ts" });

async function stderrOf(name: string): Promise<string> {
  const { stderr } = await promisify(execFile)(process.execPath, [unheard, name]);
  return stderr;
}

it.each([
  ["ACP permission", "session/request_permission"],
  ["ACP prompt over HTTP", "session/prompt"],
  ["ECA permission", "chat/toolCallApprove"],
  ["Kaiak question", "kaiak/stream/user_interaction"],
  ["Helix-Zed prompt", "chat_message"],
])("what a handler throws where no onError is set goes to stderr (%s)", async (name, method) => {
  expect(await stderrOf(name)).toContain(`${method} (onError is not set): Error: a bug`);
});

it("connections without onError share one rate", async () => {
  const written = (await stderrOf("many")).split("Error: a bug").length - 1;
  expect(written).toBeGreaterThanOrEqual(10);
  expect(written).toBeLessThan(100); // of 200; ten a second
});
