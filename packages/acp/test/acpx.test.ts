import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { commands } from "./commands.js";

const acpx = createRequire(import.meta.url).resolve("acpx/package.json");
let home: string;
beforeEach(async () => (home = await mkdtemp(join(tmpdir(), "editwire-acpx-"))));
afterEach(() => rm(home, { recursive: true }));

/** Runs one prompt through acpx and gives both directions of its wire. */
async function exec(
  prompt: string,
  ...flags: string[]
): Promise<{ method?: string; result?: unknown; params?: { update?: unknown } }[]> {
  const cli = join(acpx, "..", "dist", "cli.js");
  const args = [
    cli,
    "--agent",
    commands.agent.join(" "),
    "--format",
    "json",
    "--json-strict",
    ...flags,
    "exec",
    prompt,
  ];
  const run = promisify(execFile)(process.execPath, args, { env: { ...process.env, HOME: home } });
  // acpx exits non-zero if a permission was denied.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
}

it("acpx prompts our agent and reads its answer", async () => {
  const wire = await exec("Hello from acpx");
  expect(wire.flatMap(({ params }) => (params?.update === undefined ? [] : [params.update]))).toEqual([
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello from acpx" } },
  ]);
  expect(wire.at(-1)).toMatchObject({ result: { stopReason: "end_turn" } });
});

it("acpx gets the output of our agent's tools", async () => {
  const wire = await exec("output");
  const updates = wire.flatMap(({ params }) => (params?.update === undefined ? [] : [params.update]));
  expect(updates.at(-1)).toMatchObject({
    content: [{ type: "content", content: { type: "text", text: "line one" } }],
  });
});

it.each([
  ["--approve-all", "deleted"],
  ["--deny-all", "kept"],
])("acpx %s decides about our agent's permission request", async (flag, said) => {
  const wire = await exec("permission", flag);
  expect(wire.some(({ method }) => method === "session/request_permission")).toBe(true);
  expect(JSON.stringify(wire)).toContain(said);
});
