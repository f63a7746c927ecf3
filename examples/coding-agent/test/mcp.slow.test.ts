import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { acpProfiles, dialAcp, type McpServer } from "@editwire/acp";
import { spawnAcp } from "@editwire/acp/node";
import { type Script, startScriptedModel } from "@editwire/conformance/model";
import { ecaProfiles } from "@editwire/eca";
import { dialEca } from "@editwire/eca/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { readLines } from "../../../scripts/testing/lines.js";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { tempFolder } from "./support/temp-folder.js";

const { main } = await bundle(import.meta.url, { main: "../src/main.ts", ...toolWorker });
const program = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
const everything: McpServer = {
  type: "stdio",
  name: "everything",
  command: process.execPath,
  args: [program, "stdio"],
  env: [],
};

/** Calls a tool of the server, and says what it returned. */
const script: Script = function* () {
  const used = yield { calls: [{ name: "everything__get-sum", args: { a: 2, b: 3 } }] };
  yield { say: `It returned: ${used[0]?.result}` };
};

async function modelEnv(): Promise<Record<string, string>> {
  const model = await startScriptedModel({ script });
  onTestFinished(() => model.close());
  return { OPENAI_BASE_URL: model.urls.openai, OPENAI_API_KEY: "sk-test", CODING_AGENT_MODEL: "scripted" };
}

/** The processes that a process has started. */
function childrenOf(pid: number): string {
  try {
    return execFileSync("ps", ["-o", "args=", "--ppid", String(pid)], { encoding: "utf8" });
  } catch {
    return ""; // ps finds none
  }
}

describe.each(["spec", "v1"] as const)("an editor of ACP in the dialect %s that names an MCP server", (name) => {
  it.each(["allow_once", "reject_once"] as const)("has its tool called, when the user says %s", async (answer) => {
    const titles: string[] = [];
    const client = await spawnAcp([process.execPath, main], {
      profile: acpProfiles[name],
      framing: name === "spec" ? "content-length" : "ndjson",
      env: await modelEnv(),
      permission: async ({ toolCall }) => {
        titles.push(toolCall.title ?? "");
        return answer;
      },
    });
    onTestFinished(() => client.close());
    const session = await client.newSession({ cwd: await tempFolder(), mcpServers: [everything] });
    await expect(session.prompt("What is 2 + 3?").stopReason).resolves.toBe("end_turn");
    const said = JSON.stringify(session.state.entries);
    expect(titles).toEqual(["Get Sum Tool (everything)"]);
    expect(said).toContain(answer === "allow_once" ? "It returned: The sum of 2 and 3 is 5" : "did not allow");
  });
});

it("keeps the server of a session for an editor of ECA, and ends it when nobody has the session open", async () => {
  const folder = await tempFolder();
  const socket = join(folder, "eca.sock");
  const args = [main, "serve", "--acp", "0", "--eca", socket, "--token", "s3cret"];
  const env = { ...process.env, ...(await modelEnv()) };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let url: string | undefined;
  for await (const line of readLines(child.stderr)) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? url;
    if (line.includes(socket)) break;
  }
  child.stderr.resume();
  const acp = await dialAcp(url ?? "", { token: "s3cret" });
  onTestFinished(() => acp.close());
  const { id: sessionId } = await acp.newSession({ cwd: folder, mcpServers: [everything] });

  const eca = await dialEca(socket, {
    profile: ecaProfiles.v2026,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "p" }],
    permission: async () => "allow_once",
  });
  const chat = await eca.loadSession({ sessionId });
  await chat?.prompt("What is 2 + 3?").stopReason;
  expect(JSON.stringify(chat?.state.entries)).toContain("The sum of 2 and 3 is 5");
  expect(childrenOf(child.pid ?? 0)).toContain("server-everything");
  await Promise.all([acp.close(), eca.close()]);
  await expect.poll(() => childrenOf(child.pid ?? 0), { timeout: 30_000 }).not.toContain("server-everything");
});
