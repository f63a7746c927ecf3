import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import { memoryPair } from "@editwire/transport";
import { expect, it, onTestFinished } from "vitest";
import { RawPeer } from "../../peer/test/raw-peer.js";
import {
  type AcpAgent,
  type AcpAgentOptions,
  type AcpClient,
  type AcpSession,
  connectAcp,
  memorySessionStore,
  RemoteError,
  serveAcp,
} from "../src/index.js";
import { commands } from "./commands.js";

/** Runs the official client of version 2 against our fixture agent. */
async function withOfficialClient<T>(
  work: (agent: v2.ClientContext, updates: v2.SessionUpdate[]) => Promise<T>,
): Promise<{ result: T; updates: v2.SessionUpdate[]; asked: v2.RequestPermissionRequest[] }> {
  const [command = "", ...args] = commands.agent;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const updates: v2.SessionUpdate[] = [];
  const asked: v2.RequestPermissionRequest[] = [];
  const result = await v2
    .client({ name: "official" })
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" } };
    })
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .connectWith(
      v2.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>),
      (agent) => work(agent, updates),
    );
  return { result, updates, asked };
}

const text = (said: string): v2.ContentBlock => ({ type: "text", text: said });

async function initialize(agent: v2.ClientContext): Promise<v2.InitializeResponse> {
  return agent.request("initialize", {
    protocolVersion: 2,
    info: { name: "official", version: "1" },
    capabilities: {},
  });
}

/** Sends a prompt and waits for the idle state after it. */
async function promptTo(
  agent: v2.ClientContext,
  updates: v2.SessionUpdate[],
  sessionId: string,
  said: string,
): Promise<string> {
  const idles = (): number => updates.filter((each) => "state" in each && each.state === "idle").length;
  const before = idles();
  const { messageId } = await agent.request("session/prompt", { sessionId, prompt: [text(said)] });
  await expect.poll(idles, { interval: 5, timeout: 5_000 }).toBeGreaterThan(before);
  return messageId;
}

it("serves the official client: a turn with a tool and a permission", async () => {
  const { result, updates, asked } = await withOfficialClient(async (agent, received) => {
    const { protocolVersion, info, capabilities } = await initialize(agent);
    const { sessionId, configOptions } = await agent.request("session/new", { cwd: "/tmp" });
    const messageId = await promptTo(agent, received, sessionId, "permission");
    return { protocolVersion, info, capabilities, configOptions, messageId };
  });
  expect(result).toMatchObject({
    protocolVersion: 2,
    info: { name: "fixture", version: "1.0.0" },
    capabilities: { session: { mcp: { stdio: {} } } },
    configOptions: [{ configId: "mode", category: "mode", type: "select", currentValue: "full" }],
  });
  expect(updates).toMatchObject([
    { sessionUpdate: "user_message", messageId: result.messageId, content: [text("permission")] },
    { sessionUpdate: "state_update", state: "running" },
    { sessionUpdate: "tool_call_update", title: "Delete everything", status: "in_progress" },
    { sessionUpdate: "state_update", state: "requires_action" },
    { sessionUpdate: "state_update", state: "running" },
    { sessionUpdate: "tool_call_update", status: "completed" },
    { sessionUpdate: "agent_message_chunk", messageId: expect.any(String), content: text("deleted") },
    { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
  ]);
  expect(asked).toMatchObject([{ title: "Delete everything", subject: { type: "tool_call" } }]);
});

it("serves the official client: modes by their setting, resuming, cancelling, listing", async () => {
  const { result, updates } = await withOfficialClient(async (agent, received) => {
    await initialize(agent);
    const { sessionId } = await agent.request("session/new", { cwd: "/tmp" });
    const target = { sessionId, configId: "mode", type: "id" as const };
    const { configOptions } = await agent.request("session/set_config_option", { ...target, value: "safe" });
    const wrong = await agent
      .request("session/set_config_option", { ...target, value: "none" })
      .catch((error) => error);
    await promptTo(agent, received, sessionId, "hello");
    received.length = 0;
    const resumed = await agent.request("session/resume", { sessionId, cwd: "/tmp", replayFrom: { type: "start" } });
    const cursor = { type: "_other" } as unknown as v2.ReplayFrom;
    const refused = await agent
      .request("session/resume", { sessionId, cwd: "/tmp", replayFrom: cursor })
      .catch((error) => error);
    const replayed = received.splice(0);
    await agent.request("session/prompt", { sessionId, prompt: [text("wait")] });
    await agent.notify("session/cancel", { sessionId });
    await expect.poll(() => received.at(-1), { interval: 5 }).toMatchObject({ state: "idle", stopReason: "cancelled" });
    const { sessions } = await agent.request("session/list", {});
    await agent.request("session/close", { sessionId });
    await agent.request("session/close", { sessionId: "unknown" });
    return { configOptions, wrong, resumed, refused, replayed, sessions };
  });
  expect(result.configOptions).toMatchObject([{ configId: "mode", currentValue: "safe" }]);
  expect(result.wrong).toMatchObject({ code: -32602 });
  expect(result.refused).toMatchObject({ code: -32602 });
  expect(result.resumed).toMatchObject({ configOptions: [{ currentValue: "safe" }] });
  expect(result.replayed).toMatchObject([
    { sessionUpdate: "user_message_chunk", content: text("hello") },
    { sessionUpdate: "agent_message_chunk", content: text("hello") },
    { sessionUpdate: "state_update", state: "idle" },
  ]);
  expect(result.sessions).toMatchObject([{ sessionId: "s1" }]);
  expect(updates.some(({ sessionUpdate }) => sessionUpdate === "current_mode_update")).toBe(false);
});

async function pair(
  agent: AcpAgent,
  options: AcpAgentOptions = {},
  versions: readonly (1 | 2)[] = [2, 1],
): Promise<{ client: AcpClient; session: AcpSession }> {
  const [left, right] = memoryPair();
  const serving = serveAcp(right, agent, options);
  const client = await connectAcp(left, { versions });
  onTestFinished(() => client.close());
  expect(serving.protocolVersion).toBe(client.protocolVersion);
  return { client, session: await client.newSession({ cwd: "/a" }) };
}

it("ends the work with the error of the handler, and keeps the text of an unexpected one", async () => {
  const errors: unknown[] = [];
  const { session } = await pair(
    {
      prompt: async ({ promptText }) => {
        throw promptText === "remote" ? new RemoteError(-32000, "sign in", { a: 1 }) : new Error("secret");
      },
    },
    { onError: (error) => errors.push(error) },
  );
  await expect(session.prompt("remote").stopReason).rejects.toMatchObject({ code: -32000, message: "sign in" });
  await expect(session.prompt("x").stopReason).rejects.toMatchObject({ code: -32603, message: "Internal error" });
  expect(errors).toMatchObject([{ message: "secret" }]);
});

it("goes on in version 2 with a session that a client of version 1 began, and the reverse", async () => {
  const agent: AcpAgent = {
    sessions: memorySessionStore(),
    async prompt(turn) {
      await turn.text(`You said: ${turn.promptText}`);
    },
  };
  let sessionId: string | undefined;
  for (const versions of [[1], [2], [1]] as const) {
    const { client, session } = await pair(agent, {}, versions);
    expect(client.protocolVersion).toBe(versions[0]);
    const used: AcpSession = sessionId === undefined ? session : await client.loadSession({ sessionId, cwd: "/a" });
    sessionId = used.id;
    await used.prompt(`in ${versions[0]}`).stopReason;
    if (used.history.length > 0)
      expect(used.state.entries.slice(0, 2)).toMatchObject([{ text: "in 1" }, { text: "You said: in 1" }]);
    await used.close();
  }
});

it("turns a diff into a patch, from which a client reads the changed lines", async () => {
  const newText = "a\nb\nc\nd\nE\nf\n";
  const { session } = await pair({
    async prompt(turn) {
      const call = await turn.toolCall({ title: "Edit", kind: "edit" });
      const oldText = "a\nb\nc\nd\ne\nf\n";
      await call.complete({ content: [{ type: "diff", path: "/a/x", oldText, newText }] });
      await turn.plan([{ content: "one", priority: "high", status: "pending" }]);
    },
  });
  await session.prompt("x").stopReason;
  expect(session.state.entries[1]).toMatchObject({
    toolCall: {
      status: "completed",
      content: [{ path: "/a/x", oldText: "b\nc\nd\ne\nf\n", newText: newText.slice(2) }],
    },
  });
  expect(session.state.entries[2]).toMatchObject({ type: "plan", entries: [{ content: "one" }] });
});

const info = { name: "raw", version: "1" };
const echo: AcpAgent = { prompt: async (turn) => void turn.text(turn.promptText) };

function raw(options: AcpAgentOptions = {}, agent: AcpAgent = echo): RawPeer {
  const [left, right] = memoryPair();
  serveAcp(right, agent, options);
  return new RawPeer(left);
}

it.each([
  [{ protocolVersion: 2, info }, { result: { protocolVersion: 2 } }],
  [{ protocolVersion: 9, capabilities: {} }, { result: { protocolVersion: 2 } }],
  [{ protocolVersion: 2, capabilities: {} }, { error: { code: -32602 } }],
  [{ protocolVersion: 2, clientCapabilities: {} }, { result: { protocolVersion: 1 } }],
  [{ protocolVersion: 1 }, { result: { protocolVersion: 1 } }],
])("answers initialize with %j", async (params, answer) => {
  const peer = raw();
  expect(await peer.call("initialize", params)).toMatchObject(answer);
});

it("refuses a version that it does not speak, with those that it does, and takes another try", async () => {
  const peer = raw({ versions: [2] });
  const refused = await peer.call("initialize", { protocolVersion: 1 });
  expect(refused.error).toMatchObject({ code: -32022, data: { requested: 1, supported: [2] } });
  expect((await peer.call("session/new", { cwd: "/a" })).error).toMatchObject({ code: -32600 });
  expect((await peer.call("initialize", { protocolVersion: 2, info })).result).toMatchObject({ protocolVersion: 2 });
  expect((await raw({ versions: [1] }).call("initialize", { protocolVersion: 2, info })).result).toMatchObject({
    protocolVersion: 1,
  });
});

it("refuses a second initialize, prompts without a block, and what nothing can cancel", async () => {
  const peer = raw();
  await peer.call("initialize", { protocolVersion: 2, info });
  const { result } = await peer.call("session/new", { cwd: "/a" });
  const { sessionId } = result as { sessionId: string };
  expect((await peer.call("initialize", { protocolVersion: 2, info })).error).toMatchObject({ code: -32600 });
  expect((await peer.call("session/prompt", { sessionId, prompt: [] })).error).toMatchObject({ code: -32602 });
  const image = { type: "image", data: "", mimeType: "image/png" };
  expect((await peer.call("session/prompt", { sessionId, prompt: [image] })).error).toMatchObject({ code: -32602 });
  expect((await peer.call("tool_call/cancel", { sessionId, toolCallId: "t" })).error).toMatchObject({ code: -32602 });
  const unknown = { sessionId: "none", prompt: [{ type: "text", text: "x" }] };
  expect((await peer.call("session/prompt", unknown)).error).toMatchObject({
    code: -32002,
    data: { sessionId: "none" },
  });
  expect(peer.received.some(({ method }) => method === "session/update")).toBe(false);
});

it("holds a prompt while another one runs, and withdraws it", async () => {
  const finish: (() => void)[] = [];
  const peer = raw({}, { whenBusy: "queue", prompt: () => new Promise((resolve) => finish.push(() => resolve())) });
  await peer.call("initialize", { protocolVersion: 2, info });
  const { result } = await peer.call("session/new", { cwd: "/a" });
  const { sessionId } = result as { sessionId: string };
  const say = (said: string): object => ({ sessionId, prompt: [{ type: "text", text: said }] });
  expect((await peer.call("session/prompt", say("one"))).result).toHaveProperty("messageId");
  peer.send({ jsonrpc: "2.0", id: 7, method: "session/prompt", params: say("two") });
  const third = peer.call("session/prompt", say("three"));
  peer.notify("$/cancel_request", { requestId: 7 });
  expect((await peer.until(({ id, method }) => id === 7 && method === undefined)).error).toMatchObject({
    code: -32800,
  });
  finish[0]?.();
  expect((await third).result).toHaveProperty("messageId");
  const updates = peer.received.flatMap(
    ({ params }) => (params?.["update"] as { content?: unknown; state?: string }) ?? [],
  );
  expect(updates.map(({ content, state }) => state ?? JSON.stringify(content))).toEqual([
    '[{"type":"text","text":"one"}]',
    "running",
    "idle",
    '[{"type":"text","text":"three"}]',
    "running",
  ]);
});
