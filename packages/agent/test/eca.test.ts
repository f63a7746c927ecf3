import { acpPair } from "@editwire/acp/testing";
import { type EcaClientOptions, type EcaProfile, ecaProfiles, type EcaSession, type EcaTurn } from "@editwire/eca";
import { spawnEca } from "@editwire/eca/node";
import { ecaPair } from "@editwire/eca/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, createAgent, type Diagnostic, toAcp, toEca } from "../src/index.js";
import { commands } from "./commands.js";
import { scripted } from "./scripted-agent.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

const workspaceFolders = [{ name: "p", uri: "file:///p" }];

async function open(agent: Agent, options: EcaClientOptions = {}, profile: EcaProfile = ecaProfiles.v2026) {
  const client = { workspaceFolders, ...options, profile };
  const pair = await ecaPair(toEca(agent), { client, server: { profile } });
  cleanups.push(() => pair.client.close());
  return pair.client;
}

/** The visible part of a turn: texts of the model, `notice: …`, and the status of each tool call when it changes. */
async function shown(turn: EcaTurn): Promise<string[]> {
  const lines: string[] = [];
  for await (const event of turn) {
    if (event.type === "text") lines.push(event.text);
    if (event.type === "thought" && event.text !== "") lines.push(`thought: ${event.text}`);
    if (event.type === "notice") lines.push(`notice: ${event.text.trim()}`);
    if (event.type === "usage") lines.push(`usage: ${event.usage.messageInputTokens} ${event.usage.sessionCost}`);
    if (event.type === "tool_call") {
      const line = `${event.toolCall.title}: ${event.toolCall.status}`;
      if (lines.at(-1) !== line) lines.push(line);
    }
    if (event.type === "stop") lines.push(event.stopReason);
  }
  return lines;
}

const toolCallsOf = (session: EcaSession) =>
  session.state.entries.flatMap((entry) => (entry.type === "tool_call" ? [entry.toolCall] : []));

it("looks for no session under an id that it has made up for a new chat", async () => {
  const looked: string[] = [];
  const agent = createAgent({
    prompt: async (turn) => turn.text(turn.session.id),
    loadSession: async (sessionId) => void looked.push(sessionId),
  });
  const client = await open(agent, {}, ecaProfiles.spec);
  const session = client.newSession();
  const [id, stopReason] = await shown(session.prompt("1"));
  expect([stopReason, looked]).toEqual(["end_turn", []]);
  await agent.deleteSession(String(id));
  await shown(session.prompt("2"));
  expect(looked).toEqual([id]);
});

describe.each(["spec", "v2026"] as const)("toEca, in the dialect %s", (name) => {
  const profile = ecaProfiles[name];

  it("streams, plans, and asks for permission", async () => {
    const client = await open(createAgent(scripted), { permission: async () => "allow_once" }, profile);
    const session = client.newSession();
    expect(await shown(session.prompt("say think plan edit usage notice"))).toEqual([
      "Looking around.",
      "thought: Hm.",
      "Plan: pending",
      "Plan: in_progress",
      "Plan: completed",
      "Edit a.ts: pending",
      "Edit a.ts: waiting",
      ...(name === "v2026" ? ["Edit a.ts: in_progress"] : []),
      "Edit a.ts: completed",
      "Edited.",
      "usage: 10 0.50",
      "notice: Warning: Low on tokens",
      "end_turn",
    ]);
    expect(toolCallsOf(session).at(-1)).toMatchObject({
      name: "apply_change",
      arguments: { path: "/p/a.ts" },
      details: { type: "fileChange", path: "/p/a.ts", linesAdded: 1, linesRemoved: 1 },
      outputs: [{ text: "done" }],
    });
  });

  it("asks for a call as it has become since it was announced", async () => {
    const asked: object[] = [];
    const agent = createAgent({
      async prompt(turn) {
        const call = await turn.toolCall({ title: "Terminal", kind: "execute", input: {}, status: "pending" });
        await call.change("pending", { title: "rm -r build", input: { command: "rm -r build" } });
        await turn.requestPermission(call);
        const change = await turn.toolCall({ title: "Edit", name: "edit", input: { path: "a" }, status: "pending" });
        await call.complete({ output: "" });
        const diff = { type: "diff", path: "/p/a.ts", newText: "b" } as const;
        await change.change("pending", { title: "Edit a.ts", input: { path: "/p/a.ts" }, contents: [diff] });
        await turn.requestPermission(change);
      },
    });
    const permission: EcaClientOptions["permission"] = async (call) => {
      asked.push(call);
      return "allow_once";
    };
    const session = (await open(agent, { permission }, profile)).newSession();
    await expect(session.prompt("go").stopReason).resolves.toBe("end_turn");
    expect(asked).toMatchObject([
      { name: "execute", title: "rm -r build", arguments: { command: "rm -r build" } },
      { name: "edit", title: "Edit a.ts", arguments: { path: "/p/a.ts" }, details: { path: "/p/a.ts" } },
    ]);
  });

  it("ends a rejected call, and goes on", async () => {
    const session = (await open(createAgent(scripted), {}, profile)).newSession();
    const lines = await shown(session.prompt("edit"));
    expect(lines.slice(-3)).toEqual(["Edit a.ts: rejected", "Left as it was.", "end_turn"]);
  });

  it("cancels a call that runs, and a question", async () => {
    const question = async (): Promise<never> => new Promise(() => {});
    const client = await open(createAgent(scripted), { question }, profile);
    const session = client.newSession();
    const turn = session.prompt("tool");
    const statuses: string[] = [];
    for await (const event of turn) {
      if (event.type !== "tool_call") continue;
      statuses.push(event.toolCall.status);
      if (event.toolCall.status === "in_progress") void turn.cancel();
    }
    expect(await turn.stopReason).toBe("cancelled");
    expect(statuses.at(-1)).toBe("failed");
  });

  it("shows the message of a RemoteError, and of no other error", async () => {
    const session = (await open(createAgent(scripted), {}, profile)).newSession();
    expect(await shown(session.prompt("fail"))).toEqual(["notice: Out of tokens", "end_turn"]);
    expect(await shown(session.prompt("crash"))).toEqual(["notice: Internal error", "end_turn"]);
  });

  it("offers models and behaviors, and takes what the user selects", async () => {
    const agent = createAgent(scripted);
    const client = await open(agent, {}, profile);
    const session = client.newSession();
    await shown(session.prompt("say", { model: "large", behavior: "plan" }));
    const [{ sessionId } = { sessionId: "" }] = await agent.listSessions();
    expect(agent.session(sessionId)).toMatchObject({ modeId: "plan", cwd: "/p" });
    expect(agent.session(sessionId)?.configOptions).toMatchObject([{ id: "model", currentValue: "large" }]);
    expect(await session.queryCommands("rev")).toMatchObject([{ name: "review" }]);
  });

  it("offers modes whose ids are URLs by their names, as Copilot's agent has them", async () => {
    const id = (name: string): string => `https://agentclientprotocol.com/protocol/session-modes#${name}`;
    const availableModes = [
      { id: id("agent"), name: "Agent" },
      { id: id("plan"), name: "Plan" },
    ];
    const agent = createAgent({ ...scripted, modes: { currentModeId: id("agent"), availableModes } });
    const client = await open(agent, {}, profile);
    expect(client.agents).toMatchObject({ offered: ["Agent", "Plan"], selected: "Agent" });
    await shown(client.newSession().prompt("say", { behavior: "Plan" }));
    const [{ sessionId } = { sessionId: "" }] = await agent.listSessions();
    expect(agent.session(sessionId)).toMatchObject({ modeId: id("plan") });
  });
});

describe("toEca", () => {
  it("asks the user, and takes what the user adds to a running turn", async () => {
    const client = await open(createAgent(scripted), { question: async () => "right" });
    const session = client.newSession();
    expect(await shown(session.prompt("ask"))).toEqual(["Answer: right.", "end_turn"]);
    const turn = session.prompt("steers");
    await turn.answer;
    await session.steer("left");
    expect(await shown(turn)).toEqual(["Steered: left.", "end_turn"]);
  });

  it("takes what the user adds while the session is being opened", async () => {
    let opened = (): void => {};
    const isOpen = new Promise<void>((resolve) => (opened = resolve));
    const client = await open(createAgent({ ...scripted, newSession: () => isOpen.then(() => undefined) }));
    const session = client.newSession();
    const turn = session.prompt("steers");
    await turn.answer;
    await session.steer("left");
    await client.listSessions(); // behind it
    opened();
    expect(await shown(turn)).toEqual(["Steered: left.", "end_turn"]);
  });

  it("reports what ECA does not say", async () => {
    const reported: string[] = [];
    const onDiagnostic = ({ id, message }: Diagnostic) => reported.push(`${id} ${message.split(" is ")[0]}`);
    const agent = createAgent({ ...scripted, onDiagnostic });
    const session = (await open(agent, { permission: async () => "allow_once" })).newSession();
    await shown(session.prompt("plan edit ask usage"));
    expect(reported).toEqual([
      "agent.approximated eca: config_options",
      "agent.approximated eca: prompt",
      "agent.approximated eca: plan",
      "agent.not-said eca: tool_kind",
      "agent.not-said eca: tool_locations",
      "agent.approximated eca: tool_diff",
      "agent.not-said eca: question",
      "agent.not-said eca: question_freeform",
    ]);
  });

  it("opens sessions of other protocols, and shows their turns, which its user may answer and stop", async () => {
    const agent = createAgent(scripted);
    const acp = await acpPair(toAcp(agent), { client: { permission: () => new Promise(() => {}) } });
    cleanups.push(() => acp.client.close());
    const first = await acp.client.newSession({ cwd: "/p" });
    await first.prompt("say plan").stopReason;
    const client = await open(agent, { permission: async () => "allow_once" });
    expect(await client.listSessions()).toMatchObject([{ id: first.id, title: "say plan", status: "idle" }]);
    const second = await client.loadSession({ sessionId: first.id });
    const types = () => second?.state.entries.map((entry) => (entry.type === "message" ? entry.role : entry.type));
    expect(types()).toEqual(["user", "assistant", "tool_call"]);
    await first.prompt("edit").stopReason;
    expect(types()).toEqual(["user", "assistant", "tool_call", "user", "tool_call", "assistant"]);
    const turn = first.prompt("wait");
    await new Promise<void>((resolve) => {
      const stop = second?.subscribe(({ entries }) => entries.length === 7 && resolve(stop?.()));
    });
    await client.connection.notify("chat/promptStop", { chatId: first.id });
    expect(await turn.stopReason).toBe("cancelled");
    const next = first.prompt("wait");
    await new Promise<void>((resolve) => {
      const stop = second?.subscribe(({ progress }) => progress === "Waiting model" && resolve(stop?.()));
    });
    await client.close();
    await new Promise(setImmediate);
    expect(agent.session(first.id)?.turn).toBeDefined(); // a user who leaves does not stop the turn of another one
    await next.cancel();
    expect(await next.stopReason).toBe("cancelled");
    expect(await first.prompt("say").stopReason).toBe("end_turn");
  });

  it("asks a user who opens a session while the agent waits for an answer", async () => {
    const agent = createAgent(scripted);
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    const permission = () => (onAsked(), new Promise<never>(() => {}));
    const acp = await acpPair(toAcp(agent), { client: { permission } });
    cleanups.push(() => acp.client.close());
    const first = await acp.client.newSession({ cwd: "/p" });
    const turn = first.prompt("edit");
    await asked;
    const titles: (string | undefined)[] = [];
    const client = await open(agent, { permission: async ({ title }) => (titles.push(title), "allow_once") });
    await client.loadSession({ sessionId: first.id });
    expect(await turn.stopReason).toBe("end_turn");
    expect(titles).toEqual(["Edit a.ts"]);
    await client.close();
  });

  it("serves a process of its own", async () => {
    const client = await spawnEca(commands.ecaServer, { workspaceFolders, permission: async () => "allow_once" });
    cleanups.push(() => client.close());
    expect(await shown(client.newSession().prompt("say edit"))).toEqual([
      "Looking around.",
      "Edit a.ts: pending",
      "Edit a.ts: waiting",
      "Edit a.ts: completed",
      "Edited.",
      "end_turn",
    ]);
  });
});

it("reports what a chat that is opened again does not say of the past", async () => {
  const reported: string[] = [];
  const agent = createAgent({ ...scripted, onDiagnostic: ({ message }) => reported.push(message) });
  const session = await agent.newSession({ cwd: "/p" });
  await session.prompt("plan edit");
  const client = await open(agent);
  await client.loadSession({ sessionId: session.id });
  const facts = reported.flatMap((message) => /^eca: \w+/.exec(message) ?? []);
  expect(facts).toEqual(["eca: plan", "eca: tool_kind", "eca: tool_locations", "eca: tool_diff"]);
});

it("does not answer for the other editors when its client is lost", async () => {
  let proceed = (): void => {};
  const isLost = new Promise<void>((resolve) => (proceed = resolve));
  const agent = createAgent({
    async prompt(turn) {
      await turn.text("Begun.");
      await isLost;
      const { allowed } = await turn.requestPermission(await turn.toolCall({ title: "Edit a.ts" }));
      await turn.text(allowed ? "Edited." : "Left.");
    },
  });
  const permission = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    return "allow_once" as const;
  };
  const acp = await acpPair(toAcp(agent), { client: { permission } });
  cleanups.push(() => acp.client.close());
  const session = await acp.client.newSession({ cwd: "/p" });
  const turn = session.prompt("go");
  const client = await open(agent);
  await expect.poll(() => agent.session(session.id)?.events.length).toBe(2);
  const shown = await client.loadSession({ sessionId: session.id });
  await expect.poll(() => shown?.state.progress).toBe("Waiting model");
  await client.connection.close();
  for (let tick = 0; tick < 5; tick++) await new Promise(setImmediate);
  proceed();
  expect(await turn.readText()).toBe("Begun.Edited.");
});

it("refuses to delete the messages, with a reason, and reports it", async () => {
  const reported: Diagnostic[] = [];
  const client = await open(createAgent({ ...scripted, onDiagnostic: (diagnostic) => reported.push(diagnostic) }));
  const session = client.newSession();
  const { connection } = client;
  await session.prompt("say").stopReason;
  const chatId = session.id ?? "";
  const contentId = "1";
  const refused = { code: -32_601, message: expect.stringContaining("this agent cannot remove messages from a chat") };
  await expect(session.clear()).rejects.toMatchObject(refused);
  const include = ["messages" as const];
  await expect(connection.request("chat/rollback", { chatId, contentId, include })).rejects.toMatchObject(refused);
  await expect(connection.request("chat/fork", { chatId, contentId })).rejects.toMatchObject(refused);
  expect(reported.filter(({ message }) => message.startsWith("eca: rewind is not said"))).toHaveLength(1);
});

it("shows a turn that another view queued, from its beginning, after the client's own turn", async () => {
  const client = await open(
    createAgent({
      async prompt(turn) {
        if (turn.promptText === "first") void turn.session.prompt("second", { whenBusy: "queue" });
        else await turn.text("Of the second.");
      },
    }),
  );
  const session = client.newSession();
  await session.prompt("first").stopReason;
  await expect
    .poll(() => session.state.entries)
    .toMatchObject([{ text: "first\n" }, { role: "user", text: "second\n" }, { text: "Of the second." }]);
});

describe("prompts of two editors in the same moment", () => {
  async function promptTwice(whenBusy: "reject" | "queue" | "steer") {
    const agent = createAgent({
      whenBusy,
      async prompt(turn) {
        const isSteered = new Promise<void>((resolve) => turn.onSteer(resolve));
        await turn.text(`To ${turn.promptText}.`);
        const steers = [...turn.takeSteers()];
        if (whenBusy === "steer" && steers.length === 0) await isSteered;
        for (const { text } of [...steers, ...turn.takeSteers()]) await turn.text(`And to ${text}.`);
      },
    });
    const acp = await acpPair(toAcp(agent));
    cleanups.push(() => acp.client.close());
    const one = await acp.client.newSession({ cwd: "/p" });
    const two = (await (await open(agent)).loadSession({ sessionId: one.id })) as EcaSession;
    const said = (session: { state: { entries: readonly object[] } }): string[] =>
      session.state.entries.map((entry) => ("text" in entry ? String(entry.text).trim() : ""));
    const turns = [one.prompt("one"), two.prompt("two")] as const;
    await Promise.all(turns.map(({ stopReason }) => stopReason));
    return { one: () => said(one), two: () => said(two) };
  }

  it("are both shown where the second is refused", async () => {
    const { one, two } = await promptTwice("reject");
    await expect.poll(two).toEqual(["two", "prompt already running", "one", "To one."]);
    expect(one()).toEqual(["one", "To one."]);
  });

  it("are both shown where the second waits", async () => {
    const { one, two } = await promptTwice("queue");
    await expect.poll(one).toEqual(["one", "To one.", "two", "To two."]);
    await expect.poll(two).toEqual(["two", "one", "To one.To two."]);
  });

  it("keep what is added to the second until that one begins", async () => {
    let proceed = (): void => {};
    const isSteered = new Promise<void>((resolve) => (proceed = resolve));
    const agent = createAgent({
      whenBusy: "queue",
      async prompt(turn) {
        if (turn.promptText === "one") await isSteered;
        for (const { text } of turn.takeSteers()) await turn.text(`Added to ${turn.promptText}: ${text}.`);
      },
    });
    const acp = await acpPair(toAcp(agent));
    cleanups.push(() => acp.client.close());
    const one = await acp.client.newSession({ cwd: "/p" });
    const client = await open(agent);
    const two = (await client.loadSession({ sessionId: one.id })) as EcaSession;
    const turns = [one.prompt("one"), two.prompt("two")] as const;
    await turns[1].answer;
    await two.steer("more");
    await client.listSessions(); // behind it
    proceed();
    await Promise.all(turns.map(({ stopReason }) => stopReason));
    await expect.poll(() => JSON.stringify(one.state.entries)).toContain("Added to two: more.");
  });

  it("are both shown where the second is added to the first", async () => {
    const { one, two } = await promptTwice("steer");
    await expect.poll(() => one().sort()).toEqual(["To one.And to two.", "one", "two"]);
    await expect.poll(two).toEqual(["two", "one", "To one.And to two."]);
  });
});
