import { memoryPair } from "@editwire/transport";
import { expect, it } from "vitest";
import { RawPeer } from "../../peer/test/raw-peer.js";
import { type AcpClient, type AcpClientOptions, type AcpSession, connectAcp } from "../src/index.js";

const opened = { protocolVersion: 2, info: { name: "raw", version: "1" }, capabilities: { session: {} } };

async function answer(agent: RawPeer, method: string, result: unknown): Promise<void> {
  const { id } = await agent.take(method);
  agent.send({ jsonrpc: "2.0", id, result });
}

function update(agent: RawPeer, body: object): void {
  agent.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update: body } });
}

const state = (agent: RawPeer, name: string, more: object = {}): void =>
  update(agent, { sessionUpdate: "state_update", state: name, ...more });
const chunk = (said: string): object => ({
  sessionUpdate: "agent_message_chunk",
  messageId: "a1",
  content: { type: "text", text: said },
});

/** A client whose agent has got `initialize`. */
function begin(options: AcpClientOptions = {}): { agent: RawPeer; connecting: Promise<AcpClient> } {
  const [left, right] = memoryPair();
  const agent = new RawPeer(right);
  const connecting = connectAcp(left, { versions: [2, 1], clientInfo: { name: "c", version: "1" }, ...options });
  connecting.catch(() => {});
  return { agent, connecting };
}

async function open(options: AcpClientOptions = {}): Promise<{ agent: RawPeer; session: AcpSession }> {
  const { agent, connecting } = begin(options);
  await answer(agent, "initialize", opened);
  const opening = (await connecting).newSession({ cwd: "/a" });
  await answer(agent, "session/new", { sessionId: "s1" });
  return { agent, session: await opening };
}

it("asks for version 2 in both forms, and in one when it is strict", async () => {
  const capabilities = { clientCapabilities: { terminal: false } };
  const first = begin(capabilities).agent;
  const both = await first.take("initialize");
  await first.close();
  const info = { name: "c", version: "1" };
  const form = { protocolVersion: 2, info, capabilities: {} };
  expect(both["params"]).toEqual({ ...form, clientInfo: info, ...capabilities });
  const second = begin({ ...capabilities, strict: true }).agent;
  const strict = await second.take("initialize");
  await second.close();
  expect(strict["params"]).toEqual(form);
});

it.each([
  [{ protocolVersion: 3, info: opened.info }, "the agent speaks protocol version 3, this client speaks 2 and 1"],
  [{ protocolVersion: "2" }, "result.protocolVersion"],
  [{ protocolVersion: 2, info: { name: "raw" } }, "info.version"],
])("refuses %j in one line", async (result, message) => {
  const { agent, connecting } = begin();
  await answer(agent, "initialize", result);
  await expect(connecting).rejects.toMatchObject({ code: "invalid_result", message: expect.stringContaining(message) });
});

it("names the versions of an agent that refuses its own", async () => {
  const { agent, connecting } = begin({ versions: [2] });
  const { id } = await agent.take("initialize");
  const data = { requested: 2, supported: [1] };
  agent.send({ jsonrpc: "2.0", id, error: { code: -32022, message: "unsupported", data } });
  await expect(connecting).rejects.toThrow("the agent speaks protocol version 1, this client speaks 2");
});

it.each([
  { code: -32022, message: "unsupported", data: { requested: 2, supported: [1] } },
  { code: -32602, message: "protocolVersion" },
])("asks again for version 1 after the error %j", async (error) => {
  const { agent, connecting } = begin();
  const { id } = await agent.take("initialize");
  agent.send({ jsonrpc: "2.0", id, error });
  const again = await agent.take("initialize");
  expect(again["params"]).toMatchObject({ protocolVersion: 1, clientInfo: { name: "c" } });
  agent.send({ jsonrpc: "2.0", id: again["id"], result: { protocolVersion: 1 } });
  expect((await connecting).protocolVersion).toBe(1);
});

it("hints at the option when an agent answers version 2 to a client of version 1", async () => {
  const { agent, connecting } = begin({ versions: [1] });
  await answer(agent, "initialize", { ...opened });
  await expect(connecting).rejects.toThrow("speaks protocol version 2, this client speaks 1; versions: [2, 1]");
});

it("speaks version 1 with an agent that repeats the version and answers in the form of version 1", async () => {
  const diagnostics: string[] = [];
  const { agent, connecting } = begin({ onDiagnostic: ({ id }) => diagnostics.push(id) });
  await answer(agent, "initialize", { protocolVersion: 2, agentCapabilities: {} });
  const client = await connecting;
  expect(client).toMatchObject({ protocolVersion: 1, profile: { name: "v1" } });
  expect(diagnostics).toContain("version-echo");
});

it.each([[[]], [[3]], ["2"], [[1, "2"]]])("throws a TypeError for the versions %j", async (versions) => {
  await expect(connectAcp(memoryPair()[0], { versions: versions as never })).rejects.toThrow(TypeError);
});

it("ends no turn with an idle that belongs to nobody", async () => {
  const { agent, session } = await open();
  state(agent, "idle");
  const turn = session.prompt("x");
  const { id } = await agent.take("session/prompt");
  state(agent, "idle", { stopReason: "end_turn" }); // before its insertion, after nothing
  state(agent, "running");
  state(agent, "idle", { stopReason: "end_turn" }); // of earlier work
  update(agent, { sessionUpdate: "user_message", messageId: "u1", content: [] });
  agent.send({ jsonrpc: "2.0", id, result: { messageId: "u1" } });
  state(agent, "idle", { stopReason: "refusal" }); // a repeated snapshot
  state(agent, "running");
  update(agent, chunk("done"));
  state(agent, "idle", { stopReason: "max_tokens" });
  expect(await turn.readText()).toBe("done");
  expect(await turn.stopReason).toBe("max_tokens");
});

it("ends the turn of an agent that never says that it works, with a diagnostic", async () => {
  const diagnostics: string[] = [];
  const { agent, session } = await open({ onDiagnostic: ({ id }) => diagnostics.push(id) });
  const turn = session.prompt("x");
  await answer(agent, "session/prompt", {}); // as the draft of August
  update(agent, chunk("done"));
  state(agent, "idle", { stopReason: "end_turn" });
  expect(await turn.readText()).toBe("done");
  expect(diagnostics).toEqual(["message-id", "no-running"]);
});

it("drops a malformed update of a known kind, and passes on one of an unknown kind", async () => {
  const errors: string[] = [];
  const { agent, session } = await open({ onError: (error) => errors.push(String(error)) });
  const turn = session.prompt("x");
  await answer(agent, "session/prompt", { messageId: "u1" });
  state(agent, "running");
  update(agent, { sessionUpdate: "agent_message_chunk", messageId: "a1", content: { type: "text" } });
  update(agent, { sessionUpdate: "_hint", anything: 1 });
  update(agent, chunk("done"));
  state(agent, "idle", { stopReason: "end_turn" });
  const unknown: unknown[] = [];
  for await (const event of turn)
    if (event.type === "unknown" && event.update.sessionUpdate.startsWith("_")) unknown.push(event.update);
  expect(unknown).toEqual([{ sessionUpdate: "_hint", anything: 1 }]);
  expect(errors).toEqual([expect.stringMatching(/session\/update.*text/s)]);
});

it("withdraws a prompt that is not inserted yet, and cancels one that was inserted all the same", async () => {
  const { agent, session } = await open();
  const turn = session.prompt("x");
  const { id } = await agent.take("session/prompt");
  await turn.cancel();
  expect((await agent.take("$/cancel_request"))["params"]).toEqual({ requestId: id });
  agent.send({ jsonrpc: "2.0", id, error: { code: -32800, message: "cancelled" } });
  expect(await turn.stopReason).toBe("cancelled");
  const again = session.prompt("y");
  const second = await agent.take("session/prompt");
  await again.cancel();
  agent.send({ jsonrpc: "2.0", id: second["id"], result: { messageId: "u2" } });
  await agent.take("session/cancel");
  state(agent, "running");
  state(agent, "idle", { stopReason: "cancelled" });
  expect(await again.stopReason).toBe("cancelled");
});

it("rejects an inserted turn when the connection is lost", async () => {
  const { agent, session } = await open();
  const turn = session.prompt("x");
  await answer(agent, "session/prompt", { messageId: "u1" });
  state(agent, "running");
  await agent.close();
  await expect(turn.stopReason).rejects.toMatchObject({ code: "closed" });
});

it("refuses an MCP server that the agent does not declare to start", async () => {
  const { agent, connecting } = begin();
  await answer(agent, "initialize", opened);
  const client = await connecting;
  const mcpServers = [{ name: "m", command: "/bin/m", args: [], env: [] }];
  await expect(client.newSession({ cwd: "/a", mcpServers })).rejects.toThrow(
    "session/new: the agent does not declare the capability session.mcp.stdio",
  );
});
