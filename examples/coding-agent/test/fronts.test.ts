import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AcpClient } from "@editwire/acp";
import { dialAcp } from "@editwire/acp/node";
import { ecaProfiles, type EcaClient } from "@editwire/eca";
import { dialEca } from "@editwire/eca/node";
import { spawnEca } from "@editwire/eca/node";
import { helixZedProfiles } from "@editwire/helix-zed";
import { listenHelixZed } from "@editwire/helix-zed/node";
import { dialKaiak, spawnKaiak } from "@editwire/kaiak/node";
import { expect, it, onTestFinished } from "vitest";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { sampleCopy } from "./support/temp-folder.js";

const { main } = await bundle(import.meta.url, { main: "../src/main.ts", ...toolWorker });
const FIXED = "return a.from < b.to && b.from < a.to;";
const env = { ...process.env, OPENAI_BASE_URL: "", OPENAI_API_KEY: "", CODING_AGENT_MODEL: "" };
const TASK = "Fix the failing test.";
const incident = { id: "1", rule_id: "r", message: TASK };

/** The agent as a process of its own, and what it wrote to stderr. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  return {
    child,
    async prints(wanted: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = wanted.exec(log);
        if (found !== null) return found;
        await once(child.stderr, "data");
      }
    },
  };
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "fronts-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

const stayOf = (cwd: string): Promise<string> => readFile(join(cwd, "src/stay.js"), "utf8");
const workspaceOf = (cwd: string) => [{ uri: pathToFileURL(cwd).href, name: "p" }];

it.each(["Streamable HTTP", "a WebSocket"])("is served over ACP on %s", async (transport) => {
  const { prints } = start("acp", "serve", "--over", "streamable", "--port", "0", "--token", "t0ken");
  const [, url = ""] = await prints(/serving ACP at (\S+)/);
  const options = { token: "t0ken", permission: async () => "allow_once" as const };
  const client: AcpClient = await dialAcp(transport === "a WebSocket" ? url.replace(/^http/, "ws") : url, options);
  const cwd = await sampleCopy();
  expect(await (await client.newSession({ cwd })).prompt(TASK).stopReason).toBe("end_turn");
  expect(await stayOf(cwd)).toContain(FIXED);
  await client.close();
});

it("is served over ECA on stdin and stdout, with its modes as behaviors", async () => {
  const cwd = await sampleCopy();
  const asked: string[] = [];
  let stderr = "";
  const server = await spawnEca([process.execPath, main, "eca", "server", "--log-level", "debug"], {
    env,
    onStderr: (text) => void (stderr += text),
    workspaceFolders: workspaceOf(cwd),
    permission: async ({ title = "" }) => (asked.push(title), "allow_once"),
  });
  onTestFinished(() => server.close());
  expect(server.state.config).toMatchObject({ selectBehavior: "full" });
  const chat = server.newSession({ contexts: [] });
  expect(await chat.queryContext("SRC stay")).toEqual([{ type: "file", path: join(cwd, "src/stay.js") }]);
  expect(await chat.prompt(TASK).stopReason).toBe("end_turn");
  expect(asked).toEqual(["Run node --test", "Edit src/stay.js", "Run node --test"]);
  expect(server.state.config).toMatchObject({ selectModel: "scripted" });
  expect(await stayOf(cwd)).toContain(FIXED);
  await server.close();
  expect(stderr).toBe("");
});

it.each(["stdin and stdout", "a Unix socket"])("is served over Kaiak on %s", async (transport) => {
  const cwd = await sampleCopy();
  const socket = join(await folder(), "k.sock");
  if (transport !== "stdin and stdout") await start("kaiak", "--socket", socket).prints(/serving Kaiak/);
  let stderr = "";
  const client = await (transport === "stdin and stdout"
    ? spawnKaiak([process.execPath, main, "kaiak"], { env, onStderr: (text) => void (stderr += text) })
    : dialKaiak(socket));
  onTestFinished(() => client.close());
  const permissions = { tool_permissions: { shell_command: "approve" as const } }; // denied by default
  await client.configure({ workspace: { working_dir: cwd }, permissions });
  const turn = client.newSession().prompt([incident]);
  const asked: string[] = [];
  for await (const event of turn) {
    if (event.type !== "question") continue;
    asked.push(event.question.type);
    await event.respond("approve");
  }
  expect((await turn.result).status).toBe("completed");
  expect(asked).toEqual(["tool_permission", "file_approval", "tool_permission"]);
  expect(await stayOf(cwd)).toContain(FIXED);
  await client.close();
  expect(stderr).toBe("");
});

it("dials a host of Helix-Zed, and does what it is asked to", async () => {
  const cwd = await sampleCopy();
  const host = await listenHelixZed({ token: "t0ken", profile: helixZedProfiles.v2026 });
  onTestFinished(() => host.close());
  start(...["helix-zed", "--url", host.url, "--token", "t0ken", "--profile", "v2026", "--cwd", cwd, "--yes"]);
  const session = await host.session("ses_1");
  expect(await session.prompt(TASK).stopReason).toBe("end_turn");
  expect(await stayOf(cwd)).toContain(FIXED);
});

it("is one agent over several protocols: an editor of ECA answers for the user of a Helix-Zed host", async () => {
  const [cwd, sockets] = [await sampleCopy(), await folder()];
  const host = await listenHelixZed({ token: "t0ken", profile: helixZedProfiles.v2026 });
  onTestFinished(() => host.close());
  const socket = join(sockets, "e.sock");
  const fronts = ["--acp", "0", "--eca", socket, "--kaiak", join(sockets, "k.sock"), "--helix-zed", host.url];
  const { prints } = start("serve", ...fronts, "--cwd", cwd, "--token", "t0ken", "--store", join(sockets, "store"));
  const [, url = ""] = await prints(/serving ACP at (\S+)/);
  await prints(/serving Kaiak/);
  const acp = await dialAcp(url.replace(/^http/, "ws"), { token: "t0ken" });
  onTestFinished(() => acp.close());

  const session = await host.session("ses_1");
  const turn = session.prompt(TASK);
  let editor: EcaClient | undefined;
  for await (const event of turn) {
    const { threadId } = session.state;
    if (event.type === "stop" || threadId === undefined || editor !== undefined) continue;
    editor = await dialEca(socket, {
      profile: ecaProfiles.v2026,
      workspaceFolders: workspaceOf(cwd),
      permission: async () => "allow_once",
    });
    await editor.loadSession({ sessionId: threadId });
  }
  expect(await stayOf(cwd)).toContain(FIXED);
  const { sessions } = await acp.listSessions();
  expect(sessions).toMatchObject([{ sessionId: session.state.threadId, cwd }]);
  await editor?.close();
});

it("says in one line that its host cannot be reached", async () => {
  const { prints } = start("helix-zed", "--url", "http://127.0.0.1:1", "--yes");
  const [log = ""] = await prints(/^[^]*trying again in \d+ ms\n/);
  expect(log.trim().split("\n")).toEqual([
    expect.stringMatching(/^coding-agent: cannot connect to .*; trying again in \d+ ms$/),
  ]);
});
