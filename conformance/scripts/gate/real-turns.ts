import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { permissionPolicy } from "@editwire/acp";
import { spawnAcp } from "@editwire/acp/node";
import { bundle } from "../../../scripts/testing/bundle.js";
import type { Judgment } from "./judge.js";
import { GO_MODULE, type RealPrograms, run } from "./real.js";

/** Whole turns between one of our peers and one on the SDK of others. */
export interface RealTurns {
  readonly name: string;
  readonly skip: string | undefined;
  run(): Promise<Judgment>;
}

const TURN_MS = 60_000;
const fixture = (name: string): string => fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url));

/**
 * Their clients with our agent, and our client with their agents. The example agent of the Rust SDK has no sessions, so
 * it has no turns either.
 */
export async function realTurns(folder: string, programs: RealPrograms): Promise<RealTurns[]> {
  const fixtures = "../../../packages/acp/test/fixtures";
  const ours = await bundle(import.meta.url, { full: `${fixtures}/full-agent.ts`, asking: `${fixtures}/agent.ts` });
  const { python, go, rust } = programs;
  const goClient = join(folder, "go-client", "client");
  const goSkip = go.skip ?? buildGoClient(join(folder, "go-client"));
  return [
    {
      name: "a client on the Python SDK, with our agent",
      skip: python.skip,
      run: async () => fullTurns(folder, [...python.client, process.execPath, ours.full]),
    },
    {
      name: "a client on the Go SDK, with our agent",
      skip: goSkip,
      run: async () => fullTurns(folder, [goClient, process.execPath, ours.full]),
    },
    {
      name: "the Rust SDK's example client, with our agent",
      skip: rust.skip,
      run: async () => oneShot([...rust.client, "--command", `${process.execPath} ${ours.asking}`, "permission"]),
    },
    { name: "our client, with an agent on the Python SDK", skip: python.skip, run: () => ourTurns(python.agent) },
    { name: "our client, with the Go SDK's example agent", skip: go.skip, run: () => ourTurns(go.agent) },
  ];
}

function buildGoClient(folder: string): string | undefined {
  mkdirSync(folder);
  copyFileSync(fixture("go-sdk/client.go"), join(folder, "client.go"));
  writeFileSync(join(folder, "go.mod"), `module client\n\ngo 1.21\n\nrequire ${GO_MODULE.replace("@", " ")}\n`);
  return run("go", ["build", "-C", folder, "-o", "client", "."], { GOFLAGS: "-mod=mod" });
}

/** A client that prints the ends of two turns and the updates: of a whole turn, and of its replay. */
function fullTurns(folder: string, [command = "", ...args]: readonly string[]): Judgment {
  const cwd = join(realpathSync(folder), "project");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "a.txt"), "one\ntwo\nthree\n");
  const { stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: TURN_MS });
  const problem = stderr.trim().split("\n").at(-1) ?? "";
  if (!stdout.startsWith("{")) return { problems: [`printed no result: ${problem}`], sum: "" };
  const found = JSON.parse(stdout) as { ends: string[]; said: string; updates: string[]; loaded: string[] };
  const kinds = new Set(found.updates);
  const expected = {
    "the turn, and the one that is cancelled": found.ends.join() === "end_turn,cancelled",
    "the output of the terminal": found.said === "nobody: 42, 0",
    "the file": readFileSync(join(cwd, "a.txt"), "utf8") === "changed\n",
    "every kind of update": ["plan", "tool_call", "tool_call_update", "usage_update"].every((kind) => kinds.has(kind)),
    "the replay": found.loaded.join() === ["user_message_chunk", ...found.updates].join(),
  };
  const problems = Object.entries(expected).flatMap(([what, holds]) => (holds ? [] : [`${what}: ${stdout.trim()}`]));
  return { problems, sum: `2 turns, ${found.updates.length} updates, ${found.loaded.length} replayed` };
}

/** A client that prints updates, and allows what it is asked for. */
function oneShot([command = "", ...args]: readonly string[]): Judgment {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", timeout: TURN_MS });
  const holds = status === 0 && stdout.includes('"deleted"') && stdout.includes("Completed");
  return { problems: holds ? [] : [`exit code ${status}: ${stdout}${stderr}`], sum: "1 turn with a permission" };
}

/** Our client: a turn to its end, with all permissions given. */
async function ourTurns(command: readonly string[]): Promise<Judgment> {
  const agent = await spawnAcp([...command], { permission: permissionPolicy({ ask: async () => "allow_once" }) });
  try {
    const session = await agent.newSession({ cwd: process.cwd() });
    const events: string[] = [];
    for await (const event of session.prompt("Hello")) events.push(event.type);
    const stopReason = await session.prompt("Again").stopReason;
    const problems =
      events.includes("text") && stopReason === "end_turn" ? [] : [`${stopReason} after ${events.join()}`];
    return { problems, sum: `2 turns, ${events.length} events` };
  } finally {
    await agent.close();
  }
}
