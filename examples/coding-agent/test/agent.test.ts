import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { AcpClient, AcpSession, AcpTurn, AcpPermissionHandler, AcpTurnEvent } from "@editwire/acp";
import { spawnAcp, type AcpSpawnOptions } from "@editwire/acp/node";
import { type AcpParams, acpProfiles } from "@editwire/acp-schema";
import { startScriptedModel } from "@editwire/conformance/model";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { lifeline } from "./support/lifeline.js";
import { sampleCopy, tempFolder } from "./support/temp-folder.js";

const folder = fileURLToPath(new URL("..", import.meta.url));
const { main } = await bundle(import.meta.url, { main: "../src/main.ts", ...toolWorker });
const command = [process.execPath, main];
const FIXED = "return a.from < b.to && b.from < a.to;";

/** The agent as a process of its own, spoken to strictly: what the protocol does not allow is an error. */
function start(args: readonly string[], { env, ...options }: AcpSpawnOptions = {}): Promise<AcpClient> {
  return spawnAcp([...command, ...args], {
    cwd: folder,
    env: { ...unset, ...env },
    strict: true,
    permission: allowAll,
    ...options,
  });
}

const unset = { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: undefined, CODING_AGENT_MODEL: undefined };
const allowAll: AcpPermissionHandler = async () => "allow_once";

async function eventsOf(turn: AcpTurn): Promise<AcpTurnEvent[]> {
  const events: AcpTurnEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

const textOf = (events: readonly AcpTurnEvent[]) =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");
const stayOf = (cwd: string) => readFile(join(cwd, "src/stay.js"), "utf8");

/** Prompts, and cancels as soon as there is text. */
async function cancelled(session: AcpSession): Promise<AcpTurnEvent[]> {
  const events: AcpTurnEvent[] = [];
  const turn = session.prompt("Fix the failing test.");
  for await (const event of turn) {
    if (event.type === "text" && !events.some(({ type }) => type === "text")) void turn.cancel();
    events.push(event);
  }
  return events;
}

describe.each([
  ["spec", "content-length", acpProfiles.spec],
  ["v1", "ndjson", acpProfiles.v1],
] as const)("the agent in the dialect %s, framed as %s", (name, framing, profile) => {
  it("fixes the sample project, and exits with its connection", async () => {
    const cwd = await sampleCopy();
    const asked: AcpParams<"session/request_permission">[] = [];
    let log = "";
    const permission: AcpPermissionHandler = async (request) => {
      asked.push(request);
      return "allow_once";
    };
    const agent = await start(["acp", "--profile", name], {
      profile,
      framing,
      permission,
      onStderr: (text) => (log += text),
    });
    const events = await eventsOf((await agent.newSession({ cwd })).prompt("Fix the failing test."));

    expect(events.at(-1)).toEqual({ type: "stop", stopReason: "end_turn" });
    expect(events.filter(({ type }) => type === "text").length).toBeGreaterThan(20);
    expect(textOf(events)).toMatch(/All 11 tests pass now/);
    expect(events.some(({ type }) => type === "thought")).toBe(true);
    expect(events.findLast(({ type }) => type === "plan")).toMatchObject({
      entries: [{}, {}, {}, { status: "completed" }],
    });

    const path = join(cwd, "src/stay.js");
    expect(asked.map(({ toolCall }) => toolCall.title)).toEqual([
      "Run node --test",
      "Edit src/stay.js",
      "Run node --test",
    ]);
    expect(asked[1]?.toolCall.content).toMatchObject([{ type: "diff", path, newText: expect.stringContaining(FIXED) }]);
    const edits = events.flatMap((event) =>
      event.type === "tool_call" && event.toolCall.kind === "edit" ? [event.toolCall] : [],
    );
    expect(edits.at(-1)).toMatchObject({
      status: "completed",
      locations: [{ path }],
      content: [
        { type: "diff", oldText: expect.stringContaining("<=") },
        { type: "content", content: { type: "text", text: "Edited src/stay.js at line 19." } },
      ],
    });

    expect(await stayOf(cwd)).toContain(FIXED);
    await promisify(execFile)(process.execPath, ["--test"], {
      cwd,
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });

    await agent.close();
    expect(log).toBe(""); // some editors show each line as an error
  });
});

describe("one agent", () => {
  const permissions = new Map<string, AcpPermissionHandler>();
  let agent: AcpClient;

  beforeAll(async () => {
    agent = await start(["--chunk-delay", "1"], {
      permission: async (request, context) => (permissions.get(request.sessionId) ?? allowAll)(request, context),
    });
  });
  afterAll(() => agent.close());

  /** A session in the mode that asks about edits and runs nothing, which is quick. */
  async function safeSession(cwd: string): Promise<AcpSession> {
    const session = await agent.newSession({ cwd });
    await session.setMode("safe");
    return session;
  }

  it("leaves a file alone when the user rejects the edit", async () => {
    const cwd = await sampleCopy();
    const before = await stayOf(cwd);
    const session = await safeSession(cwd);
    permissions.set(session.id, async () => "reject_once");
    const events = await eventsOf(session.prompt("Fix the failing test."));
    expect(textOf(events)).toMatch(/You rejected the edit, so `src\/stay\.js` stays as it is/);
    expect(events.at(-1)).toMatchObject({ stopReason: "end_turn" });
    expect(await stayOf(cwd)).toBe(before);
  });

  it("ends a turn as cancelled in the middle of its answer, and goes on with the next", async () => {
    const session = await agent.newSession({ cwd: await sampleCopy() });
    const events = await cancelled(session);
    expect(events.at(-1)).toEqual({ type: "stop", stopReason: "cancelled" });
    expect(textOf(events)).not.toContain("tests pass now");
    await expect(session.prompt("Hello").stopReason).resolves.toBe("end_turn");
  });

  it("ends a turn as cancelled while the user is asked", async () => {
    const cwd = await sampleCopy();
    const before = await stayOf(cwd);
    const session = await safeSession(cwd);
    permissions.set(session.id, async () => {
      void session.cancel();
      return new Promise(() => {});
    });
    await expect(session.prompt("Fix the failing test.").stopReason).resolves.toBe("cancelled");
    expect(await stayOf(cwd)).toBe(before);
  });

  it("neither writes nor runs in the read-only mode, and does in the full one", async () => {
    const cwd = await sampleCopy();
    const before = await stayOf(cwd);
    const session = await agent.newSession({ cwd });
    const asked: string[] = [];
    permissions.set(session.id, async ({ toolCall }) => (asked.push(toolCall.toolCallId), "allow_once"));
    await session.setMode("read-only");
    const events = await eventsOf(session.prompt("Fix the failing test."));
    expect(textOf(events)).toContain(`+ ${FIXED}`);
    expect(await stayOf(cwd)).toBe(before);
    expect(asked).toEqual([]);

    await session.setMode("full");
    await session.prompt("Fix the failing test.").stopReason;
    expect(await stayOf(cwd)).toContain(FIXED);
    expect(asked.length).toBe(3);
  });

  it("keeps the conversation of a session that is loaded again", async () => {
    const cwd = await sampleCopy();
    const first = await safeSession(cwd);
    await first.prompt("Fix the failing test.").stopReason;
    const again = await agent.loadSession({ sessionId: first.id, cwd });
    expect(new Set(again.history.map(({ type }) => type))).toEqual(
      new Set([...["user", "thought", "text", "plan", "tool_call", "usage"]]),
    );
    expect(textOf(await eventsOf(again.prompt("What did you change?")))).toContain(`+ ${FIXED}`);
  });

  it("runs two sessions side by side", async () => {
    const folders = [await sampleCopy(), await sampleCopy()];
    const sessions = await Promise.all(folders.map(safeSession));
    // Each is asked only once the other is, too: neither waits for the other's turn to end.
    const both = sessions.map(
      ({ id }) =>
        new Promise<void>((resolve) =>
          permissions.set(id, () => (resolve(), Promise.all(both).then(() => "allow_once" as const))),
        ),
    );
    expect(await Promise.all(sessions.map((session) => session.prompt("Fix the failing test.").stopReason))).toEqual([
      "end_turn",
      "end_turn",
    ]);
    for (const cwd of folders) expect(await stayOf(cwd)).toContain(FIXED);
  });

  it("refuses a folder that is not there", async () => {
    const cwd = join(await tempFolder(), "none");
    await expect(agent.newSession({ cwd })).rejects.toMatchObject({
      code: -32602,
      message: `The folder ${cwd} does not exist`,
    });
  });
});

it("uses the endpoint, the model and the key that it is given, and gives the key to nobody", async () => {
  const server = await startScriptedModel({
    *script() {
      yield { fail: { status: 401, message: "Incorrect API key provided: sk-very-secret" } };
    },
  });
  onTestFinished(() => server.close());
  let log = "";
  const env = { OPENAI_BASE_URL: server.urls.openai, OPENAI_API_KEY: "sk-very-secret" };
  const agent = await start(["--model", "large-one"], { env, onStderr: (text) => (log += text) });
  const session = await agent.newSession({ cwd: await tempFolder() });
  const message = `The model endpoint ${server.urls.openai} refused the API key (401). Check OPENAI_API_KEY.`;
  await expect(session.prompt("Hello").stopReason).rejects.toMatchObject({ code: -32603, message });
  await agent.close();
  expect(server.requests.map(({ conversation, key }) => [conversation.model, key])).toEqual([
    ["large-one", "sk-very-secret"],
  ]);
  expect(log).not.toContain("sk-very-secret");
});

it("ends a running program when its client goes away", async () => {
  const { code, started, ended } = await lifeline();
  const argv = [process.execPath, "-e", `${code} setInterval(() => {}, 1e6)`];
  const server = await startScriptedModel({
    *script() {
      yield { calls: [{ name: "run_command", args: { argv } }] };
    },
  });
  onTestFinished(() => server.close());
  const agent = await start(["--base-url", server.urls.openai, "--model", "any"]);
  const { stopReason } = (await agent.newSession({ cwd: await tempFolder() })).prompt("Go");
  await started;
  await agent.close();
  expect(await stopReason).toBe("cancelled");
  await ended;
});

it("says on stderr why it does not start, and exits", async () => {
  const [node = "", ...args] = [...command, "--base-url", "http://127.0.0.1:1/v1"];
  const failure: unknown = await promisify(execFile)(node, args, {
    cwd: folder,
    env: { ...process.env, ...unset },
  }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "coding-agent: Name the model, with --model or CODING_AGENT_MODEL\n",
  });
});
