import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startScriptedModel } from "@editwire/conformance/model";
import { fixBound, openModel } from "@editwire/example-coding-agent";
import { openIdeTools, smanHandlers } from "@editwire/ide-tools";
import type { SmanToolHandlers } from "@editwire/sman";
import { dialSman } from "@editwire/sman/node";
import { expect, it, onTestFinished } from "vitest";
import { type Backend, startBackend } from "../src/backend.js";
import { meetings } from "../src/demo/examples.js";
import { openTranscript } from "../src/transcript.js";
import { copyOf, post, token } from "./programs.js";

const { projectKey, prompt, file, fixed } = meetings;

async function open(options: { waitMs?: number } = {}): Promise<Backend & { printed(): string }> {
  const scripted = await startScriptedModel({ script: fixBound });
  const model = openModel({ baseUrl: scripted.urls.openai, apiKey: "none", model: "scripted" });
  let printed = "";
  const transcript = openTranscript((text) => (printed += text));
  const backend = await startBackend({ model, token, transcript, ...options });
  onTestFinished(async () => {
    await backend.close();
    await scripted.close();
  });
  return { ...backend, printed: () => printed };
}

/** An IDE in this process, whose tools can be replaced. */
async function connect(url: string, folder: string, replace: (tools: SmanToolHandlers) => SmanToolHandlers) {
  const tools = await openIdeTools(folder);
  const handlers = replace(smanHandlers(tools));
  const options = { url, token, projectKey, sessionId: "s" };
  const plugin = dialSman({ tools: handlers }, options);
  onTestFinished(async () => {
    await plugin.close();
    await tools.close();
  });
  return plugin;
}

it("a change whose answer was lost is not made again", async () => {
  const { url, printed } = await open();
  const folder = await copyOf(projectKey);
  let changes = 0;
  const plugin = await connect(url, folder, (tools) => ({
    ...tools,
    async apply_change(params, context) {
      changes += 1;
      const outcome = await tools.apply_change?.(params, context);
      void plugin.close().then(() => connect(url, folder, (same) => same));
      return outcome ?? "";
    },
  }));
  const answer = await (await post(url, { projectKey, prompt })).text();
  expect(answer).toContain("Has it been made?");
  expect(answer).not.toContain("It has not");
  expect(changes).toBe(1);
  expect(await readFile(join(folder, file), "utf8")).toContain(fixed);
  expect(printed()).toMatch(/meetings ✗ agent +apply_change: closed/);
});

it("tells the model what a tool refuses, and that no IDE has the project", async () => {
  const { url } = await open({ waitMs: 50 });
  expect(await (await post(url, { projectKey, prompt })).text()).toContain("ide: no plugin connected within 50 ms");
  await connect(url, await copyOf(projectKey), () => ({ grep_file: () => ({ success: false, error: "no index" }) }));
  expect(await (await post(url, { projectKey, prompt })).text()).toMatch(/I find no method .* no index\n$/);
});

it.each([
  ["a caller without the token", { headers: { authorization: "Bearer wrong" } }, 401],
  ["a page", { headers: { origin: "https://elsewhere.example" } }, 403],
  ["a task without a prompt", { body: { projectKey } }, 400],
  ["a task that is too long", { body: { projectKey, prompt: "x".repeat(70_000) } }, 413],
])(
  "refuses %s",
  async (_who, { headers = {}, body = { projectKey, prompt } }: { headers?: object; body?: object }, status) => {
    const { url } = await open();
    expect((await post(url, body, { ...headers })).status).toBe(status);
    expect((await fetch(`${url}/else`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(404);
  },
);
