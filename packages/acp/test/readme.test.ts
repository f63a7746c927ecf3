import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { fileSessionStore } from "../src/node.js";

const programs = await bundle(import.meta.url, {
  client: "readme/client.ts",
  agent: "readme/agent.ts",
  storedAgent: "readme/stored-agent.ts",
  steeredAgent: "readme/steered-agent.ts",
  mcpAgent: "readme/mcp-agent.ts",
  extension: "readme/extension.ts",
  unstable: "readme/unstable.ts",
  registry: "readme/registry.ts",
  httpClient: "readme/http-client.ts",
  httpAgent: "readme/http-agent.ts",
  remoteClient: "readme/remote-client.ts",
  remoteAgent: "readme/remote-agent.ts",
  callersClient: "readme/callers-client.ts",
  callersAgent: "readme/callers-agent.ts",
  globalClient: "fixtures/web-socket-client.ts",
});
const { client, agent, httpClient, httpAgent, globalClient } = programs;
const {
  callersAgent,
  callersClient,
  remoteAgent,
  remoteClient,
  storedAgent,
  steeredAgent,
  mcpAgent,
  extension,
  unstable,
  registry,
} = programs;

it("the README's client runs the README's agent", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [client, process.execPath, agent]);
  expect(stdout.trim().split("\n")).toEqual([
    "Looking around.",
    "[in_progress] Delete build/",
    "",
    "[rejected] Delete build/",
    "",
    "end_turn",
  ]);
});

it("the README's client runs its agents with a store, with steering and with MCP servers", async () => {
  const folder = await mkdtemp(join(tmpdir(), "acp-readme-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const run = async (...agent: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [client, process.execPath, ...agent])).stdout;
  expect(await run(storedAgent, folder)).toBe("You said: Fix the failing test\nend_turn\n");
  expect(await fileSessionStore(folder).list({ caller: undefined })).toMatchObject({
    sessions: [{ title: "Fix the failing test" }],
  });
  expect(await run(steeredAgent)).toBe("Step 1. Step 2. Step 3. \nend_turn\n");
  expect(await run(mcpAgent)).toBe("There are no tools.\nend_turn\n");
});

it("the README's extension and its use of what is unstable print what the README says", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [extension]);
  expect(stdout).toBe("found [ 'turn.ts' ]\n");
  const plan = await promisify(execFile)(process.execPath, [unstable]);
  expect(plan.stdout).toBe("{ type: 'markdown', planId: 'p', content: '1. Read it' }\n");
});

it("the README's program lists the agents of a registry, and refuses to start one that it does not have", async () => {
  const file = fileURLToPath(new URL("readme/registry.json", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [registry, file]);
  expect(stdout).toBe("my-agent: My Agent 1.2.0\n");
  await expect(promisify(execFile)(process.execPath, [registry, file, "agent"])).rejects.toThrow(
    "did you mean my-agent?",
  );
});

it.each([
  ["HTTP", httpAgent, httpClient],
  ["a WebSocket", remoteAgent, remoteClient],
  ["Streamable HTTP", remoteAgent, remoteClient],
])("the README's client reaches the README's agent over %s", async (name, serving, dialing) => {
  const served = await start(serving);
  const url = name === "a WebSocket" ? served.replace("http", "ws") : served;
  const { stdout } = await promisify(execFile)(process.execPath, [dialing, url]);
  expect(stdout).toBe("You said: Hello\n");
});

it("the README's agent with two users knows each of them, and refuses a third", async () => {
  const url = await start(callersAgent);
  const { stdout } = await promisify(execFile)(process.execPath, [callersClient, url]);
  expect(stdout.split("\n")).toEqual([
    "Hello, ada",
    "Hello, bob",
    expect.stringMatching(/^WireError: .*the server answered 401 these credentials are not known$/),
    "",
  ]);
});

it("a process with a global WebSocket reaches the README's agent", async () => {
  const url = await start(remoteAgent);
  const flags = "WebSocket" in globalThis ? [] : ["--experimental-websocket", "--no-warnings"]; // Node 20
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    globalClient,
    url.replace("http", "ws"),
    "s3cret",
  ]);
  expect(stdout).toBe("You said: Hello\n");
});

it("both sides of each row of the README's migration tables are compiled", () => {
  const plain = (text: string): string =>
    text.replace(/\s+/g, " ").replace(/([({[]) | (?=[)}\]])|,(?= ?[)}\]])/g, "$1");
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  const compiled = plain(`${read("migration.ts")} ${read("migration-classes.ts")}`);
  const [, table = ""] = read("../README.md").split("### Coming from the official SDK");
  const rows =
    table
      .split("\n## ")[0]
      ?.split("\n")
      .filter((line) => line.startsWith("| `")) ?? [];
  const cells = rows.slice(1).flatMap((row) => row.match(/`[^`]+`/g) ?? []);
  expect(cells.length).toBe(2 * (rows.length - 1));
  expect(rows.length).toBeGreaterThan(60);
  for (const cell of cells) expect(compiled).toContain(plain(cell.slice(1, -1).replace(" …)", "")));
});

/** Starts an agent of the README on any free port, and gives its URL. */
async function start(program: string): Promise<string> {
  const server = spawn(process.execPath, [program, "0"]);
  onTestFinished(() => void server.kill());
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  return /^serving ACP at (\S+)\n$/.exec(String(line))?.[1] ?? "";
}
