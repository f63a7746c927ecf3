import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Script, startScriptedModel } from "@editwire/conformance/model";
import { spawnEca } from "@editwire/eca/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { editwire } from "./commands.js";

const opencode = process.env["OPENCODE_PATH"] ?? "opencode";
const isThere = spawnSync(opencode, ["--version"]).status === 0;
if (!isThere) process.stderr.write("skipping the test of opencode at the bridge: no opencode on the PATH\n");

/** Writes a file when it is asked to; to `wait`, it begins an answer that does not end. */
function* script({ prompt }: { readonly prompt: string }): ReturnType<Script> {
  const file = /write (\S+)/.exec(prompt)?.[1];
  if (file !== undefined) {
    yield { say: "Writing.", calls: [{ name: "write", args: { filePath: file, content: "one\n" } }] };
    yield { say: "Written." };
  } else if (prompt.includes("wait")) yield { say: "Begun.", holdMs: 600_000 };
  else yield { say: "Hello." };
}

/** An ECA editor at a bridge to opencode, which asks a scripted model. */
async function openEditor() {
  const home = await realpath(await mkdtemp(join(tmpdir(), "editwire-opencode-")));
  const model = await startScriptedModel({ script });
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: model.urls.openai, apiKey: "none" },
    models: { one: {}, two: {} },
  };
  const config = {
    provider: { scripted: provider },
    model: "scripted/one",
    small_model: "scripted/one",
    autoupdate: false,
    permission: { edit: "ask" },
  };
  await writeFile(join(home, "opencode.json"), JSON.stringify(config));
  const folders = { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  const pidFile = join(home, "pid");
  const agent = ["sh", "-c", `echo $$ > "${pidFile}"; exec "$0" acp`, opencode];
  const asked: string[] = [];
  const stderr: string[] = [];
  const client = await spawnEca(editwire("bridge", "--from", "eca", "--to", "acp", "--", ...agent), {
    env: { ...process.env, ...folders, HOME: home, OPENCODE_CONFIG: join(home, "opencode.json") },
    cwd: home,
    workspaceFolders: [{ name: "p", uri: pathToFileURL(home).href }],
    onStderr: (text) => stderr.push(text),
    permission: async ({ title }) => {
      asked.push(title);
      return "allow_once";
    },
  });
  onTestFinished(async () => {
    await client.close();
    await model.close();
    await rm(home, { recursive: true, force: true });
  });
  return { client, home, asked, stderr, pid: async () => Number(await readFile(pidFile, "utf8")) };
}

describe.skipIf(!isThere)("opencode at the bridge", () => {
  it("shows an editor of ECA its modes and models, and one entry for a call that begins and then asks", async () => {
    const { client, home, asked, stderr } = await openEditor();
    expect(client.agents.offered).toEqual(expect.arrayContaining(["build", "plan"]));
    expect(client.models.offered).toEqual(expect.arrayContaining(["scripted/one", "scripted/two"]));
    const session = client.newSession();
    await expect(session.prompt(`write ${join(home, "note.txt")}`).stopReason).resolves.toBe("end_turn");
    expect(await readFile(join(home, "note.txt"), "utf8")).toBe("one\n");
    expect(asked).toHaveLength(1);
    const calls = session.state.entries.filter(({ type }) => type === "tool_call");
    expect(calls).toMatchObject([{ toolCall: { status: "completed" } }]);
    expect(stderr.join("\n")).not.toContain('method: "session/load"'); // as opencode shows what it refuses
  });

  it("whose process is killed in mid-turn says so at once, and goes on with the next prompt", async () => {
    const { client, pid } = await openEditor();
    const session = client.newSession();
    const texts = (): string => JSON.stringify(session.state.entries);
    const turn = session.prompt("wait");
    await expect.poll(texts, { timeout: 20_000 }).toContain("Begun.");
    process.kill(await pid(), "SIGKILL");
    await turn.stopReason;
    expect(texts()).toContain("The agent behind the gateway has ended; the next prompt tries to start it again");
    await session.prompt("hello").stopReason;
    expect(texts()).toContain("Hello.");
  });
});
