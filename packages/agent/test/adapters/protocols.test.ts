import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acpProfiles, type AcpProfile } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { ecaProfiles } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { helixZedProfiles } from "@editwire/helix-zed";
import { helixZedPair } from "@editwire/helix-zed/testing";
import { kaiakPair } from "@editwire/kaiak/testing";
import { listenSman } from "@editwire/sman/node";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type Agent,
  type AgentTool,
  type AgentTurnHandler,
  createAgent,
  mcpTools,
  toAcp,
  toEca,
  toHelixZed,
  toKaiak,
  turnTools,
} from "../../src/index.js";
import { commands } from "../commands.js";
import { type LoopbackModel, loopbackModel } from "../loopback-model.js";
import { acpLines, ecaLines, helixZedLines, kaiakLines } from "../matrix/editor-lines.js";
import { agents, openAiAgent } from "./agents.js";

let model: LoopbackModel;
const mcp = new Client({ name: "test", version: "1.0.0" });
const backend = await listenSman({});
const folder = realpathSync(mkdtempSync(join(tmpdir(), "editwire-adapters-")));
let plugin: ChildProcess;
let sum: AgentTool[];
beforeAll(async () => {
  model = await loopbackModel();
  writeFileSync(join(folder, "a.ts"), "a needle\n");
  const [command = "", ...args] = commands.idePlugin;
  plugin = spawn(command, [...args, backend.url, folder], { stdio: ["ignore", "ignore", "inherit"] });
  const everything = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
  await mcp.connect(
    new StdioClientTransport({ command: process.execPath, args: [everything, "stdio"], stderr: "ignore" }),
  );
  sum = (await mcpTools(mcp)).filter(({ name }) => name === "get-sum");
});
afterAll(async () => {
  plugin.kill("SIGKILL");
  await Promise.all([model.close(), mcp.close(), backend.close()]);
  rmSync(folder, { recursive: true });
});

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

/** The tools of an IDE that is connected over sman, as a model calls them. */
const ideTools: AgentTool[] = [
  { name: "grep_file", description: "Searches", inputSchema: { type: "object" }, run: () => ({ text: "" }) },
];
const runInIde: NonNullable<Parameters<typeof openAiAgent>[2]> = async (turn, _tools, toolCalls) => {
  const ide = turnTools(turn, await backend.ide({}, { timeoutMs: 10_000 }), { asks: ["grep_file"] });
  const results = toolCalls.map(async ({ id, function: { arguments: input } }) => {
    const { text } = await ide.grepFile(JSON.parse(input) as { pattern: string });
    return { role: "tool" as const, tool_call_id: id, content: text };
  });
  return Promise.all(results);
};

/** An agent, and what it shows: the title of its tool, and the model's last words. */
interface Adapted {
  readonly prompt: () => AgentTurnHandler;
  readonly tool: RegExp;
  readonly says: RegExp;
}

const adapted: Readonly<Record<string, Adapted>> = {
  ...Object.fromEntries(
    Object.entries(agents).map(([name, make]) => [
      name,
      { prompt: () => make(model.url), tool: /Add two numbers/, says: /It is 3\./ },
    ]),
  ),
  "an MCP server": { prompt: () => openAiAgent(model.url, sum), tool: /Sum/, says: /The sum of 1 and 2 is 3/ },
  "the tools of an IDE": {
    prompt: () => openAiAgent(model.url, ideTools, runInIde),
    tool: /needle/,
    says: /It is .*a\.ts/s,
  },
};

type Answer = "allow_once" | "reject_once";
/** Runs one turn in an editor. Returns its lines. */
type Front = (agent: Agent, answer: Answer) => Promise<string[]>;

async function linesOf<Event extends object>(
  turn: AsyncIterable<Event>,
  lines: (event: Event) => string[],
): Promise<string[]> {
  const all: string[] = [];
  for await (const event of turn) all.push(...lines(event), JSON.stringify(event));
  return all;
}

const acp =
  (profile: AcpProfile): Front =>
  async (agent, answer) => {
    const options = { client: { profile, permission: async () => answer }, agent: { profile } };
    const { client } = await acpPair(toAcp(agent), options);
    cleanups.push(() => client.close());
    return linesOf((await client.newSession({ cwd: folder })).prompt("Add 1 and 2"), acpLines);
  };

const fronts: Readonly<Record<string, Front>> = {
  "ACP, as specified": acp(acpProfiles.spec),
  "ACP, version 1": acp(acpProfiles.v1),
  async ECA(agent, answer) {
    const profile = ecaProfiles.v2026;
    const options = { client: { profile, permission: async () => answer }, server: { profile } };
    const { client } = await ecaPair(toEca(agent), options);
    cleanups.push(() => client.close());
    return linesOf(client.newSession().prompt("Add 1 and 2"), ecaLines);
  },
  async Kaiak(agent, answer) {
    const question = async () => (answer === "allow_once" ? "approve" : "deny");
    const permissions = { tool_permissions: { read_file: "approve", shell_command: "approve" } } as const;
    const { client } = await kaiakPair(toKaiak(agent), {
      client: { question },
      server: { configuration: { workspace: { working_dir: folder }, permissions } },
    });
    cleanups.push(() => client.close());
    return linesOf(client.newSession().prompt([{ id: "1", rule_id: "r", message: "Add 1 and 2" }]), kaiakLines);
  },
  async "Helix-Zed"(agent, answer) {
    const profile = helixZedProfiles.v2026;
    const served = toHelixZed(agent, { cwd: folder, permission: answer });
    const pair = helixZedPair(served, { host: { profile }, agent: { profile, flushMs: 0 } });
    cleanups.push(() => pair.close());
    return linesOf((await pair.host.session("s", { agent: "ses_1" })).prompt("Add 1 and 2"), helixZedLines);
  },
};

describe.each(Object.entries(adapted))("an agent made with %s", (_, { prompt, tool, says }) => {
  it.each(Object.entries(fronts))("streams and calls its tool over %s", async (__, front) => {
    const lines = await front(createAgent({ prompt: prompt() }), "allow_once");
    expect(lines).toContain("stop: end_turn");
    expect(lines.join("\n")).toMatch(/^text: (Let me|Let me add\.)$/m);
    expect(lines.filter((line) => /^tool_call: .* completed$/.test(line)).join("\n")).toMatch(tool);
    expect(lines.filter((line) => line.startsWith("text: ")).join("\n")).toMatch(says);
  });

  it.each(Object.entries(fronts))("tells the model the user's no over %s", async (__, front) => {
    const lines = await front(createAgent({ prompt: prompt() }), "reject_once");
    expect(lines).toContain("stop: end_turn");
    expect(lines.filter((line) => /^tool_call: .* (rejected|failed)$/.test(line)).join("\n")).toMatch(tool);
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1)?.content)).toMatch(/user (did not allow|rejected)/);
  });
});
