import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentHandle, AgentFactory, type ExtendedSessionUpdate, type PermissionMode } from "acp-factory";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { commands } from "./commands.js";

for (const [name, [command, ...args]] of [
  ["editwire", commands.agent],
  ["editwire-full", commands.fullAgent],
] as const)
  AgentFactory.register(name, { command, args });

let agent: AgentHandle | undefined;
afterEach(() => agent?.close());

/** Runs one prompt through acp-factory and gives the updates that its session yields. */
async function run(prompt: string, permissionMode: PermissionMode = "auto-approve"): Promise<ExtendedSessionUpdate[]> {
  agent = await AgentFactory.spawn("editwire", { permissionMode });
  const session = await agent.createSession(process.cwd());
  const updates: ExtendedSessionUpdate[] = [];
  for await (const update of session.prompt(prompt)) updates.push(update);
  return updates;
}

it("acp-factory prompts our agent and reads its answer", async () => {
  expect(await run("Hello from acp-factory")).toEqual([
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello from acp-factory" } },
  ]);
});

const content = [{ type: "content", content: { type: "text", text: "line one" } }];

// Its iteration may end before the last updates of a turn were handled, so the agent asks once more after the one that
// counts.
it.each([
  ["auto-approve", { status: "completed", content }],
  ["auto-deny", { status: "failed" }],
] as const)("acp-factory with %s decides about our agent's tool call, and shows its output", async (mode, end) => {
  const updates = await run("output, asked", mode);
  expect(updates.slice(0, 2)).toMatchObject([
    { sessionUpdate: "tool_call", title: "Read a.txt", kind: "read", status: "in_progress" },
    { sessionUpdate: "tool_call_update", ...end },
  ]);
});

/** The text of an update that has one. */
function textOf(update: ExtendedSessionUpdate): string[] {
  return "content" in update && update.content instanceof Object && "text" in update.content
    ? [update.content.text]
    : [];
}

/** A terminal by the five functions that acp-factory takes. It reads files itself. */
function terminal() {
  let program: ChildProcess | undefined;
  let output = "";
  let exited: Promise<unknown[]> = Promise.resolve([]);
  const done: string[] = [];
  return {
    done,
    onTerminalCreate: async ({ command, args = [] }: { command: string; args?: string[] }) => {
      program = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
      program.stdout?.on("data", (chunk: Buffer) => (output += String(chunk)));
      exited = once(program, "close");
      return { terminalId: "t" };
    },
    onTerminalOutput: async () => output,
    onTerminalKill: async () => void (done.push("kill"), program?.kill()),
    onTerminalRelease: async () => void done.push("release"),
    onTerminalWaitForExit: async () => Number((await exited)[0] ?? 137),
  };
}

// It has no forms and pages.
it("acp-factory offers our agent files and a terminal in one turn, and has another one killed", async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "editwire-factory-")));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, "a.txt"), "one\ntwo\n");
  const { done, ...handlers } = terminal();
  agent = await AgentFactory.spawn("editwire-full", { permissionMode: "auto-approve", ...handlers });
  const session = await agent.createSession(cwd);
  for await (const _update of session.prompt("without a form"));
  expect([readFileSync(join(cwd, "a.txt"), "utf8"), done]).toEqual(["changed\n", ["release"]]);
  for await (const _update of session.prompt("kill"));
  expect(done).toEqual(["release", "kill", "release"]);
});

it("acp-factory cancels our agent's turn, after which the session goes on", async () => {
  agent = await AgentFactory.spawn("editwire", { permissionMode: "auto-approve" });
  const session = await agent.createSession(process.cwd());
  const said: string[] = [];
  for await (const update of session.prompt("wait")) {
    said.push(...textOf(update));
    await session.cancel();
  }
  const kinds: string[] = [];
  for await (const update of session.prompt("output, asked")) kinds.push(update.sessionUpdate);
  expect([said, kinds[0]]).toEqual([["waiting"], "tool_call"]);
});

// The agent's replay is left out: its sessions have a stream from their first prompt on.
it("acp-factory loads a session of our agent, and prompts it", async () => {
  agent = await AgentFactory.spawn("editwire-full", { permissionMode: "auto-approve" });
  const { id } = await agent.createSession(process.cwd());
  const loaded = await agent.loadSession(id, process.cwd());
  const cancelled: string[] = [];
  for await (const update of loaded.prompt("wait")) {
    cancelled.push(update.sessionUpdate);
    if (cancelled.length === 1) await loaded.cancel();
  }
  expect([loaded.id, cancelled[0]]).toEqual([id, "tool_call"]);
});
