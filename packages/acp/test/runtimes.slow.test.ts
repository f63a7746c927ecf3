import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { firstLine } from "../../../scripts/testing/lines.js";
import { bundle } from "../../../scripts/testing/bundle.js";
import { findRuntimes } from "../../../scripts/testing/runtimes.js";

const { agent, client } = await bundle(
  import.meta.url,
  { agent: "fixtures/runtime-agent.ts", client: "fixtures/runtime-client.ts" },
  { external: ["ws"] }, // Bun has its own
);
const node = [process.execPath];

/** Runs the client in a folder with a note, against an agent at this address. */
async function turnsWith(runtime: readonly string[], ...address: readonly string[]): Promise<unknown> {
  const cwd = await mkdtemp(join(tmpdir(), "runtimes-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, "note.txt"), "a note");
  const [command = "", ...args] = [...runtime, client, cwd, ...address];
  const { stdout } = await promisify(execFile)(command, args, { timeout: 60_000 });
  return JSON.parse(stdout);
}

/** Starts the agent as a server, and gives its URL. */
async function listening([command = "", ...args]: readonly string[]): Promise<string> {
  const server = spawn(command, [...args, agent, "listen"], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(server, "exit");
  onTestFinished(async () => {
    server.kill();
    await exited;
  });
  return firstLine(server.stdout);
}

const turns = { words: 500, output: { note: "a note", exitCode: 0 }, stopReason: "cancelled" };

describe.each(Object.entries(findRuntimes("the tests in Bun and Deno")))("%s", (_name, command) => {
  describe.skipIf(command === undefined).each([
    { side: "client", clientIn: command ?? [], agentIn: node },
    { side: "agent", clientIn: node, agentIn: command ?? [] },
  ])("as the $side", ({ clientIn, agentIn }) => {
    it("has turns on stdio, with files, commands and permissions", async () => {
      expect(await turnsWith(clientIn, ...agentIn, agent)).toEqual(turns);
    });

    it("has the same turns over Streamable HTTP and over a WebSocket", async () => {
      const url = await listening(agentIn);
      expect(await turnsWith(clientIn, url)).toEqual(turns);
      expect(await turnsWith(clientIn, url.replace("http:", "ws:"))).toEqual(turns);
    });
  });
});
