import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dialAcp } from "@editwire/acp/node";
import { dialEca, spawnEca } from "@editwire/eca/node";
import { dialKaiak } from "@editwire/kaiak/node";
import { helixZedProfiles } from "@editwire/helix-zed";
import { listenHelixZed } from "@editwire/helix-zed/node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { firstLine, lineWith } from "../../../scripts/testing/lines.js";
import { acpEditor, ecaEditor, type Editor } from "../../agent/test/editors.js";
import { listenOptions } from "../src/agent/endpoint.js";
import { agents, editwire } from "./commands.js";
import { editorOfHelixZedAgent } from "./helix-zed-agents.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Starts the CLI, and resolves with the address that it says an editor or an agent connects to. */
async function listening(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [command = "", ...rest] = args;
  const child = spawn(command, rest, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env } });
  cleanups.push(() => stop(child));
  return (await lineWith(child.stderr, /connects to \S+$/)).replace(/.* /, "");
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  if (child.kill("SIGTERM")) await exited;
}

/** Runs the CLI to its end. */
async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [command = "", ...rest] = editwire(...args);
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** The lines of one turn, without the steps of a tool call between its beginning and its end. */
async function turn(editor: Editor, text: string): Promise<string[]> {
  const lines = await (await editor.newSession()).prompt(text).lines();
  return lines.filter((line) => !/: (pending|waiting|in_progress)$/.test(line));
}

/** An incident whose words the agent takes for its prompt's. */
const incident = { id: "1", rule_id: "r", message: "say" };

const wholeTurn = ["Looking around.", "diff", "Edit a.ts: completed", "Edited.", "end_turn"];

const runs = (code: string): string[] => [process.execPath, "--eval", code];

describe("editwire bridge, on stdio", () => {
  it.each([
    ["eca", "acp", ecaEditor],
    ["acp", "eca", acpEditor],
    ["acp", "acp", acpEditor],
    ["eca", "eca", ecaEditor],
  ] as const)("serves an editor of %s with an agent of %s", async (from, to, open) => {
    const editor = await open(editwire("bridge", "--from", from, "--to", to, "--", ...agents[to]));
    cleanups.push(() => editor.close());
    expect(await turn(editor, "say edit")).toEqual(wholeTurn);
  });

  it.each([
    [["no-such-agent"], ': cannot start "no-such-agent"', 'cannot start "no-such-agent"'],
    [runs('console.log("Log in first")'), ": it ended before it", 'node: what it wrote is not ACP: "Log in first"'],
    [runs('console.error("No key"); process.exit(3)'), ": it ended before it answered", "No key\n"],
    [agents.eca, "", "node cannot read it; if it speaks ECA, use --to eca"],
    [["cat"], "", "editwire: initialize: cat sends back what it receives"],
    [["node agent.js"], ': cannot start "node agent.js"', 'words are separate arguments: ["node","agent.js"]'],
  ])("tells the editor that the agent cannot be started, and the user why: %j", async (agent, short, why) => {
    const stderr: string[] = [];
    const options = { onStderr: (line: string) => stderr.push(line), onError: () => {} };
    const args = editwire("bridge", "--from", "eca", "--to", "acp", "--", ...agent);
    await expect(spawnEca(args, options)).rejects.toThrow(`The agent behind the gateway could not be started${short}`);
    expect(stderr.join("\n")).toContain(why);
  });

  it("passes on what its agent writes to stderr", async () => {
    const stderr: string[] = [];
    const agent = ["sh", "-c", 'echo "a log of the agent" >&2; exec "$@"', "sh", ...agents.acp];
    const options = { onStderr: (text: string) => stderr.push(text) };
    const editor = await spawnEca(editwire("bridge", "--from", "eca", "--to", "acp", "--", ...agent), options);
    cleanups.push(() => editor.close());
    await expect.poll(() => stderr.join("")).toContain("a log of the agent\n");
  });

  it("says that its agent has ended while nobody prompts, and starts it again for the next prompt", async () => {
    let stderr = "";
    const agent = ["sh", "-c", 'echo "pid $$" >&2; exec "$@"', "sh", ...agents.acp];
    const options = { onStderr: (text: string) => (stderr += text) };
    const editor = await spawnEca(editwire("bridge", "--from", "eca", "--to", "acp", "--", ...agent), options);
    cleanups.push(() => editor.close());
    const pids = (): string[] => [...stderr.matchAll(/pid (\d+)\n/g)].map(([, pid = ""]) => pid);
    await expect.poll(pids).toHaveLength(1);
    process.kill(Number(pids()[0]), "SIGKILL");
    await expect.poll(() => stderr).toMatch(/^editwire: .*SIGKILL/m);
    expect(await editor.newSession().prompt("say").stopReason).toBe("end_turn");
    expect(new Set(pids()).size).toBe(2); // the line about its end quotes what the first one wrote
  });

  it("ends with its editor, and ends the agent", async () => {
    const args = editwire("bridge", "--from", "acp", "--to", "acp", "--", ...agents.acp);
    const editor = await acpEditor(args);
    expect(await turn(editor, "say")).toEqual(["Looking around.", "end_turn"]);
    await editor.close();
  });
});

describe("editwire bridge, over the network", () => {
  it("serves ACP over HTTP and WebSockets to those who have the token", async () => {
    const env = { EDITWIRE_EDITOR_TOKEN: "s3cret" };
    const args = ["bridge", "--from", "acp", "--editor", "http://127.0.0.1:0", "--to", "eca", "--", ...agents.eca];
    const url = await listening(editwire(...args), env);
    await expect(dialAcp(url, { token: "wrong" })).rejects.toMatchObject({ name: "WireError" });
    const http = await dialAcp(url, { token: "s3cret" });
    const ws = await dialAcp(url.replace(/^http/, "ws"), { token: "s3cret" });
    for (const client of [http, ws]) {
      const session = await client.newSession({ cwd: "/p" });
      await expect(session.prompt("say").stopReason).resolves.toBe("end_turn");
      expect(session.state.entries).toContainEqual(
        expect.objectContaining({ type: "message", role: "assistant", text: "Looking around." }),
      );
      await client.close();
    }
  });

  it.each([
    ["http", {}, "; a token is required: set EDITWIRE_AGENT_TOKEN"],
    ["ws", {}, "; a token is required: set EDITWIRE_AGENT_TOKEN"],
    ["http", { EDITWIRE_AGENT_TOKEN: "wr0ng" }, "; the token in EDITWIRE_AGENT_TOKEN is not accepted"],
    ["ws", { EDITWIRE_AGENT_TOKEN: "wr0ng" }, "; the token in EDITWIRE_AGENT_TOKEN is not accepted"],
  ])("says which variable holds the token that an agent at %s refuses (%j)", async (scheme, env, why) => {
    const args = ["bridge", "--from", "acp", "--editor", "http://127.0.0.1:0", "--to", "acp", "--", ...agents.acp];
    const url = await listening(editwire(...args), { EDITWIRE_EDITOR_TOKEN: "s3cret" });
    const agent = url.replace(/^http/, scheme);
    const stderr: string[] = [];
    const options = { env, onStderr: (line: string) => stderr.push(line), onError: () => {} };
    const editor = editwire("bridge", "--from", "eca", "--to", "acp", "--agent", agent);
    await expect(spawnEca(editor, options)).rejects.toThrow("The agent behind the gateway could not be started");
    expect(stderr.join("\n")).toContain(why);
    expect(stderr.join("\n")).not.toContain("wr0ng");
  });

  it("says which variable holds the token that a host of Helix-Zed requires", async () => {
    const host = await listenHelixZed({ token: "s3cret" });
    cleanups.push(() => host.close());
    const args = ["bridge", "--from", "helix-zed", "--editor", host.url, "--id", "ses_1", "--to", "acp"];
    const [command = "", ...rest] = editwire(...args, "--", ...agents.acp);
    const child = spawn(command, rest, { stdio: ["ignore", "ignore", "pipe"] });
    cleanups.push(() => stop(child));
    expect(await firstLine(child.stderr)).toContain("; a token is required: set EDITWIRE_EDITOR_TOKEN");
  });

  it("dials an agent of ACP that another bridge serves over WebSockets", async () => {
    const env = { EDITWIRE_EDITOR_TOKEN: "s3cret" };
    const served = ["bridge", "--from", "acp", "--editor", "ws://127.0.0.1:0", "--to", "acp", "--", ...agents.acp];
    const url = await listening(editwire(...served), env);
    process.env["EDITWIRE_AGENT_TOKEN"] = "s3cret";
    cleanups.push(() => delete process.env["EDITWIRE_AGENT_TOKEN"]);
    const editor = await ecaEditor(editwire("bridge", "--from", "eca", "--to", "acp", "--agent", url));
    cleanups.push(() => editor.close());
    expect(await turn(editor, "say edit")).toEqual(wholeTurn);
  });

  it("serves Kaiak on a Unix socket", async () => {
    const folder = await mkdtemp(join(tmpdir(), "editwire-"));
    cleanups.push(() => rm(folder, { recursive: true }));
    const path = join(folder, "kaiak.sock");
    const args = ["bridge", "--from", "kaiak", "--editor", `unix:${path}`, "--to", "acp", "--", ...agents.acp];
    expect(await listening(editwire(...args))).toBe(path);
    const client = await dialKaiak(path);
    cleanups.push(() => client.close());
    await client.configure({ workspace: { working_dir: folder } });
    const texts: string[] = [];
    for await (const event of client.newSession().prompt([incident])) if (event.type === "text") texts.push(event.text);
    expect(texts).toContain("Looking around.");
  });

  it("serves ECA on a Unix socket, to one editor after the other and to several at once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "editwire-"));
    cleanups.push(() => rm(folder, { recursive: true }));
    const path = join(folder, "eca.sock");
    const args = ["bridge", "--from", "eca", "--editor", `unix:${path}`, "--to", "acp", "--", ...agents.acp];
    expect(await listening(editwire(...args))).toBe(path);
    for (let editors = 0; editors < 2; editors++) {
      const editor = await dialEca(path, { workspaceFolders: [] });
      cleanups.push(() => editor.close());
      expect(await editor.newSession().prompt("say").stopReason).toBe("end_turn");
    }
  });

  it("dials a host of Helix-Zed, for an agent of ACP", async () => {
    const host = await listenHelixZed();
    cleanups.push(() => host.close());
    const args = ["bridge", "--from", "helix-zed", "--editor", host.url, "--id", "ses_1", "--to", "acp"];
    const [command = "", ...rest] = editwire(...args, "--permission", "allow_once", "--", ...agents.acp);
    const child = spawn(command, rest, { stdio: ["ignore", "ignore", "inherit"] });
    cleanups.push(() => stop(child));
    const session = await host.session("s", { agent: "ses_1" });
    await expect(session.prompt("say edit").stopReason).resolves.toBe("end_turn");
    expect(JSON.stringify(session.state.entries)).toContain("Edited.");
  });

  it("dials a host of the 2026 dialect, which waits until the agent is ready", async () => {
    const host = await listenHelixZed({ profile: helixZedProfiles.v2026 });
    cleanups.push(() => host.close());
    const args = ["bridge", "--from", "helix-zed", "--profile", "v2026", "--editor", host.url, "--id", "ses_1"];
    const [command = "", ...rest] = editwire(...args, "--to", "acp", "--permission", "allow_once", "--", ...agents.acp);
    const child = spawn(command, rest, { stdio: ["ignore", "ignore", "inherit"] });
    cleanups.push(() => stop(child));
    const session = await host.session("s", { agent: "ses_1" });
    await expect(session.prompt("say edit").stopReason).resolves.toBe("end_turn");
    expect(session.state.entries).toContainEqual(expect.objectContaining({ type: "tool_call" }));
  });

  it("listens for an agent of Helix-Zed, for an editor of ACP", async () => {
    const { client } = await editorOfHelixZedAgent();
    const session = await client.newSession({ cwd: "/p" });
    await expect(session.prompt("say").stopReason).resolves.toBe("end_turn");
    expect(JSON.stringify(session.state.entries)).toContain("Looking around."); // behind a notice that it waited
  });

  it("cancels the turn of an agent of Helix-Zed in the 2026 dialect, which alone has a message for it", async () => {
    const { client } = await editorOfHelixZedAgent("--profile", "v2026");
    const session = await client.newSession({ cwd: "/p" });
    const turn = session.prompt("say wait");
    let told = 0;
    for await (const event of turn) if (JSON.stringify(event).includes("Looking") && told++ === 0) await turn.cancel();
    await expect(turn.stopReason).resolves.toBe("cancelled");
    await expect(session.prompt("say").stopReason).resolves.toBe("end_turn");
  });

  it("says at once when the agent of Helix-Zed dies in mid-turn, and cancels", async () => {
    const { client, agent } = await editorOfHelixZedAgent();
    const session = await client.newSession({ cwd: "/p" });
    const turn = session.prompt("say wait");
    const shown = (): string => JSON.stringify(session.state.entries);
    await expect.poll(shown).toContain("Looking around.");
    agent.kill("SIGKILL");
    await expect.poll(shown).toContain("The agent is no longer connected");
    await turn.cancel();
    await expect(turn.stopReason).resolves.toBe("cancelled");
    const next = session.prompt("say");
    await expect.poll(shown).toContain("The agent is not connected; the prompt waits until it dials");
    await next.cancel();
    await expect(next.stopReason).resolves.toBe("cancelled");
  });
});

it.each([
  ["ws://127.0.0.1:80", undefined, { host: "127.0.0.1", port: 80 }],
  ["http://[::1]", undefined, { host: "::1", port: 80 }],
  ["http://127.0.0.1:0", undefined, { host: "127.0.0.1", port: 0 }],
  ["http://0.0.0.0:9001", "s3cret", { host: "0.0.0.0", port: 9001 }],
])("listens at the port of %s", (url, token, expected) => {
  expect(listenOptions("editor", new URL(url), token)).toEqual(expected);
});

it.each([
  ["the end of stdin", [0, null]],
  ["SIGTERM", [0, null]],
  ["SIGKILL", [null, "SIGKILL"]],
] as const)("ends an agent that neither answers nor heeds signals, after %s", async (end, expected) => {
  const folder = await mkdtemp(join(tmpdir(), "editwire-mute-"));
  cleanups.push(() => rm(folder, { recursive: true }));
  const note = join(folder, "pid");
  const mute =
    "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e3); fs.writeFileSync(process.argv[1], `${process.pid}`)";
  const agent = [process.execPath, "-e", mute, note];
  const [program = "", ...args] = editwire("bridge", "--from", "acp", "--to", "acp", "--", ...agent);
  const bridge = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
  cleanups.push(() => bridge.kill("SIGKILL"));
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  bridge.stdin.write(`${JSON.stringify(initialize)}\n`);
  const pid = await vi.waitFor(() => Number(/^\d+$/.exec(readFileSync(note, "utf8"))?.[0]), 10_000);
  const exited = once(bridge, "exit");
  const endedAt = performance.now();
  if (end === "the end of stdin") bridge.stdin.end();
  else bridge.kill(end);
  expect(await exited).toEqual(expected);
  expect(performance.now() - endedAt).toBeLessThan(4_000); // then an editor kills the bridge
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 10_000);
});

it("shows its version", async () => {
  const { stdout, code } = await run("--version");
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(code).toBe(0);
});

describe("editwire bridge, with a mistake", () => {
  it.each([
    [["--from", "lsp", "--to", "acp"], "argument 'lsp' is invalid. Allowed choices are acp, eca, kaiak, helix-zed"],
    [["--to", "acp"], "required option '--from <protocol>' not specified"],
    [["--from", "acp", "--to", "acp", "codex-acp", "--yolo"], "The agent's command goes after --"],
    [["--from", "acp", "--to", "acp", "--agent", "stdio"], "expected the agent's command after --"],
    [["--from", "eca", "--to", "acp"], "expected the agent's command after --, or --agent with its name or endpoint"],
    [
      ["--from", "acp", "--to", "acp", "--agent", "ftp://x", "x"],
      'expected stdio, unix:PATH, http://HOST:PORT or ws://HOST:PORT, received "ftp://x"',
    ],
    [
      ["--from", "eca", "--editor", "ws://127.0.0.1:0", "--to", "acp", "x"],
      "--editor: eca expects stdio, or unix:PATH; received ws:",
    ],
    [
      ["--from", "helix-zed", "--to", "acp", "x"],
      "--editor: helix-zed expects ws://HOST:PORT of the host, which this side dials; received stdio, which is",
    ],
    [
      ["--from", "eca", "--editor", "unix:/no/such/folder/s", "--to", "acp", "x"],
      "cannot listen on /no/such/folder/s: the folder /no/such/folder does not exist",
    ],
    [["--from", "eca", "--cwd", "/p", "--to", "helix-zed", "x"], "--cwd works only with --from helix-zed"],
    [["--from", "eca", "--to", "acp", "--id", "ses_1", "x"], "--id works only if a side speaks helix-zed"],
    [
      ["--from", "acp", "--editor", "https://127.0.0.1:0", "--to", "acp", "x"],
      "--editor https://127.0.0.1:0/: a bridge listens without TLS: expected http:// or ws://",
    ],
    [
      ["--from", "acp", "--editor", "http://127.0.0.1:0/acp", "--to", "acp", "x"],
      "--editor http://127.0.0.1:0/acp: expected an address without a path, such as http://127.0.0.1:0",
    ],
    [
      ["--from", "acp", "--editor", "http://0.0.0.0:0", "--to", "acp", "x"],
      "--editor http://0.0.0.0:0/: other machines can reach 0.0.0.0: set EDITWIRE_EDITOR_TOKEN",
    ],
    [
      ["--from", "acp", "--to", "helix-zed", "--agent", "ws://0.0.0.0:0"],
      "--agent ws://0.0.0.0:0/: other machines can reach 0.0.0.0: set EDITWIRE_AGENT_TOKEN",
    ],
    [
      ["--from", "acp", "--to", "acp", "--agent", "ws://127.0.0.1:1", "x"],
      "expected --agent or a command, received both: x",
    ],
  ])("says what was expected: %s", async (args, expected) => {
    const { code, stderr } = await run("bridge", ...args);
    expect(stderr).toContain(expected);
    expect(code).toBe(expected.startsWith("cannot listen") ? 1 : 2);
  });
});
