import { memoryPair } from "@editwire/transport";
import { expect, it } from "vitest";
import { ClientToolCalls } from "../src/client/tool-calls.js";
import {
  type AcpAgent,
  type AcpClient,
  type AcpClientOptions,
  type AcpSession,
  connectAcp,
  serveAcp,
  type AcpTurnEvent,
} from "../src/index.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

const text = (said: string): object => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: said },
});

async function answer(agent: RawPeer, method: string, result: unknown): Promise<void> {
  const { id } = await agent.take(method);
  agent.send({ jsonrpc: "2.0", id, result });
}

function update(agent: RawPeer, body: object): void {
  agent.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update: body } });
}

async function open(
  options: AcpClientOptions = {},
  agentCapabilities: object = { loadSession: true },
): Promise<{ client: AcpClient; agent: RawPeer; session: AcpSession }> {
  const [left, right] = memoryPair();
  const agent = new RawPeer(right);
  const connecting = connectAcp(left, options);
  await answer(agent, "initialize", { protocolVersion: 1, agentCapabilities });
  const client = await connecting;
  const opening = client.newSession({ cwd: "/a" });
  await answer(agent, "session/new", { sessionId: "s1", models: { current: "m" } });
  return { client, agent, session: await opening };
}

async function typesOf(turn: AsyncIterable<AcpTurnEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const event of turn) types.push(event.type);
  return types;
}

async function promptSays(agent: RawPeer, session: AcpSession): Promise<string[]> {
  const types = typesOf(session.prompt("x"));
  const { id } = await agent.take("session/prompt");
  update(agent, text("hi"));
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  return types;
}

it("a failed load leaves a live session as it was", async () => {
  const { client, agent, session } = await open();
  const loading = client.loadSession({ sessionId: "s1", cwd: "/a" });
  const { id } = await agent.take("session/load");
  agent.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "no load" } });
  await expect(loading).rejects.toThrow("no load");
  expect(await promptSays(agent, session)).toEqual(["text", "stop"]);
});

it("a load of a live session gives the same object, which stays live", async () => {
  const { client, agent, session } = await open();
  const loading = client.loadSession({ sessionId: "s1", cwd: "/a" });
  const { id } = await agent.take("session/load");
  update(agent, text("earlier"));
  agent.send({ jsonrpc: "2.0", id, result: {} });
  expect(await loading).toBe(session);
  expect(session.state.entries).toMatchObject([{ type: "message", role: "assistant", text: "earlier" }]);
  expect(await promptSays(agent, session)).toEqual(["text", "stop"]);
});

it.each([
  ["loadSession", "session/load"],
  ["resumeSession", "session/resume"],
] as const)("%s of a live session takes the modes and settings of the answer", async (name, method) => {
  const { client, agent, session } = await open({ ignoreCapabilities: true });
  const modes = { currentModeId: "safe", availableModes: [{ id: "safe", name: "Safe" }] };
  const configOptions = [{ id: "model", name: "Model", type: "select", currentValue: "m", options: [] }];
  const opening = client[name]({ sessionId: "s1", cwd: "/a" });
  await answer(agent, method, { modes, configOptions });
  await opening;
  expect([session.modes, session.configOptions]).toEqual([modes, configOptions]);
  expect(session.state).toMatchObject({ modes, configOptions });
});

it("keeps the newest 16 Mi characters of what arrives during a load", async () => {
  const received: string[] = [];
  const { client, agent } = await open({
    onUpdate: (event) => event.type === "text" && received.push(event.text.slice(0, 2)),
  });
  const loading = client.loadSession({ sessionId: "s1", cwd: "/a" });
  const { id } = await agent.take("session/load");
  for (let place = 10; place < 40; place++) update(agent, text(`${place}${"x".repeat(1_048_576)}`));
  agent.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "gone" } });
  await expect(loading).rejects.toThrow("gone");
  expect(received).toEqual(["25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37", "38", "39"]);
});

it("a new session that gets the id of an open one is refused, and that one goes on", async () => {
  const { client, agent, session } = await open();
  const opening = client.newSession({ cwd: "/b" }).catch((error: Error) => error);
  await answer(agent, "session/new", { sessionId: "s1" });
  expect(await opening).toMatchObject({
    code: "invalid_result",
    message: "session/new: the agent answered with the id of a session that is open already, s1",
  });
  expect(await promptSays(agent, session)).toEqual(["text", "stop"]);
});

it("a new session that was asked for by the id of an open one in _meta is that one", async () => {
  const { client, agent, session } = await open();
  const opening = client.newSession({ cwd: "/b", _meta: { claudeCode: { options: { resume: "s1" } } } });
  const modes = { currentModeId: "plan", availableModes: [{ id: "plan", name: "Plan" }] };
  await answer(agent, "session/new", { sessionId: "s1", modes });
  expect(await opening).toBe(session);
  expect(session.modes).toEqual(modes);
  expect(await promptSays(agent, session)).toEqual(["text", "stop"]);
});

it("a session that is closed gives its id free", async () => {
  const { client, agent, session } = await open();
  await session.close();
  const opening = client.newSession({ cwd: "/b" });
  await answer(agent, "session/new", { sessionId: "s1" });
  expect(await promptSays(agent, await opening)).toEqual(["text", "stop"]);
});

it("a session that is closed takes no prompts, modes and settings", async () => {
  const { agent, session } = await open();
  const closing = session.close();
  expect(() => session.prompt("x")).toThrow("session/prompt: session s1 is being closed; await that first");
  expect(session.close()).toBe(closing);
  await closing;
  const sent = agent.received.length;
  expect(() => session.prompt("x")).toThrow("session/prompt: session s1 is closed; load it or open another one");
  await expect(session.setMode("safe")).rejects.toMatchObject({ code: "invalid_params" });
  await expect(session.setConfigOption("model", "m")).rejects.toThrow("session s1 is closed");
  expect(agent.received).toHaveLength(sent);
});

it("a session is loaded after its close, and not during it", async () => {
  const { client, agent, session } = await open({}, { loadSession: true, sessionCapabilities: { close: {} } });
  const closing = session.close();
  const load = () => client.loadSession({ sessionId: "s1", cwd: "/a" });
  await expect(load()).rejects.toThrow("session/load: session s1 is being closed; await that first");
  await answer(agent, "session/close", {});
  await closing;
  const loading = load();
  await answer(agent, "session/load", {});
  const loaded = await loading;
  expect(loaded).not.toBe(session);
  expect(await promptSays(agent, loaded)).toEqual(["text", "stop"]);
});

it("a session whose close fails stays open", async () => {
  const { agent, session } = await open({}, { sessionCapabilities: { close: {} } });
  const closing = session.close().catch((error: Error) => error.message);
  const { id } = await agent.take("session/close");
  agent.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "cannot close" } });
  expect(await closing).toBe("cannot close");
  expect(await promptSays(agent, session)).toEqual(["text", "stop"]);
});

it("a load during a turn is refused", async () => {
  const { client, agent, session } = await open();
  const turn = session.prompt("x");
  const loading = client.loadSession({ sessionId: "s1", cwd: "/a" }).catch((error: Error) => error.message);
  await answer(agent, "session/prompt", { stopReason: "end_turn" });
  expect(await turn.stopReason).toBe("end_turn");
  expect(agent.received.map(({ method }) => method)).not.toContain("session/load");
  expect(await loading).toContain("has a running turn");
});

it("a session whose load failed is unknown again", async () => {
  const reported: string[] = [];
  const { client, agent } = await open({ onDiagnostic: ({ id }) => void reported.push(id) });
  const loading = client.loadSession({ sessionId: "s2", cwd: "/a" });
  const { id } = await agent.take("session/load");
  agent.send({ jsonrpc: "2.0", id, error: { code: -32002, message: "no such session" } });
  await expect(loading).rejects.toThrow("no such session");
  agent.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s2", update: text("hi") } });
  agent.send({ jsonrpc: "2.0", id: 9, method: "_acme/after", params: {} });
  await agent.next((message) => message.id === 9);
  expect(reported).toContain("unknown-session");
});

it("a session that only a permission request named is unknown again once that is answered", async () => {
  const reported: string[] = [];
  let decide = (_answer: "allow_once"): void => {};
  const answer = new Promise<"allow_once">((resolve) => (decide = resolve));
  const { agent } = await open({ onDiagnostic: ({ id }) => void reported.push(id), permission: async () => answer });
  for (const id of [7, 8]) {
    const params = { sessionId: "ghost", toolCall: { toolCallId: `t${id}` }, options: [] };
    agent.send({ jsonrpc: "2.0", id, method: "session/request_permission", params });
  }
  decide("allow_once");
  await agent.next((message) => message.id === 7);
  await agent.next((message) => message.id === 8);
  agent.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "ghost", update: text("hi") } });
  agent.send({ jsonrpc: "2.0", id: 9, method: "_acme/after", params: {} });
  await agent.next((message) => message.id === 9);
  expect(reported).toContain("unknown-session");
});

it("a cancel that is never answered ends the turn as cancelled", async () => {
  const { agent, session } = await open({ cancelGraceMs: 1 });
  const turn = session.prompt("x");
  await agent.take("session/prompt");
  await turn.cancel();
  expect(await turn.stopReason).toBe("cancelled");
});

it("a cancel that is answered end_turn ends the turn as cancelled", async () => {
  const { agent, session } = await open();
  const turn = session.prompt("x");
  const { id } = await agent.take("session/prompt");
  await turn.cancel();
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  expect(await turn.stopReason).toBe("cancelled");
});

it("asks for permission after the reader has the event of the tool call, and with its title", async () => {
  const order: string[] = [];
  const { agent, session } = await open({
    permission: async ({ toolCall }) => {
      order.push(`ask ${toolCall.title}`);
      return "reject_once";
    },
  });
  const reading = (async () => {
    for await (const event of session.prompt("x")) order.push(event.type);
  })();
  const { id } = await agent.take("session/prompt");
  update(agent, { sessionUpdate: "tool_call", toolCallId: "c", title: "Delete", status: "pending" });
  const options = [{ optionId: "no", name: "No", kind: "reject_once" }];
  await agent.call("session/request_permission", { sessionId: "s1", toolCall: { toolCallId: "c" }, options });
  expect(session.state.entries.at(-1)).toMatchObject({ toolCall: { title: "Delete", status: "rejected" } });
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  await reading;
  expect(order).toEqual(["tool_call", "ask Delete", "stop"]);
});

it("asks what a form asks after the reader has the events before it", async () => {
  const order: string[] = [];
  const { agent, session } = await open({
    elicitation: {
      form: async ({ message }) => {
        order.push(`ask ${message}`);
        return { action: "decline" };
      },
    },
  });
  const reading = (async () => {
    for await (const event of session.prompt("x")) order.push(event.type);
  })();
  const { id } = await agent.take("session/prompt");
  update(agent, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "One question." } });
  const requestedSchema = { type: "object", properties: {} };
  await agent.call("elicitation/create", { sessionId: "s1", mode: "form", message: "Which?", requestedSchema });
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  await reading;
  expect(order).toEqual(["text", "ask Which?", "stop"]);
});

it("a cancel sent through the connection answers open permission requests", async () => {
  const { client, agent } = await open({ permission: async () => undefined });
  const asked = agent.call("session/request_permission", {
    sessionId: "s1",
    toolCall: { toolCallId: "c" },
    options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
  });
  await agent.call("session/unheard_of");
  await client.connection.notify("session/cancel", { sessionId: "s1" });
  expect((await asked).result).toEqual({ outcome: { outcome: "cancelled" } });
});

it("a tool that ends in the next turn keeps its title, and null is a value", async () => {
  const { agent, session } = await open();
  update(agent, { sessionUpdate: "tool_call", toolCallId: "c", title: "Build", status: "in_progress", rawOutput: 1 });
  const turn = session.prompt("x");
  const { id } = await agent.take("session/prompt");
  update(agent, { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed", rawOutput: null });
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn", usage: { totalTokens: 5 } } });
  expect(await turn.answer).toMatchObject({ usage: { totalTokens: 5 } });
  const call = session.state.entries.find(({ type }) => type === "tool_call");
  expect(call).toMatchObject({ toolCall: { title: "Build", status: "completed", rawOutput: null } });
  expect(session.opened).toMatchObject({ models: { current: "m" } });
});

it("close cancels running turns first, and waits until the agent has ended them", async () => {
  const { client, agent, session } = await open();
  const turn = session.prompt("x");
  const { id } = await agent.take("session/prompt");
  const closing = client.close();
  await agent.take("session/cancel");
  await new Promise((resolve) => setTimeout(resolve, 0));
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled", _meta: { ended: true } } });
  await closing;
  expect(await turn.answer).toEqual({ stopReason: "cancelled", _meta: { ended: true } });
});

it("close sends the cancel again to an agent that does not end the turn, and waits no longer", async () => {
  const { client, agent, session } = await open();
  const turn = session.prompt("x");
  await agent.take("session/prompt");
  await client.close();
  expect(agent.received.slice(-2).map(({ method }) => method)).toEqual(["session/cancel", "session/cancel"]);
  expect(await turn.stopReason).toBe("cancelled");
});

it("a session that is closed in the middle of a turn cancels it first", async () => {
  const { agent, session } = await open();
  const turn = session.prompt("x");
  const { id } = await agent.take("session/prompt");
  const closing = session.close();
  await agent.take("session/cancel");
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  await closing;
  expect(await turn.stopReason).toBe("cancelled");
});

it("a thought that is not a string is kept whole", async () => {
  const { agent, session } = await open();
  const turn = session.prompt("x");
  const { id } = await agent.take("session/prompt");
  const content = { type: "image", data: "aGk=", mimeType: "image/png" };
  update(agent, { sessionUpdate: "agent_thought_chunk", content });
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  const events = [];
  for await (const event of turn) events.push(event);
  expect(events[0]).toMatchObject({ type: "thought", text: "", content });
  expect(session.state.entries.at(-1)).toMatchObject({ content });
});

it("remembers at most 1,000 tool calls, the latest ones, also across turns", () => {
  const calls = new ClientToolCalls();
  for (let call = 0; call < 5_000; call++) calls.merge({ toolCallId: String(call), title: `Call ${call}` });
  const known = Array.from({ length: 5_000 }, (_, call) => String(call)).filter(
    (call) => calls.get(call) !== undefined,
  );
  expect([known.length, known[0], known.at(-1)]).toEqual([1_000, "4000", "4999"]);
});

it("keeps 2 Mi characters of tool calls, with the titles of those that run", () => {
  const calls = new ClientToolCalls();
  calls.merge({ toolCallId: "runs", title: "Build", status: "in_progress" });
  for (let call = 0; call < 100; call++) {
    const content = [{ type: "content" as const, content: { type: "text" as const, text: "x".repeat(100_000) } }];
    calls.merge({ toolCallId: String(call), title: `Call ${call}`, status: "completed", content });
  }
  expect(calls.merge({ toolCallId: "runs", status: "completed" })).toMatchObject({ title: "Build" });
  expect([calls.get("0"), calls.get("79"), calls.get("99")?.title]).toEqual([undefined, undefined, "Call 99"]);
});

it("an agent that writes noise is not answered, and quoted when nothing else comes", async () => {
  const [here, there] = memoryPair();
  const agent = new RawPeer(there);
  const connecting = connectAcp(here);
  await agent.take("initialize");
  for (const noise of ["Loading the model", 7, { level: "info" }]) agent.send(noise);
  await agent.close();
  await expect(connecting).rejects.toThrow(/what it wrote is not ACP: .*Loading the model/);
  expect(agent.received.map(({ method }) => method)).toEqual(["initialize"]);
});

it("a client's error on a permission request does not allow the tool, and the turn goes on", async () => {
  const errors: unknown[] = [];
  const [here, there] = memoryPair();
  const agent: AcpAgent = {
    async prompt(turn) {
      const call = await turn.toolCall({ title: "Delete" });
      const { allowed } = await turn.requestPermission(call);
      await turn.text(`allowed: ${allowed}`);
    },
  };
  serveAcp(there, agent, { onError: (error) => errors.push(error) });
  const client = new RawPeer(here);
  await client.call("initialize", { protocolVersion: 1 });
  const { result } = await client.call("session/new", { cwd: "/w", mcpServers: [] });
  const turn = client.call("session/prompt", { ...(result as object), prompt: [{ type: "text", text: "x" }] });
  const { id } = await client.take("session/request_permission");
  client.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } });
  expect((await turn).result).toEqual({ stopReason: "end_turn" });
  expect(JSON.stringify(client.received)).toContain("allowed: false");
  expect(errors).toMatchObject([{ code: -32601 }]);
});
