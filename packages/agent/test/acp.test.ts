import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { client, type ClientContext, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { acpProfiles, type AcpClientOptions, type AcpTurn } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, type AgentDefinition, createAgent, fromAcp, toAcp } from "../src/index.js";
import { commands } from "./commands.js";
import { scripted } from "./scripted-agent.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

async function open(agent: Agent, options: AcpClientOptions = {}) {
  const pair = await acpPair(toAcp(agent), { client: options });
  cleanups.push(() => pair.client.close());
  return pair.client;
}

const texts = async (turn: AcpTurn): Promise<string[]> => {
  const found: string[] = [];
  for await (const event of turn) if (event.type === "text") found.push(event.text);
  return found;
};

/** The entry of a tool call with this status. */
const entryOf = (status: string): unknown =>
  expect.objectContaining({ type: "tool_call", toolCall: expect.objectContaining({ status }) });

describe("toAcp, in the official SDK's client", () => {
  it("streams, plans, asks for permission and is loaded again, from a process of its own", async () => {
    const [command = "", ...args] = commands.acpAgent;
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    cleanups.push(() => child.kill("SIGKILL"));
    const updates: { sessionUpdate: string }[] = [];
    const optionId = "allow_once";
    const stopReason = await client({ name: "official" })
      .onRequest(methods.client.session.requestPermission, () => ({ outcome: { outcome: "selected", optionId } }))
      .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
      .connectWith(
        ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>),
        async (agent: ClientContext) => {
          await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
          const cwd = process.cwd();
          const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
          const { stopReason } = await agent.request(methods.agent.session.prompt, {
            sessionId,
            prompt: [{ type: "text", text: "say think plan edit usage" }],
          });
          updates.push({ sessionUpdate: "(loaded)" });
          await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
          return stopReason;
        },
      );
    expect(stopReason).toBe("end_turn");
    expect(updates).toMatchObject([
      { sessionUpdate: "available_commands_update", availableCommands: [{ name: "review" }] },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Looking around." } },
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } },
      { sessionUpdate: "plan", entries: [{ content: "Fix it", status: "in_progress", priority: "medium" }] },
      { sessionUpdate: "tool_call", title: "Edit a.ts", kind: "edit", status: "pending", content: [{ type: "diff" }] },
      { sessionUpdate: "tool_call_update", status: "pending" },
      { sessionUpdate: "tool_call_update", status: "in_progress" },
      { sessionUpdate: "tool_call_update", status: "completed", rawOutput: "done" },
      { sessionUpdate: "agent_message_chunk", content: { text: "Edited." } },
      { sessionUpdate: "usage_update", used: 100, size: 1_000, cost: { amount: 0.5, currency: "USD" } },
      { sessionUpdate: "(loaded)" },
      { sessionUpdate: "user_message_chunk", content: { text: "say think plan edit usage" } },
      { sessionUpdate: "agent_message_chunk" },
      { sessionUpdate: "agent_thought_chunk" },
      { sessionUpdate: "plan" },
      { sessionUpdate: "tool_call", status: "in_progress" },
      { sessionUpdate: "tool_call_update", status: "completed", rawOutput: "done" },
      { sessionUpdate: "agent_message_chunk" },
      { sessionUpdate: "available_commands_update" },
      { sessionUpdate: "usage_update" },
    ]);
  });
});

describe("toAcp", () => {
  it("tells a client what else changes with its mode, or with a setting", async () => {
    const mode = (modeId: string) => [
      {
        id: "mode",
        name: "Mode",
        type: "select" as const,
        currentValue: modeId,
        options: [
          { value: "build", name: "B" },
          { value: "plan", name: "P" },
        ],
      },
    ];
    const agent = createAgent({
      ...scripted,
      configOptions: mode("build"),
    });
    const updates: unknown[] = [];
    const client = await open(agent, {
      onWire(direction, message) {
        const { params } = message as { params?: { update?: { sessionUpdate?: string } } };
        if (direction === "in" && params?.update !== undefined) updates.push(params.update.sessionUpdate);
      },
    });
    const session = await client.newSession({ cwd: "/p" });
    updates.length = 0;
    await client.connection.request("session/set_mode", { sessionId: session.id, modeId: "plan" });
    expect(updates).toEqual(["config_option_update", "current_mode_update"]);
    updates.length = 0;
    await session.setConfigOption("mode", "build");
    expect(updates).toEqual(["current_mode_update"]);
    expect([session.modes?.currentModeId, session.configOptions[0]?.currentValue]).toEqual(["build", "build"]);
  });

  it("asks a client that loads a session in the middle of a turn, once it knows the session", async () => {
    const agent = createAgent(scripted);
    const session = await agent.newSession({ cwd: "/p" });
    let onAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    const other = { name: "other", event() {}, permission: () => (onAsked(), new Promise<never>(() => {})) };
    const turn = session.prompt("say edit", { view: other });
    await asked;
    const order: string[] = [];
    const client = await open(agent, {
      onWire(direction, message) {
        const { method, result } = message as { method?: string; result?: unknown };
        if (direction === "in") order.push(method ?? (result === undefined ? "error" : "result"));
      },
      permission: async () => "allow_once",
    });
    await client.loadSession({ sessionId: session.id, cwd: "/p" });
    expect(await turn).toEqual({ stopReason: "end_turn" });
    const last = order.lastIndexOf("session/update", order.lastIndexOf("result"));
    expect(order.indexOf("session/request_permission")).toBeGreaterThan(last);
    expect(last).toBeGreaterThan(0);
  });

  it("says only what the specification has to a client of its dialect, in a turn and in its history", async () => {
    const agent = createAgent(scripted);
    const errors: unknown[] = [];
    const asked: unknown[] = [];
    const pair = await acpPair(toAcp(agent), {
      agent: { profile: acpProfiles.spec },
      client: {
        profile: acpProfiles.spec,
        strict: true,
        onError: (error) => errors.push(error),
        permission: async ({ toolCall }) => (asked.push(toolCall.status), "allow_once"),
      },
    });
    cleanups.push(() => pair.client.close());
    const session = await pair.client.newSession({ cwd: "/p" });
    await session.prompt("say edit").stopReason;
    const again = await pair.client.loadSession({ sessionId: session.id, cwd: "/p" });
    expect(again.state.entries).toContainEqual(entryOf("completed"));
    expect(asked).toEqual(["pending"]);
    expect(errors).toEqual([]);
  });

  it("says notices and answered questions in a history as text, and reports what a history does not say", async () => {
    const reported: string[] = [];
    const past: AgentDefinition["prompt"] = async (turn) => {
      await turn.notice("Low on space.", "warning");
      await turn.ask("Left or right?", { options: ["left", "right"] });
      await (await turn.toolCall({ title: "Edit a.ts" })).reject();
    };
    const agent = createAgent({ prompt: past, onDiagnostic: ({ message }) => reported.push(message) });
    const session = await agent.newSession({ cwd: "/p" });
    await session.prompt("go");
    const acp = await open(agent);
    const { history } = await acp.loadSession({ sessionId: session.id, cwd: "/p" });
    const said = history.flatMap((event) => (event.type === "text" ? event.text : []));
    expect(said).toEqual(["\n\nWarning: Low on space.\n\n", "\n\nLeft or right? (no answer)\n\n"]);
    const facts = reported.flatMap((message) => /^acp: \w+/.exec(message) ?? []);
    expect(facts).toEqual(["acp: notice", "acp: tool_rejected"]);
  });

  it("ends a rejected call, and goes on", async () => {
    const acp = await open(createAgent(scripted), { permission: async () => "reject_once" });
    const session = await acp.newSession({ cwd: "/p" });
    expect(await texts(session.prompt("edit"))).toEqual(["Left as it was."]);
    expect(session.state.entries).toContainEqual(entryOf("rejected"));
  });

  it("asks by a form, or by the options of a permission", async () => {
    const agent = createAgent(scripted);
    const forms = await open(agent, {
      elicitation: { form: async () => ({ action: "accept", content: { answer: "right" } }) },
    });
    const options = await open(agent, { permission: async () => ({ optionId: "left" }) });
    const asked = async (acp: typeof forms) => texts((await acp.newSession({ cwd: "/p" })).prompt("ask"));
    expect(await asked(forms)).toEqual(["Answer: right."]);
    expect(await asked(options)).toEqual(["Answer: left."]);
  });

  it("changes modes and settings from both sides", async () => {
    const acp = await open(createAgent(scripted));
    const session = await acp.newSession({ cwd: "/p" });
    expect(session.modes?.currentModeId).toBe("build");
    await session.prompt("plain").stopReason;
    expect(session.modes?.currentModeId).toBe("plan");
    await session.setMode("build");
    expect(session.modes?.currentModeId).toBe("build");
    await session.setConfigOption("model", "large");
    expect(session.configOptions).toMatchObject([{ id: "model", currentValue: "large" }]);
    await expect(acp.connection.request("session/set_mode", { sessionId: session.id, modeId: "x" })).rejects.toThrow(
      "unsupported mode",
    );
  });

  it("answers a failed turn with the agent's error, and nothing of other errors", async () => {
    const acp = await open(createAgent(scripted));
    const session = await acp.newSession({ cwd: "/p" });
    await expect(session.prompt("fail").stopReason).rejects.toMatchObject({
      code: -32_000,
      message: "Out of tokens",
      data: { retry: false },
    });
    await expect(session.prompt("crash").stopReason).rejects.toMatchObject({
      code: -32_603,
      message: "Internal error",
    });
  });

  it("cancels a turn", async () => {
    const acp = await open(createAgent(scripted));
    const session = await acp.newSession({ cwd: "/p" });
    const turn = session.prompt("tool");
    for await (const event of turn)
      if (event.type === "tool_call" && event.toolCall.status === "in_progress") await turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
    expect(session.state.entries).toContainEqual(entryOf("failed"));
  });

  it("gives a second prompt to the running turn, where the agent wants that", async () => {
    const acp = await open(createAgent({ ...scripted, whenBusy: "steer" }));
    const session = await acp.newSession({ cwd: "/p" });
    const turn = session.prompt("steers");
    const read = texts(turn);
    const prompt = [{ type: "text" as const, text: "left" }];
    const { stopReason } = await acp.connection.request("session/prompt", { sessionId: session.id, prompt });
    expect(stopReason).toBe("end_turn");
    expect(await read).toEqual(["Steered: left."]);
  });

  it("replays each prompt as a message of its own, also where nothing was said in between", async () => {
    const agent = createAgent({ ...scripted, prompt: async () => {} });
    const held = await agent.newSession({ cwd: "/p" });
    await held.prompt("one");
    await held.prompt([
      { type: "text", text: "two, " },
      { type: "text", text: "in parts" },
    ]);
    const acp = await open(agent);
    const { state } = await acp.loadSession({ sessionId: held.id, cwd: "/p" });
    const said = ["one", "two, in parts"].map((text) => ({ type: "message", role: "user", text }));
    expect(state.entries).toMatchObject(said);
    const gateway = fromAcp(async (handlers) => (await acpPair(toAcp(agent), { client: handlers })).client);
    const loaded = await gateway.loadSession(held.id, { cwd: "/p" });
    expect(loaded?.events).toMatchObject([{ content: [{ text: "one" }] }, { content: [{}, { text: "in parts" }] }]);
    await gateway.close();
  });

  it("counts a client once, however often it initializes", async () => {
    const seen: string[] = [];
    const definition = { ...scripted, ready: () => void seen.push("ready"), idle: () => void seen.push("idle") };
    const acp = await open(createAgent(definition));
    await acp.connection.request("initialize", { protocolVersion: 1 });
    await acp.close();
    await expect.poll(() => seen).toEqual(["ready", "idle"]);
  });

  it("shares sessions between connections: lists, loads, shows turns of others, and lets each answer", async () => {
    const reported: string[] = [];
    const agent = createAgent({ ...scripted, onDiagnostic: ({ message }) => reported.push(message) });
    const one = await open(agent, { permission: () => new Promise(() => {}) });
    const first = await one.newSession({ cwd: "/p" });
    await texts(first.prompt("say"));
    const seen: string[] = [];
    const two = await open(agent, {
      permission: async () => "allow_once",
      onUpdate: (event) => seen.push(event.type),
    });
    const { sessions } = await two.listSessions({ cwd: "/p" });
    expect(sessions).toMatchObject([{ sessionId: first.id, title: "say" }]);
    const second = await two.loadSession({ sessionId: first.id, cwd: "/p" });
    expect(second.history.map(({ type }) => type)).toEqual(["user", "text", "commands"]);
    expect(await texts(first.prompt("edit"))).toEqual(["Edited."]);
    expect(seen).toEqual(["user", "tool_call", "tool_call", "tool_call", "tool_call", "text"]);
    expect(reported).toContainEqual(expect.stringContaining("acp: foreign_turn is approximated"));
    await one.close();
    expect(await texts(second.prompt("say"))).toEqual(["Looking around."]);
    await two.deleteSession(first.id);
    expect(await two.listSessions()).toEqual({ sessions: [] });
    await expect(two.loadSession({ sessionId: first.id, cwd: "/p" })).rejects.toThrow("not found");
  });
});
