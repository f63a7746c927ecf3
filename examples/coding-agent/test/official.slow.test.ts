import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import {
  client,
  type ClientContext,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { expect, it, onTestFinished } from "vitest";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { sampleCopy, tempFolder } from "./support/temp-folder.js";

const { main } = await bundle(import.meta.url, { main: "../src/main.ts", ...toolWorker });
const FIXED = "return a.from < b.to && b.from < a.to;";
const env = { ...process.env, OPENAI_BASE_URL: "", OPENAI_API_KEY: "", CODING_AGENT_MODEL: "" };

/** The messages that the official client received. */
interface Seen {
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
  log: string;
}

/** Runs the official SDK's client against the coding agent, with default settings. */
async function withAgent<T>(
  work: (agent: ClientContext, seen: Seen) => Promise<T>,
  ...flags: readonly string[]
): Promise<T> {
  const child = spawn(process.execPath, [main, ...flags], { stdio: ["pipe", "pipe", "pipe"], env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const seen: Seen = { updates: [], asked: [], log: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => (seen.log += text));
  return client({ name: "official" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      seen.asked.push(params);
      const optionId = params.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
      return { outcome: { outcome: "selected", optionId } };
    })
    .onNotification(methods.client.session.update, ({ params }) => void seen.updates.push(params.update))
    .connectWith(
      ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>),
      (agent) => work(agent, seen),
    );
}

const initialize = (agent: ClientContext) =>
  agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
const open = (agent: ClientContext, cwd: string) => agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
const say = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });

it("the official client gets plan, calls, diff and usage of version 1, and is asked for permission", async () => {
  const cwd = await sampleCopy();
  await withAgent(async (agent, seen) => {
    expect((await initialize(agent)).agentCapabilities).toEqual({
      loadSession: true,
      promptCapabilities: { audio: true, image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { additionalDirectories: {}, close: {}, delete: {}, list: {}, resume: {} },
    });
    const { sessionId, modes, configOptions } = await open(agent, cwd);
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(["full", "safe", "read-only", "sandbox"]);
    expect(configOptions).toMatchObject([
      { id: "mode", category: "mode", type: "select", currentValue: "full" },
      { id: "model" },
    ]);
    // The specification's texts for these modes name tools that this agent does not have.
    expect(JSON.stringify(modes)).not.toContain("sandbox_");

    expect(await say(agent, sessionId, "Fix the failing test.")).toMatchObject({ stopReason: "end_turn" });
    const kinds = new Set(seen.updates.map(({ sessionUpdate }) => sessionUpdate));
    for (const kind of ["agent_message_chunk", "agent_thought_chunk", "plan", "tool_call", "tool_call_update"] as const)
      expect(kinds).toContain(kind);
    expect(seen.updates.find(({ sessionUpdate }) => sessionUpdate === "usage_update")).toEqual({
      sessionUpdate: "usage_update",
      used: expect.any(Number),
      size: 128_000,
    });
    const path = join(cwd, "src/stay.js");
    const diff = { type: "diff", path, oldText: expect.any(String), newText: expect.stringContaining(FIXED) };
    expect(seen.asked[1]).toMatchObject({ toolCall: { title: "Edit src/stay.js", kind: "edit", content: [diff] } });
    const ends = seen.updates.filter((update) => "status" in update && update.status === "completed");
    const said = { type: "content", content: { type: "text", text: "Edited src/stay.js at line 19." } };
    expect(ends).toContainEqual(expect.objectContaining({ content: [diff, said] }));
    expect(await readFile(path, "utf8")).toContain(FIXED);
    expect(seen.log).toMatch(/^coding-agent: the model is scripted at 127\.0\.0\.1:\d+$/m);
    expect(seen.log).toMatch(/^coding-agent: dialect: the peer speaks the dialect "v1"/m);
  }, "--verbose");
});

it("the official client changes the mode as a setting, and cancels a turn", async () => {
  await withAgent(async (agent, seen) => {
    const { updates } = seen;
    await initialize(agent);
    const { sessionId } = await open(agent, await sampleCopy());
    const { configOptions } = await agent.request(methods.agent.session.setConfigOption, {
      sessionId,
      configId: "mode",
      value: "read-only",
    });
    expect(configOptions).toMatchObject([{ currentValue: "read-only" }, {}]);
    expect(updates).toEqual([{ sessionUpdate: "current_mode_update", currentModeId: "read-only" }]);
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: "safe" });
    expect(updates[1]).toMatchObject({ configOptions: [{ id: "mode", currentValue: "safe" }, {}] });

    const turn = say(agent, sessionId, "Fix the failing test.");
    await agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await turn).toEqual({ stopReason: "cancelled" });
    expect(seen.log).toBe("");
  });
});

it("acpx drives the agent to the end of its task", async () => {
  const [cwd, home] = [await sampleCopy(), await tempFolder()];
  const cli = join(createRequire(import.meta.url).resolve("acpx/package.json"), "../dist/cli.js");
  const command = `${process.execPath} ${main}`;
  const args = [cli, "--agent", command, "--approve-all", "--cwd", cwd, "exec", "Fix the failing test."];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...env, HOME: home } });
  expect(stdout).toContain("All 11 tests pass now");
  expect(await readFile(join(cwd, "src/stay.js"), "utf8")).toContain(FIXED);
});
