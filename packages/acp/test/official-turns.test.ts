// Whole turns between this package and the official SDK, in processes of their own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { client, type ClientContext, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { formElicitation, permissionPolicy, urlElicitation } from "../src/index.js";
import { nodeFileSystem, nodeTerminals, spawnAcp, type AcpSpawnOptions } from "../src/node.js";
import { commands } from "./commands.js";
import type { Message } from "../../peer/test/raw-peer.js";

let cwd = "";
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "editwire-turns-")));
  writeFileSync(join(cwd, "a.txt"), "one\ntwo\nthree\n");
  return () => rmSync(cwd, { recursive: true });
});
const fileText = (): string => readFileSync(join(cwd, "a.txt"), "utf8");
const text = (said: string) => [{ type: "text" as const, text: said }];

/** A command that the agent started. */
interface Ran {
  readonly program?: ChildProcess;
  output: string;
  readonly exited: Promise<unknown[]>;
}

/** Our agent, with a client on the official SDK that offers everything; without an option, permissions stay open. */
async function serveOfficial(optionId?: string) {
  const [command = "", ...args] = commands.fullAgent;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit") as Promise<[number | null]>;
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: Message[] = [];
  const output = new PassThrough();
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output.write(chunk);
    const parts = (rest + String(chunk)).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((line) => JSON.parse(line) as Message));
  });
  const parsed: unknown[] = [];
  const services: string[] = [];
  let whenAsked = (): void => {};
  let ran: Ran = { output: "", exited: Promise.resolve([0, null]) };
  const app = client({ name: "official" })
    .onNotification(methods.client.session.update, ({ params }) => void parsed.push(params))
    .onRequest(methods.client.session.requestPermission, async () => {
      whenAsked();
      if (optionId === undefined) return new Promise(() => {});
      return { outcome: { outcome: "selected", optionId } };
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      services.push(`read ${params.line} ${params.limit}`);
      return { content: fileText().split(/(?<=\n)/)[(params.line ?? 1) - 1] ?? "" };
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => (writeFileSync(params.path, params.content), {}))
    .onRequest(methods.client.terminal.create, ({ params }) => {
      const program = spawn(params.command, params.args ?? [], { stdio: ["ignore", "pipe", "inherit"] });
      ran = { program, output: "", exited: once(program, "close") };
      program.stdout.on("data", (chunk: Buffer) => (ran.output += String(chunk)));
      return { terminalId: "t1" };
    })
    .onRequest(methods.client.terminal.waitForExit, async () => {
      const [exitCode, signal] = (await ran.exited) as [number | null, string | null];
      return { exitCode, signal };
    })
    .onRequest(methods.client.terminal.output, () => ({ output: ran.output, truncated: false }))
    .onRequest(methods.client.terminal.kill, () => (services.push("kill"), ran.program?.kill(), {}))
    .onRequest(methods.client.terminal.release, () => (services.push("release"), {}))
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      if (params.mode !== "url") return { action: "accept", content: { name: "Ada" } };
      services.push(`open ${String(params["url"])}`);
      return { action: "accept" };
    })
    .onNotification(methods.client.elicitation.complete, ({ params }) => {
      services.push(`done ${params.elicitationId}`);
    });
  const { agent } = app.connect(
    ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(output) as ReadableStream<Uint8Array>),
  );
  const info = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      elicitation: { form: {}, url: {} },
    },
  });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  const asked = new Promise<void>((resolve) => (whenAsked = resolve));
  return { agent, info, sessionId, lines, parsed, services, asked, child, exited };
}

const prompt = (agent: ClientContext, sessionId: string, said: string): Promise<{ stopReason: string }> =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: text(said) });

describe("our agent, the official SDK's client", () => {
  it("V03, V12, V13: uses files, a permission, a terminal and a form in one turn, and loads it again", async () => {
    const { agent, info, sessionId, parsed, services } = await serveOfficial("allow_once");
    expect(info).toMatchObject({ protocolVersion: 1, agentInfo: { name: "full", version: "1.0.0" } });
    expect(await prompt(agent, sessionId, "go")).toEqual({ stopReason: "end_turn" });
    expect([fileText(), services]).toEqual(["changed\n", ["read 2 1", "release"]]);
    const updates = (): Record<string, unknown>[] =>
      parsed.splice(0).map((params) => (params as { update: Record<string, unknown> }).update);
    const turn = updates();
    expect(turn.map(({ sessionUpdate, status }) => [sessionUpdate, status].join(" ").trim())).toEqual([
      "plan",
      "agent_thought_chunk",
      "tool_call in_progress",
      "tool_call_update completed",
      "tool_call in_progress",
      "tool_call_update completed",
      "tool_call in_progress",
      "tool_call_update in_progress",
      "tool_call_update completed",
      "usage_update",
      "plan",
      "agent_message_chunk",
    ]);
    expect(turn.at(-1)).toMatchObject({ content: { text: "Ada: 42, 0" } });
    expect(turn[5]).toMatchObject({ content: [{ type: "diff", oldText: "two\n", newText: "changed\n" }] });
    const plans = turn.filter(({ sessionUpdate }) => sessionUpdate === "plan");
    expect(plans.map(({ entries }) => (entries as object[]).length)).toEqual([1, 1]);
    await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    const messageId = expect.any(String) as string;
    expect(updates()).toEqual([{ sessionUpdate: "user_message_chunk", content: text("go")[0], messageId }, ...turn]);
  });

  it("V11, V25: sends nothing that the official SDK refuses, and no field that it strips", async () => {
    const { agent, sessionId, lines, parsed } = await serveOfficial("reject_once");
    await prompt(agent, sessionId, "go");
    expect(fileText()).toBe("one\ntwo\nthree\n");
    const sent = lines.filter(({ method }) => method === "session/update").map(({ params }) => params);
    expect(sent.length).toBeGreaterThan(10);
    expect(parsed).toEqual(sent);
    const isAbsolute = (path: unknown): boolean => typeof path === "string" && path.startsWith(cwd);
    const paths = JSON.stringify(lines).match(/(?<="path":")[^"]*/g) ?? [];
    expect(paths.map(isAbsolute)).not.toContain(false);
  });

  it("V09: is cancelled while a permission is asked for, and while it waits", async () => {
    const { agent, sessionId, asked } = await serveOfficial();
    const waiting = prompt(agent, sessionId, "wait");
    await agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await waiting).toEqual({ stopReason: "cancelled" });
    const asking = prompt(agent, sessionId, "wait, asked");
    await asked;
    await agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await asking).toEqual({ stopReason: "cancelled" });
  });

  it("kills a terminal and reads what it wrote", async () => {
    const { agent, sessionId, parsed, services } = await serveOfficial("allow_once");
    await prompt(agent, sessionId, "kill");
    await expect.poll(() => JSON.stringify(parsed)).toContain('"running, killed"');
    expect(services).toEqual(["kill", "release"]);
  });

  it("asks the user to open a page, and says when they are done", async () => {
    const { agent, sessionId, parsed, services } = await serveOfficial("allow_once");
    await prompt(agent, sessionId, "page");
    // The official SDK does not wait for the handlers of what came before an answer.
    await expect.poll(() => JSON.stringify(parsed)).toContain('"accept"');
    await expect.poll(() => services).toEqual(["open https://example.com/sign-in", "done page-1"]);
  });

  it("V30: exits within 5 seconds of the end of its input, in the middle of a turn", async () => {
    const { agent, sessionId, child, exited } = await serveOfficial();
    prompt(agent, sessionId, "wait").catch(() => {});
    await expect.poll(() => child.stdin.writableLength).toBe(0);
    child.stdin.end();
    const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
    expect(await exited).toEqual([0, null]);
    clearTimeout(late);
  });
});

describe("our client, the official SDK's agent", () => {
  async function connectOfficial(options: AcpSpawnOptions = {}) {
    const agent = await spawnAcp(commands.fullOfficialAgent, {
      fs: nodeFileSystem(),
      terminals: nodeTerminals(),
      elicitation: { form: formElicitation(async () => ({ name: "Ada" })) },
      permission: permissionPolicy({ kinds: { edit: "allow_once" } }),
      ...options,
    });
    onTestFinished(() => agent.close());
    return { agent, session: await agent.newSession({ cwd }) };
  }

  it("V41, V42: offers files, permissions, a terminal and a form in one turn, and loads it again", async () => {
    const out: Message[] = [];
    const { agent, session } = await connectOfficial({
      onWire: (direction, message) => void (direction === "out" && out.push(message as Message)),
    });
    const events: string[] = [];
    for await (const event of session.prompt("go")) events.push(event.type);
    expect(events).toEqual(["plan", "tool_call", "tool_call", "usage", "text", "stop"]);
    expect(fileText()).toBe("changed\n");
    const { entries, usage } = session.state;
    expect(entries.at(-1)).toMatchObject({ type: "message", text: "Ada: 42, 0" });
    expect(entries.find(({ type }) => type === "tool_call")).toMatchObject({
      toolCall: { content: [{ oldText: "two\n", newText: "changed\n" }] }, // line 2 of the file
    });
    expect(usage).toMatchObject({ used: 10, size: 100 });
    const shown = entries.map(({ type }) => type);
    const loaded = await agent.loadSession({ sessionId: session.id, cwd });
    expect(loaded).toBe(session);
    expect(session.state.entries.map(({ type }) => type)).toEqual(shown);
    expect(out.length).toBeGreaterThan(8);
    expect(out.filter((message) => message.jsonrpc !== "2.0" || message.error !== undefined)).toEqual([]);
  });

  it("has a terminal killed, whose output stays readable", async () => {
    const { session } = await connectOfficial();
    await session.prompt("kill").stopReason;
    expect(session.state.entries.at(-1)).toMatchObject({ type: "message", text: "running, killed" });
  });

  it("opens a page with the user's consent, and is called when they are done", async () => {
    const seen: string[] = [];
    const url = urlElicitation({
      consent: async ({ host }) => seen.push(`asked ${host}`) > 0,
      open: (href) => void seen.push(`opened ${href}`),
    });
    const completed = (id: string): void => void seen.push(`done ${id}`);
    const { session } = await connectOfficial({ elicitation: { url, completed } });
    await session.prompt("page").stopReason;
    expect(session.state.entries.at(-1)).toMatchObject({ text: "accept" });
    expect(seen).toEqual(["asked example.com", "opened https://example.com/sign-in", "done page-1"]);
  });

  it("cancels a turn whose permission is asked for: the official agent is answered cancelled", async () => {
    let whenAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (whenAsked = resolve));
    const { session } = await connectOfficial({
      permission: () => {
        whenAsked();
        return new Promise(() => {});
      },
    });
    const turn = session.prompt("wait");
    const said: string[] = [];
    const reading = (async () => {
      for await (const event of turn) if (event.type === "text") said.push(event.text);
    })();
    await asked;
    await turn.cancel();
    await reading;
    expect([await turn.stopReason, said]).toEqual(["cancelled", ["cancelled"]]);
  });
});
