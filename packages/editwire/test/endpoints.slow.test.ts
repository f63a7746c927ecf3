import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type AcpClient, connectAcp } from "@editwire/acp";
import { dialAcp, spawnAcp } from "@editwire/acp/node";
import { type EcaClient } from "@editwire/eca";
import { dialEca, spawnEca } from "@editwire/eca/node";
import { ndjson } from "@editwire/framing";
import { listenHelixZed } from "@editwire/helix-zed/node";
import type { KaiakClient } from "@editwire/kaiak";
import { dialKaiak, spawnKaiak } from "@editwire/kaiak/node";
import { connectSocket } from "@editwire/transport/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readLines } from "../../../scripts/testing/lines.js";
import { agents, editwire } from "./commands.js";

const protocolOf = (name: string): string => name.split(" ")[0] ?? "";
let folder = "";
let sockets = 0;
const socket = (): string => join(folder, `${++sockets}.sock`);
const shared: ChildProcess[] = [];
const cleanups: (() => unknown)[] = [];
const own: ChildProcess[] = [];

/** Starts a program, and resolves with the addresses that it prints, as soon as there are `count`. */
async function started(command: readonly string[], children: ChildProcess[], count: number): Promise<string[]> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  children.push(child);
  const found: string[] = [];
  for await (const line of readLines(child.stderr)) {
    found.push(...(/connects to (\S+)$/.exec(line)?.slice(1) ?? []));
    if (found.length === count) break;
  }
  child.stderr.resume();
  return found;
}

async function stop(children: ChildProcess[]): Promise<void> {
  for (const child of children.splice(0)) {
    const exited = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGTERM")) await exited;
  }
}

/** The arguments after `--to`, by the protocol of the agent and where it is. */
const agentSides: Record<string, readonly string[]> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "editwire-endpoints-"));
  const served = async (protocol: "acp" | "eca" | "kaiak", endpoint: string): Promise<string> => {
    const args = ["bridge", "--from", protocol, "--editor", endpoint, "--to", protocol, "--", ...agents[protocol]];
    return (await started(editwire(...args), shared, 1))[0] ?? "";
  };
  const url = await served("acp", "http://127.0.0.1:0");
  for (const protocol of ["acp", "eca", "kaiak"] as const) {
    agentSides[`${protocol} stdio`] = [protocol, "--", ...agents[protocol]];
    agentSides[`${protocol} unix`] = [protocol, "--agent", `unix:${await served(protocol, `unix:${socket()}`)}`];
  }
  agentSides["acp http"] = ["acp", "--agent", url];
  agentSides["acp ws"] = ["acp", "--agent", url.replace(/^http/, "ws")];
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await stop(own);
});
afterAll(async () => {
  await stop(shared);
  await rm(folder, { recursive: true });
});

/** A bridge to an agent, in front of which the editor listens or is started. */
interface Front {
  /** The command line of the bridge. */
  readonly command: (...editor: readonly string[]) => string[];
  /** Starts it, and resolves with the address that editors connect to. Without one, with that of the agent. */
  readonly start: (...editor: readonly string[]) => Promise<string>;
}

async function acpText(client: AcpClient, text: string): Promise<string> {
  cleanups.push(() => client.close());
  const session = await client.newSession({ cwd: folder });
  await session.prompt(text).stopReason;
  return JSON.stringify(session.state.entries);
}

async function ecaText(client: EcaClient, text: string): Promise<string> {
  cleanups.push(() => client.close());
  const session = client.newSession();
  await session.prompt(text).stopReason;
  return JSON.stringify(session.state.entries);
}

async function kaiakText(client: KaiakClient, message: string): Promise<string> {
  cleanups.push(() => client.close());
  await client.configure({ workspace: { working_dir: folder } });
  const turn = client.newSession().prompt([{ id: "1", rule_id: "r", message }]);
  let all = "";
  for await (const event of turn) if (event.type === "text") all += event.text;
  return all;
}

const workspaceFolders = () => [{ name: "p", uri: pathToFileURL(folder).href }];

/** Prompts through an editor and returns the text that it shows, by its protocol and where it connects. */
const editors: Readonly<Record<string, (front: Front, text: string) => Promise<string>>> = {
  "acp stdio": async ({ command }, text) => acpText(await spawnAcp(command()), text),
  "acp http": async ({ start }, text) => acpText(await dialAcp(await start("--editor", "http://127.0.0.1:0")), text),
  "acp ws": async ({ start }, text) => acpText(await dialAcp(await start("--editor", "ws://127.0.0.1:0")), text),
  async "acp unix"({ start }, text) {
    const path = await start("--editor", `unix:${socket()}`);
    return acpText(await connectAcp(await connectSocket({ path }, ndjson())), text);
  },
  "eca stdio": async ({ command }, text) =>
    ecaText(await spawnEca(command(), { workspaceFolders: workspaceFolders() }), text),
  async "eca unix"({ start }, text) {
    const path = await start("--editor", `unix:${socket()}`);
    return ecaText(await dialEca(path, { workspaceFolders: workspaceFolders() }), text);
  },
  "kaiak stdio": async ({ command }, text) => kaiakText(await spawnKaiak(command()), text),
  "kaiak unix": async ({ start }, text) =>
    kaiakText(await dialKaiak(await start("--editor", `unix:${socket()}`)), text),
  async "helix-zed ws"({ command }, text) {
    const host = await listenHelixZed();
    cleanups.push(() => host.close());
    const [program = "", ...args] = command("--editor", host.url, "--id", "ses_1", "--cwd", folder);
    own.push(spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] }));
    const session = await host.session("s", { agent: "ses_1" });
    await session.prompt(text).stopReason;
    return JSON.stringify(session.state.entries);
  },
};

const agentNames = [
  "acp stdio",
  "acp http",
  "acp ws",
  "acp unix",
  "eca stdio",
  "eca unix",
  "kaiak stdio",
  "kaiak unix",
];

describe.each(Object.keys(editors))("editwire bridge, from %s", (editor) => {
  it.each(agentNames)("to %s", async (agent) => {
    const command: Front["command"] = (...of) =>
      editwire("bridge", "--from", protocolOf(editor), ...of, "--to", ...(agentSides[agent] ?? []));
    const start: Front["start"] = async (...of) => (await started(command(...of), own, 1))[0] ?? "";
    // Servers of Kaiak fix incidents: what other editors prompt must have them.
    const isRun = protocolOf(agent) === "kaiak" && protocolOf(editor) !== "kaiak";
    const text = isRun ? JSON.stringify([{ id: "1", rule_id: "r", message: "say" }]) : "say";
    expect(await editors[editor]?.({ command, start }, text)).toContain("Looking around.");
  });
});
