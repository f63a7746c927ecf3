import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Script, type ScriptedModel, startScriptedModel } from "@editwire/conformance/model";
import type { EcaClient, EcaSession, ToolCallState } from "@editwire/eca";
import { spawnEca } from "@editwire/eca/node";
import { ecaProfiles } from "@editwire/eca-schema";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { serverCommand } from "./support/server-process.js";

/** Calls what the prompt's last line names as `NAME JSON`; completes and rewrites; or else repeats the prompt. */
const obey: Script = function* ({ prompt, rounds }) {
  if (prompt.includes("<|cursor|>"))
    return void (yield { say: prompt.replace(/[^]*const (\w+) = <\|cursor\|>[^]*/, "$1()") });
  if (prompt.startsWith("Shout")) return void (yield { say: "```ts\nNEW\n```" });
  const line = prompt.split("\n").at(-1) ?? "";
  const [, name = "", json = "{}"] = /^([\w-]+) (\{.*\})$/.exec(line) ?? [];
  if (name === "") return void (yield { say: `You said: ${line}` });
  yield { calls: [{ name, args: JSON.parse(json) as Record<string, unknown> }] };
  yield { say: `Result: ${rounds[0]?.[0]?.result ?? ""}` };
};

describe("what editors of 2026 ask beside chats", () => {
  let model: ScriptedModel;
  let server: EcaClient;
  let folder: string;
  let waiting = (_call: ToolCallState, _session: EcaSession): void => {};
  const problems = { status: "error", message: "no project" };

  beforeAll(async () => {
    model = await startScriptedModel({ script: obey });
    folder = await mkdtemp(join(tmpdir(), "eca-server-features-"));
    server = await spawnEca([...serverCommand, "--base-url", model.urls.openai, "--model", "m", "--profile", "v2026"], {
      profile: ecaProfiles.v2026,
      env: { ...process.env, OPENAI_API_KEY: "first" },
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "p" }],
      permission: async (call, { session }) => (waiting(call, session), "allow_once"),
      methods: { "editor/getDiagnostics": () => ({ diagnostics: [], ...problems }) },
      definition: ({ uri, position }) => [{ uri, range: { start: position, end: position } }],
      references: () => Promise.reject(new Error("a secret")),
    });
  });
  afterAll(async () => {
    await server.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  const textOf = ({ state }: EcaSession, role = "assistant"): string[] =>
    state.entries.flatMap((entry) => (entry.type === "message" && entry.role === role ? [entry.text.trim()] : []));
  const result = async (prompt: string): Promise<string> => {
    const session = server.newSession({ contexts: [] });
    await session.prompt(prompt).stopReason;
    return textOf(session).at(-1) ?? "";
  };
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        stop();
        resolve();
      };
      const stop = server.subscribe(look);
      look();
    });

  it("steers a running turn: the model reads the message at its next step, and a rollback takes it back", async () => {
    const session = server.newSession({ contexts: [] });
    waiting = (_call, asking) => void asking.steer("and hurry");
    await session.prompt('run_command {"argv":["node","-p","1+1"]}').stopReason;
    waiting = () => {};
    expect(textOf(session, "user")).toEqual(['run_command {"argv":["node","-p","1+1"]}', "and hurry"]);
    const said = model.requests.at(-1)?.conversation.messages.map(({ role, text }) => `${role}: ${text}`) ?? [];
    expect(said).toContain("user: and hurry");
    const steer = session.state.entries.find((entry) => entry.type === "message" && entry.text === "and hurry\n");
    await session.rollback((steer?.type === "message" && steer.contentId) || "");
    await session.prompt("next").stopReason;
    expect(JSON.stringify(model.requests.at(-1)?.conversation)).not.toContain("and hurry");
  });

  it("completes code at the cursor", async () => {
    const position = { line: 2, character: 14 };
    const docText = "// code\nconst total = \nconst other = 1;";
    expect(await server.completeInline({ docText, docVersion: 7, position: { line: 2, character: 15 } })).toEqual([
      { text: "total()", docVersion: 7, range: { start: { line: 2, character: 15 }, end: { line: 2, character: 15 } } },
    ]);
    expect(position.line).toBe(2);
  });

  it("rewrites a selection, without the fence around it", async () => {
    const range = { start: { line: 1, character: 1 }, end: { line: 1, character: 4 } };
    const rewrite = server.rewrite({ text: "new", prompt: "Shout", path: "/a.ts", range });
    const types = new Set<string>();
    for await (const { type } of rewrite) types.add(type);
    expect([...types]).toEqual(["started", "text", "replace", "finished"]);
    expect(await rewrite.text).toBe("NEW");
  });

  it("runs programs in the background, lists, shows and ends them", async () => {
    const script = "console.log('ready'); console.error('grün'); setInterval(() => {}, 1000)";
    expect(await result(`start_job ${JSON.stringify({ argv: ["node", "-e", script], summary: "a server" })}`)).toBe(
      "Result: Started as job-1.",
    );
    expect(await server.jobs.list()).toMatchObject([{ id: "job-1", status: "running", summary: "a server" }]);
    await until(() => server.state.jobs.length > 0);
    const lines = async (): Promise<string[]> =>
      (await server.jobs.readOutput("job-1")).lines.map(({ stream, text }) => `${stream}: ${text}`).sort();
    await vi.waitFor(async () => expect(await lines()).toEqual(["stderr: grün", "stdout: ready"]));
    expect(await result('read_job {"id":"job-1"}')).toMatch(/^Result: running\n(ready\ngrün|grün\nready)$/);
    expect(await server.jobs.kill("job-1")).toBe(true);
    expect(await server.jobs.kill("job-1")).toBe(false);
    await until(() => server.state.jobs[0]?.status === "killed");
    await expect(server.jobs.readOutput("none")).rejects.toMatchObject({ code: -32_602 });
  });

  it("signs out of the provider and in again", async () => {
    expect(await server.providers.list()).toMatchObject([
      { auth: { status: "authenticated", source: "env", envVar: "OPENAI_API_KEY" }, models: [{ id: "m" }] },
    ]);
    const [{ id: provider } = { id: "" }] = server.state.providers;
    await server.providers.logout(provider);
    await until(() => server.state.providers[0]?.auth.status === "unauthenticated");
    const session = server.newSession({ contexts: [] });
    await session.prompt("hi").stopReason;
    expect(textOf(session, "system").at(-1)).toMatch(/signed out/);
    expect(await server.providers.login({ provider })).toMatchObject({ action: "input", fields: [{ key: "api-key" }] });
    await expect(server.providers.loginInput({ provider, data: { "api-key": " " } })).rejects.toThrow(/expected a key/);
    expect(await server.providers.loginInput({ provider, data: { "api-key": "second" } })).toEqual({ action: "done" });
    expect(server.state.providers).toMatchObject([{ auth: { status: "authenticated", source: "login" } }]);
    expect(await result("hi")).toBe("You said: hi");
  });

  it("lets the model look for definitions and references, and says when the editor failed", async () => {
    const place = JSON.stringify({ uri: "file:///a.ts", line: 3, character: 5 });
    expect(await result(`editor_definition ${place}`)).toBe("Result: file:///a.ts:3:5");
    expect(await result(`editor_references ${place}`)).toMatch(/Error: The editor could not answer: .*Internal error/);
    const answer = await result("editor_diagnostics {}");
    expect(answer).toMatch(/Error: The editor could not answer: .*no project/);
    expect(answer).not.toContain("reports nothing");
  });
});
