import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { client, type ClientContext, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { acpProfiles } from "@editwire/acp-schema";
import { afterEach, describe, expect, it } from "vitest";
import type { AcpTurnEvent } from "../src/index.js";
import { spawnAcp } from "../src/node.js";
import { commands } from "./commands.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

/** Runs the official client against our fixture agent. */
async function withOfficialClient<T>(
  work: (agent: ClientContext) => Promise<T>,
  optionId = "allow_once",
): Promise<{ result: T; updates: unknown[] }> {
  const [command = "", ...args] = commands.agent;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  cleanups.push(() => child.kill("SIGKILL"));
  const updates: unknown[] = [];
  const result = await client({ name: "official" })
    .onRequest(methods.client.session.requestPermission, () => ({ outcome: { outcome: "selected", optionId } }))
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .connectWith(
      ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>),
      work,
    );
  return { result, updates };
}

async function openSession(agent: ClientContext): Promise<string> {
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  return (await agent.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] })).sessionId;
}

describe("the official SDK's client, our agent", () => {
  it("initializes, prompts, is asked for permission and loads the session again", async () => {
    const { result, updates } = await withOfficialClient(async (agent) => {
      const sessionId = await openSession(agent);
      const { stopReason } = await agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text: "permission" }],
      });
      await agent.request(methods.agent.session.setMode, { sessionId, modeId: "safe" });
      const { modes } = await agent.request(methods.agent.session.load, {
        sessionId,
        cwd: process.cwd(),
        mcpServers: [],
      });
      return { stopReason, modeId: modes?.currentModeId };
    });
    expect(result).toEqual({ stopReason: "end_turn", modeId: "safe" });
    expect(updates).toMatchObject([
      { sessionUpdate: "tool_call", title: "Delete everything", status: "in_progress" },
      { sessionUpdate: "tool_call_update", status: "completed" },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "deleted" } },
      { sessionUpdate: "current_mode_update", currentModeId: "safe" },
      { sessionUpdate: "user_message_chunk", content: { type: "text", text: "permission" } },
      { sessionUpdate: "tool_call" },
      { sessionUpdate: "tool_call_update" },
      { sessionUpdate: "agent_message_chunk" },
    ]);
  });

  it("gets the output of tools, though the agent names no dialect", async () => {
    const { updates } = await withOfficialClient(async (agent) => {
      const sessionId = await openSession(agent);
      await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "output" }] });
    });
    expect(updates.at(-1)).toMatchObject({
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "line one" } }],
    });
  });

  it("cancels a turn", async () => {
    const { result } = await withOfficialClient(async (agent) => {
      const sessionId = await openSession(agent);
      const turn = agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "wait" }] });
      await agent.notify(methods.agent.session.cancel, { sessionId });
      return turn;
    });
    expect(result).toEqual({ stopReason: "cancelled" });
  });

  it("lists the sessions page by page", async () => {
    const { result } = await withOfficialClient(async (agent) => {
      const { agentCapabilities } = await agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: {},
      });
      const first = await agent.request(methods.agent.session.list, { cwd: "/a" });
      const second = await agent.request(methods.agent.session.list, { cursor: first.nextCursor });
      return { can: agentCapabilities?.sessionCapabilities?.list, pages: [first, second] };
    });
    expect(result).toEqual({
      can: {},
      pages: [
        { sessions: [{ sessionId: "s1", cwd: "/a", title: "One" }], nextCursor: "1" },
        { sessions: [{ sessionId: "s2", cwd: "/all" }] },
      ],
    });
  });

  it("gets the codes it expects for an unknown method and bad params", async () => {
    const { result } = await withOfficialClient(async (agent) => {
      await openSession(agent);
      const codes = await Promise.all([
        agent.request("_vendor/unknown", {}).catch((error: { code?: number }) => error.code),
        agent
          .request("session/new", { cwd: "relative", mcpServers: [] })
          .catch((error: { code?: number }) => error.code),
      ]);
      return codes;
    });
    expect(result).toEqual([-32601, -32602]);
  });
});

describe("the official SDK's agent, our client", () => {
  async function run(
    prompt: string,
    onEvent: (event: AcpTurnEvent, cancel: () => void) => void = () => {},
  ): Promise<AcpTurnEvent[]> {
    const agent = await spawnAcp(commands.officialAgent, {
      profile: acpProfiles.v1,
      permission: async () => "allow_once",
    });
    cleanups.push(() => agent.close());
    const session = await agent.newSession({ cwd: process.cwd() });
    const turn = session.prompt(prompt);
    const events: AcpTurnEvent[] = [];
    for await (const event of turn) {
      events.push(event);
      onEvent(event, () => void turn.cancel());
    }
    return events;
  }

  it("P19: streams a turn with a permission, chosen by kind and not by position", async () => {
    expect(await run("go")).toMatchObject([
      { type: "tool_call", toolCall: { title: "Write a.txt", status: "pending", kind: "edit" } },
      {
        type: "tool_call",
        toolCall: { status: "completed", content: [{ type: "content", content: { text: "once" } }] },
      },
      { type: "stop", stopReason: "end_turn" },
    ]);
  });

  it("lists its sessions page by page", async () => {
    const agent = await spawnAcp(commands.officialAgent, { profile: acpProfiles.v1 });
    cleanups.push(() => agent.close());
    const { sessions, nextCursor } = await agent.listSessions({ cwd: "/a" });
    expect(sessions).toEqual([{ sessionId: "official-1", cwd: "/a" }]);
    expect(await agent.listSessions({ cursor: nextCursor })).toEqual({
      sessions: [{ sessionId: "official-2", cwd: "/all" }],
    });
  });

  it("is cancelled", async () => {
    const events = await run("wait", (event, cancel) => event.type === "text" && cancel());
    expect(events.at(-1)).toEqual({ type: "stop", stopReason: "cancelled" });
  });
});
