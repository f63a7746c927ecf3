import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { unheard } = await bundle(import.meta.url, { unheard: "fixtures/unheard-errors.ts" });

async function stderrOf(name: string): Promise<string> {
  const { stderr } = await promisify(execFile)(process.execPath, [unheard, name]);
  return stderr;
}

const inIts = (option: string, effect: string): string =>
  `\`${option}\` failed, so ${effect}; return an answer from it, or set onError to receive its errors: `;

it.each([
  ["ACP permission", "session/request_permission", inIts("permission", "the tool call is rejected")],
  ["ACP elicitation", "elicitation/create", inIts("elicitation", "the question is declined")],
  ["ACP prompt over HTTP", "session/prompt", ""],
  ["ECA permission", "chat/toolCallApprove", inIts("permission", "the tool call is rejected")],
  ["ECA question", "chat/askQuestion", inIts("question", "the question is cancelled")],
  ["Kaiak question", "kaiak/stream/user_interaction", inIts("question", "the server's default answer holds")],
  ["Helix-Zed prompt", "chat_message", ""],
])("what a handler throws where no onError is set goes to stderr (%s)", async (name, method, effect) => {
  expect(await stderrOf(name)).toContain(`${method} (onError is not set): ${effect}Error: a bug`);
});

it("what is not an answer to a permission request goes to stderr with its effect", async () => {
  const expected = `${inIts("permission", "the tool call is rejected")}TypeError: permission: expected allow_once, `;
  for (const name of ["ACP answer", "ECA answer"]) expect(await stderrOf(name)).toContain(expected);
});

it("connections without onError share one rate", async () => {
  const written = (await stderrOf("many")).split("Error: a bug").length - 1;
  expect(written).toBeGreaterThanOrEqual(10);
  expect(written).toBeLessThan(100); // of 200; ten a second
});
