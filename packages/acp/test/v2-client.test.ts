import { expect, it, onTestFinished } from "vitest";
import type { AcpPermissionQuestion, AcpUpdateEvent } from "../src/index.js";
import { type AcpSpawnOptions, type SpawnedAcpClient, spawnAcp } from "../src/node.js";
import { commands } from "./commands.js";

async function start(options: AcpSpawnOptions = {}, args: string[] = []): Promise<SpawnedAcpClient> {
  const agent = await spawnAcp([...commands.officialV2Agent, ...args], { versions: [2, 1], ...options });
  onTestFinished(() => agent.close());
  return agent;
}

it("runs a turn with a tool and a permission on version 2", async () => {
  const asked: AcpPermissionQuestion[] = [];
  const agent = await start({
    permission: async (question) => {
      asked.push(question);
      return "allow_once";
    },
  });
  expect(agent).toMatchObject({ protocolVersion: 2, profile: { name: "v2" } });
  expect(agent.info).toMatchObject({ agentInfo: { name: "official" }, agentCapabilities: { loadSession: true } });
  const session = await agent.newSession({ cwd: "/tmp" });
  const turn = session.prompt("use a tool");
  expect(await turn.readText()).toBe("Hello, use a tool");
  expect(await turn.stopReason).toBe("end_turn");
  expect(asked).toMatchObject([
    {
      title: "Run ls now?",
      description: "in /tmp",
      subject: { type: "command", command: "ls" },
      toolCall: { toolCallId: "t1", title: "Run ls", kind: "execute" },
    },
  ]);
  expect(session.state).toMatchObject({
    running: false,
    commands: [{ name: "plan" }],
    usage: { used: 10, size: 1000 },
    entries: [
      { role: "user", text: "use a tool" },
      { role: "assistant", text: "Hello, use a tool" },
      { toolCall: { title: "Run ls", status: "completed" } },
    ],
  });
  expect(session.state.entries[2]).toMatchObject({
    toolCall: {
      content: [
        { type: "content", content: { text: "y" } },
        { type: "diff", path: "/a/new.txt", oldText: null, newText: "one\ntwo\n" },
        { type: "diff", path: "/a/old.txt", oldText: "same\nbefore\n", newText: "same\nafter\n" },
        { type: "content", content: { text: "delete /a/gone.bin" } },
      ],
    },
  });
});

it("cancels a turn, also while it asks for a permission", async () => {
  let cancelTurn = async (): Promise<void> => {};
  const agent = await start({ permission: async () => void cancelTurn() });
  const session = await agent.newSession({ cwd: "/tmp" });
  for (const prompt of ["wait", "use a tool"]) {
    const turn = session.prompt(prompt);
    cancelTurn = () => turn.cancel();
    for await (const event of turn) if (event.type === "text" && event.text === "wait") await turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
  }
  expect(await session.prompt("again").readText()).toBe("Hello, again");
});

it("rejects a turn with the error of its work, and goes on", async () => {
  const session = await (await start()).newSession({ cwd: "/tmp" });
  await expect(session.prompt("fail").stopReason).rejects.toMatchObject({
    name: "RemoteError",
    code: -32603,
    message: "the model is down",
  });
  expect(await session.prompt("again").stopReason).toBe("end_turn");
});

it("gives work of the agent's own to onUpdate, which ends no turn", async () => {
  const late: AcpUpdateEvent[] = [];
  let passed = (): void => {};
  const done = new Promise<void>((resolve) => (passed = resolve));
  const agent = await start({
    onUpdate: (event) => {
      late.push(event);
      if (event.type === "text") passed();
    },
  });
  const session = await agent.newSession({ cwd: "/tmp" });
  expect(await session.prompt("background").readText()).toBe("Hello, background");
  expect(session.state.activity).toMatchObject({ state: "idle", background: [{ toolCallId: "b1" }] });
  await done;
  expect(session.state.activity).toEqual({ state: "running", background: [] });
  expect(late.filter(({ type }) => type === "text")).toMatchObject([{ text: "tests passed" }]);
  expect(await session.prompt("again").readText()).toBe("Hello, again");
});

it("lists, loads, resumes, closes and deletes sessions, and changes the mode by its setting", async () => {
  const agent = await start();
  const session = await agent.newSession({ cwd: "/tmp" });
  await session.prompt("hi").stopReason;
  expect(session.modes).toMatchObject({ currentModeId: "code", availableModes: [{ id: "code" }, { id: "ask" }] });
  await session.setMode("ask");
  expect(session.modes?.currentModeId).toBe("ask");
  expect(await agent.listSessions()).toEqual({ sessions: [{ sessionId: session.id, cwd: "/tmp" }] });
  const { id: sessionId } = session;
  const before = session.state.entries.map(({ type }) => type);
  expect(await agent.loadSession({ sessionId, cwd: "/tmp" })).toBe(session);
  expect(session.state.entries.map(({ type }) => type)).toEqual(before);
  expect(session.history.slice(0, 3)).toMatchObject([{ type: "user" }, { text: "Hello, " }, { text: "hi" }]);
  expect((await agent.resumeSession({ sessionId, cwd: "/tmp" })).history).toHaveLength(session.history.length);
  await session.close();
  await agent.deleteSession(sessionId);
  expect(await agent.listSessions()).toEqual({ sessions: [] });
  const gone = agent.resumeSession({ sessionId, cwd: "/tmp" });
  await expect(gone).rejects.toMatchObject({ code: -32002 });
});

it("signs in and out", async () => {
  const agent = await start();
  expect(agent.info.authMethods).toMatchObject([{ id: "key", name: "Key" }]);
  expect(await agent.authenticate("key")).toEqual({});
  expect(await agent.logout()).toEqual({});
});

it("speaks version 1 with an agent that has only that, and tells it about the client's files", async () => {
  const fs = { readTextFile: async () => ({ content: "" }) };
  const agent = await start({ fs }, ["1"]);
  expect(agent).toMatchObject({ protocolVersion: 1, profile: { name: "v1" } });
  expect(agent.info.agentInfo?.name).toBe('{"readTextFile":true,"writeTextFile":false}');
  const session = await agent.newSession({ cwd: "/tmp" });
  const states = new Set<string>();
  session.subscribe(({ activity }) => states.add(activity.state));
  expect(await session.prompt("hi").readText()).toBe("one");
  expect([...states]).toEqual(["running", "idle"]);
});

it("asks for version 1 by default", async () => {
  const agent = await start({ versions: undefined });
  expect(agent.protocolVersion).toBe(1);
});

it("says that version 2 uses no files and terminals of the client", async () => {
  const messages: string[] = [];
  const fs = { readTextFile: async () => ({ content: "" }) };
  await start({ fs, onDiagnostic: ({ message }) => messages.push(message) });
  expect(messages).toEqual(["version 2 is spoken, whose agents use no fs of the client"]);
});
