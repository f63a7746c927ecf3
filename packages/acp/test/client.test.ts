import type { StopReason } from "@editwire/acp-schema";
import { isWireError, RemoteError } from "@editwire/core";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import {
  type AcpClient,
  type AcpClientOptions,
  connectAcp,
  type AcpTurnEvent,
  type AcpUpdateEvent,
} from "../src/index.js";
import { RawPeer } from "../../peer/test/raw-peer.js";
import { soon } from "../../../scripts/testing/soon.js";

const modes = {
  currentModeId: "full",
  availableModes: [
    { id: "full", name: "Full" },
    { id: "safe", name: "Safe" },
  ],
};
const info = { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] };
const text = (text: string): object => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** A client whose agent is played by the test. */
async function connectTo(options: AcpClientOptions = {}): Promise<{ client: AcpClient; agent: RawPeer }> {
  const [left, right] = memoryPair();
  const agent = new RawPeer(right);
  const connecting = connectAcp(left, options);
  await answer(agent, "initialize", info);
  return { client: await connecting, agent };
}

async function answer(agent: RawPeer, method: string, result: unknown): Promise<Record<string, unknown> | undefined> {
  const { id, params } = await agent.take(method);
  agent.send({ jsonrpc: "2.0", id, result });
  return params;
}

function update(agent: RawPeer, sessionId: string, body: object): void {
  agent.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: body } });
}

async function openSession(options: AcpClientOptions = {}) {
  const { client, agent } = await connectTo(options);
  const opening = client.newSession({ cwd: "/a" });
  await soon("session/new", Promise.race([opening, answer(agent, "session/new", { sessionId: "s1", modes })]));
  return { client, agent, session: await soon("the session", opening) };
}

async function collect(turn: AsyncIterable<AcpTurnEvent>): Promise<AcpTurnEvent[]> {
  const events: AcpTurnEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

describe("connecting", () => {
  it("V34, S41: initializes first, then opens a session with an absolute cwd and an mcpServers array", async () => {
    const { agent } = await openSession({ clientInfo: { name: "ed", version: "1" } });
    expect(agent.received).toEqual([
      {
        jsonrpc: "2.0",
        id: expect.anything(),
        method: "initialize",
        params: { protocolVersion: 1, clientInfo: { name: "ed", version: "1" } },
      },
      { jsonrpc: "2.0", id: expect.anything(), method: "session/new", params: { cwd: "/a", mcpServers: [] } },
    ]);
  });

  it("V35: closes on an agent of another protocol version and says which", async () => {
    const [left, right] = memoryPair();
    const agent = new RawPeer(right);
    const connecting = connectAcp(left);
    await Promise.all([
      expect(connecting).rejects.toThrow("the agent speaks protocol version 2, this client speaks 1"),
      answer(agent, "initialize", { ...info, protocolVersion: 2 }),
    ]);
    expect(isWireError(await agent.closed, "closed")).toBe(true);
  });

  it("P8: gives up on an agent that does not answer", async () => {
    const [left, right] = memoryPair();
    const agent = new RawPeer(right);
    await expect(connectAcp(left, { timeoutMs: 1 })).rejects.toThrow(/initialize.*1 ms/);
    await agent.closed;
  });

  it("passes on the agent's error", async () => {
    const { client, agent } = await connectTo();
    const opening = client.newSession({ cwd: "/a" });
    const { id } = await agent.take("session/new");
    agent.send({ jsonrpc: "2.0", id, error: { code: -32000, message: "Log in first" } });
    await expect(opening).rejects.toEqual(new RemoteError(-32000, "Log in first"));
  });

  it("takes null results of authenticate, session/load and session/set_mode", async () => {
    const { client, agent } = await connectTo();
    await Promise.all([client.authenticate("m"), answer(agent, "authenticate", null)]);
    const [session] = await Promise.all([
      client.loadSession({ sessionId: "s", cwd: "/a" }),
      answer(agent, "session/load", null),
    ]);
    await Promise.all([session.setMode("safe"), answer(agent, "session/set_mode", null)]);
    expect(session.modes).toBeUndefined();
  });
});

describe("sessions", () => {
  it("P3: delivers updates that overtake the session's id", async () => {
    const events: [string, AcpUpdateEvent][] = [];
    const { client, agent } = await connectTo({ onUpdate: (event, { id }) => events.push([id, event]) });
    const opening = client.newSession({ cwd: "/a" });
    const { id } = await agent.take("session/new");
    update(agent, "s9", text("early"));
    agent.send({ jsonrpc: "2.0", id, result: { sessionId: "s9" } });
    await opening;
    expect(events).toMatchObject([["s9", { type: "text", text: "early" }]]);
  });

  it("gives a session what came before its id, after a question that is still open", async () => {
    const updates: unknown[] = [];
    const { client, agent } = await connectTo({
      permission: "manual",
      onUpdate: (event, { id }) => void (event.type === "text" && updates.push([id, event.text])),
    });
    const opening = client.newSession({ cwd: "/a" });
    const { id } = await agent.take("session/new");
    const options = [{ optionId: "yes", name: "Trust it", kind: "allow_once" }];
    update(agent, "s9", text("first"));
    const asked = agent.call("session/request_permission", { sessionId: "s9", toolCall: { toolCallId: "c" }, options });
    update(agent, "s9", text(", second"));
    agent.send({ jsonrpc: "2.0", id, result: { sessionId: "s9", modes } });
    const session = await opening;
    expect(updates).toEqual(["first", ", second"].map((said) => ["s9", said]));
    const said = expect.objectContaining({ type: "message", role: "assistant", text: "first, second" });
    expect(session.state.entries).toContainEqual(said);
    expect(session.modes?.currentModeId).toBe("full");
    expect(session.permissions).toMatchObject([{ toolCall: { toolCallId: "c" } }]);
    expect(session.answerPermission("c", "allow_once")).toBe(true);
    expect(await asked).toMatchObject({ result: { outcome: { optionId: "yes" } } });
    const events = collect(session.prompt("Hello"));
    const prompt = await agent.take("session/prompt");
    update(agent, "s9", text("third"));
    agent.send({ jsonrpc: "2.0", id: prompt.id, result: { stopReason: "end_turn" } });
    expect(await events).toMatchObject([{ text: "third" }, { type: "stop" }]);
  });

  it("gives a session what came before its id, after a question that was answered", async () => {
    const { client, agent } = await connectTo({ permission: async () => "allow_once" });
    const opening = client.newSession({ cwd: "/a" });
    const { id } = await agent.take("session/new");
    const options = [{ optionId: "yes", name: "Trust it", kind: "allow_once" }];
    const asked = agent.call("session/request_permission", { sessionId: "s9", toolCall: { toolCallId: "c" }, options });
    update(agent, "s9", text("early"));
    await asked;
    agent.send({ jsonrpc: "2.0", id, result: { sessionId: "s9" } });
    expect((await opening).state.entries).toMatchObject([{ type: "message", role: "assistant", text: "early" }]);
  });

  it("reports an update for a session that it does not know", async () => {
    const diagnostics: string[] = [];
    const { client, agent } = await connectTo({ onDiagnostic: ({ id }) => diagnostics.push(id) });
    update(agent, "ghost", text("boo"));
    await Promise.all([client.authenticate("fence"), answer(agent, "authenticate", {})]);
    expect(diagnostics).toEqual(["unknown-session"]);
  });

  it("keeps what a load replays as the session's history, in order", async () => {
    const { client, agent } = await connectTo();
    const loading = client.loadSession({ sessionId: "old", cwd: "/a" });
    const { id } = await agent.take("session/load");
    update(agent, "old", { sessionUpdate: "user_message_chunk", content: { type: "text", text: "hi" } });
    update(agent, "old", text("hello"));
    agent.send({ jsonrpc: "2.0", id, result: { modes } });
    const session = await loading;
    expect(session.history.map(({ type }) => type)).toEqual(["user", "text"]);
    expect(session.modes).toEqual(modes);
  });

  it("keeps the current mode, no matter which side changes it", async () => {
    const { agent, session } = await openSession();
    await Promise.all([session.setMode("safe"), answer(agent, "session/set_mode", {})]);
    expect(session.modes?.currentModeId).toBe("safe");
    update(agent, "s1", { sessionUpdate: "current_mode_update", currentModeId: "full" });
    await expect(session.setMode("nope")).rejects.toThrow('does not offer the mode "nope", only full, safe');
    expect(session.modes?.currentModeId).toBe("full");
  });

  it("keeps its state when it is set to what it is", async () => {
    const { agent, session } = await openSession();
    const states: unknown[] = [session.state];
    session.subscribe((state) => states.push(state));
    await Promise.all([session.setMode("full"), answer(agent, "session/set_mode", {})]);
    update(agent, "s1", { sessionUpdate: "session_info_update", title: "Fix" });
    update(agent, "s1", { sessionUpdate: "session_info_update", title: "Fix" });
    update(agent, "s1", { sessionUpdate: "current_mode_update", currentModeId: "safe" });
    await Promise.all([session.setMode("safe"), answer(agent, "session/set_mode", {})]);
    expect(states).toHaveLength(3);
    expect(states).toMatchObject([{ title: undefined }, { title: "Fix" }, { modes: { currentModeId: "safe" } }]);
  });
});

describe("turns", () => {
  it("yields typed events in order and ends with the stop reason", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("Do it");
    const events = collect(turn);
    const { id, params } = await agent.take("session/prompt");
    expect(params).toEqual({ sessionId: "s1", prompt: [{ type: "text", text: "Do it" }] });
    update(agent, "s1", text("Looking"));
    update(agent, "s1", { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } });
    update(agent, "s1", {
      sessionUpdate: "tool_call",
      toolCallId: "c",
      title: "Read",
      status: "in_progress",
      kind: "read",
    });
    update(agent, "s1", { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed", rawOutput: "x" });
    update(agent, "s1", { sessionUpdate: "plan", entries: [] });
    update(agent, "s1", { sessionUpdate: "current_mode_update", currentModeId: "safe" });
    update(agent, "s1", { sessionUpdate: "_acme_progress", used: 1 });
    agent.send({ jsonrpc: "2.0", id, result: { stopReason: "max_tokens" } });
    expect(await events).toMatchObject([
      { type: "text", text: "Looking" },
      { type: "thought", text: "hm" },
      { type: "tool_call", toolCall: { toolCallId: "c", title: "Read", status: "in_progress" } },
      {
        type: "tool_call",
        toolCall: { toolCallId: "c", title: "Read", status: "completed", kind: "read", rawOutput: "x" },
      },
      { type: "plan", entries: [] },
      { type: "mode", modeId: "safe" },
      { type: "unknown", update: { sessionUpdate: "_acme_progress", used: 1 } },
      { type: "stop", stopReason: "max_tokens" },
    ]);
    expect(await turn.stopReason).toBe("max_tokens" satisfies StopReason);
  });

  it("P3, V39: delivers what comes after the turn to onUpdate", async () => {
    const late: AcpUpdateEvent[] = [];
    const { client, agent, session } = await openSession({ onUpdate: (event) => late.push(event) });
    const events = collect(session.prompt("x"));
    await answer(agent, "session/prompt", { stopReason: "end_turn" });
    await events;
    update(agent, "s1", text("late"));
    await Promise.all([client.authenticate("fence"), answer(agent, "authenticate", {})]);
    expect(late).toMatchObject([{ type: "text", text: "late" }]);
  });

  it("S44: refuses a second prompt on a busy session before it is sent", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("one");
    expect(() => session.prompt("two")).toThrow(/running turn/);
    await answer(agent, "session/prompt", { stopReason: "end_turn" });
    await turn.stopReason;
    expect(agent.received.filter(({ method }) => method === "session/prompt")).toHaveLength(1);
  });

  it("throws the agent's error where the turn is iterated, and frees the session", async () => {
    const { agent, session } = await openSession();
    const events = collect(session.prompt("x"));
    const { id } = await agent.take("session/prompt");
    agent.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "model down" } });
    await expect(events).rejects.toThrow("model down");
    const next = session.prompt("y");
    await answer(agent, "session/prompt", { stopReason: "end_turn" });
    expect(await next.stopReason).toBe("end_turn");
  });

  it("P8: ends with closed when the agent goes away", async () => {
    const { agent, session } = await openSession();
    const events = collect(session.prompt("x"));
    await agent.take("session/prompt");
    await agent.close();
    await expect(events).rejects.toMatchObject({ code: "closed" });
  });

  it("P4: slows the agent down for a slow reader, and loses nothing", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("x");
    const iterator = turn[Symbol.asyncIterator]();
    const { id } = await agent.take("session/prompt");
    const said = (i: number): string => `${i}`.padStart(5);
    for (let i = 0; i < 2000; i++) update(agent, "s1", text(said(i)));
    agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    const seen: string[] = [];
    let ahead = 0;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      if (next.value.type === "text") seen.push(next.value.text);
      await new Promise((resolve) => setImmediate(resolve));
      const received = session.state.entries.map((entry) => ("text" in entry ? entry.text : "")).join("").length / 5;
      ahead = Math.max(ahead, received - seen.length);
    }
    expect(seen).toEqual(Array.from({ length: 2000 }, (_, i) => said(i)));
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(1000);
  });

  it("lets a reader call the agent in the middle of a flood", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("x");
    const { id } = await agent.take("session/prompt");
    for (let i = 0; i < 2000; i++) update(agent, "s1", text(`${i}`));
    void agent.take("session/set_mode").then((asked) => {
      agent.send({ jsonrpc: "2.0", id: asked.id, result: {} });
      agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    });
    let count = 0;
    for await (const event of turn) {
      if (event.type === "text" && count++ === 0) await session.setMode("safe");
    }
    expect(count).toBe(2000);
  });

  it("settles an unread turn however much it says", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("x");
    const { id } = await agent.take("session/prompt");
    for (let i = 0; i < 2000; i++) update(agent, "s1", text(`${i}`));
    agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    expect(await turn.stopReason).toBe("end_turn");
    expect(() => turn[Symbol.asyncIterator]()).toThrow(/dropped unread/);
  });

  it("S45: takes what the specification's own implementation sends", async () => {
    const { agent, session } = await openSession();
    const events = collect(session.prompt("x"));
    const { id } = await agent.take("session/prompt");
    update(agent, "s1", { sessionUpdate: "user_message_chunk", content: { type: "text", text: "x" } });
    update(agent, "s1", {
      sessionUpdate: "tool_call",
      toolCallId: "c",
      title: "send",
      status: "pending",
      kind: "channel",
    });
    update(agent, "s1", {
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      status: "completed",
      content: [{ type: "text", text: "bare" }],
      rawOutput: "a string",
    });
    agent.send({ jsonrpc: "2.0", id, result: { stopReason: "" } });
    expect(await events).toMatchObject([
      { type: "user" },
      { type: "tool_call", toolCall: { status: "pending", kind: "channel" } },
      {
        type: "tool_call",
        toolCall: { rawOutput: "a string", content: [{ type: "content", content: { type: "text", text: "bare" } }] },
      },
      { type: "stop", stopReason: "end_turn" },
    ]);
  });
});

describe("cancelling", () => {
  const cancels = (agent: RawPeer): number => agent.received.filter(({ method }) => method === "session/cancel").length;

  it.each([
    ["turn.cancel()", (_abort: () => void, cancel: () => void) => cancel()],
    ["an aborted signal", (abort: () => void) => abort()],
  ])("sends session/cancel once on %s and ends as the agent says", async (_name, trigger) => {
    const { agent, session } = await openSession();
    const controller = new AbortController();
    const turn = session.prompt("x", { signal: controller.signal });
    const events = collect(turn);
    const { id } = await agent.take("session/prompt");
    trigger(
      () => controller.abort(),
      () => void turn.cancel(),
    );
    void turn.cancel();
    await agent.take("session/cancel");
    agent.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    expect(await events).toEqual([{ type: "stop", stopReason: "cancelled" }]);
    expect(cancels(agent)).toBe(1);
  });

  it("sends nothing at all when the signal was aborted before", async () => {
    const { agent, session } = await openSession();
    expect(await session.prompt("x", { signal: AbortSignal.abort() }).stopReason).toBe("cancelled");
    expect(agent.received.map(({ method }) => method)).toEqual(["initialize", "session/new"]);
  });

  it("cancels when the reader leaves the loop early", async () => {
    const { agent, session } = await openSession();
    const turn = session.prompt("x");
    const { id } = await agent.take("session/prompt");
    update(agent, "s1", text("enough"));
    for await (const event of turn) if (event.type === "text") break;
    await agent.take("session/cancel");
    agent.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    expect(await turn.stopReason).toBe("cancelled");
  });

  it("P5: takes an agent's error after a cancel for cancelled", async () => {
    const diagnostics: string[] = [];
    const { agent, session } = await openSession({ onDiagnostic: ({ id }) => diagnostics.push(id) });
    const turn = session.prompt("x");
    const { id } = await agent.take("session/prompt");
    await turn.cancel();
    agent.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "aborted" } });
    expect(await turn.stopReason).toBe("cancelled");
    expect(diagnostics).toEqual(["cancel-as-error"]);
  });
});

describe("permissions", () => {
  const options = [
    { optionId: "no", name: "No", kind: "reject_once" },
    { optionId: "yes", name: "Yes", kind: "allow_once" },
  ];
  const request = { sessionId: "s1", toolCall: { toolCallId: "c", status: "pending", rawOutput: "x" }, options };

  it.each([
    ["allow_once" as const, { outcome: "selected", optionId: "yes" }],
    ["allow_always" as const, { outcome: "selected", optionId: "yes" }],
    ["reject_always" as const, { outcome: "selected", optionId: "no" }],
    [{ optionId: "yes" }, { outcome: "selected", optionId: "yes" }],
    [{ optionId: "root" }, { outcome: "cancelled" }],
    ["cancelled" as const, { outcome: "cancelled" }],
  ])("S42: answers %j by the kind that was offered", async (decision, outcome) => {
    const { agent } = await openSession({ permission: async () => decision });
    expect((await agent.call("session/request_permission", request)).result).toEqual({ outcome });
  });

  it("S42: rejects without a handler, and when the handler fails", async () => {
    const { agent } = await openSession();
    expect((await agent.call("session/request_permission", request)).result).toEqual({
      outcome: { outcome: "selected", optionId: "no" },
    });
    const errors: unknown[] = [];
    const failing = await openSession({
      permission: () => Promise.reject(new Error("dialog broke")),
      onError: (error) => errors.push(error),
    });
    expect((await failing.agent.call("session/request_permission", request)).result).toEqual({
      outcome: { outcome: "selected", optionId: "no" },
    });
    expect(errors).toEqual([new Error("dialog broke")]);
  });

  it.each([
    ["a handler that does not decide", async () => undefined],
    ['"manual"', "manual"],
  ] as const)("%s shows a request to the state's listeners, also of an unknown call", async (_name, permission) => {
    const { agent, session } = await openSession({ permission });
    session.subscribe(() => {
      for (const { toolCall } of session.permissions) session.answerPermission(toolCall.toolCallId, "allow_once");
    });
    const { result } = await agent.call("session/request_permission", request);
    expect(result).toMatchObject({ outcome: { outcome: "selected" } });
    expect(session.permissions).toEqual([]);
  });

  it("stays open for a value that is not an answer, which only JavaScript can give", async () => {
    const { agent, session } = await openSession({ permission: "manual" });
    const asked = agent.call("session/request_permission", request);
    await soon("the question", new Promise<void>((resolve) => void session.subscribe(() => resolve())));
    const [{ toolCall } = { toolCall: { toolCallId: "" } }] = session.permissions;
    const yes = "yes" as "allow_once";
    expect(() => session.answerPermission(toolCall.toolCallId, yes)).toThrow(/expected allow_once.* string "yes"/);
    expect(session.permissions).toHaveLength(1);
    expect(session.answerPermission(toolCall.toolCallId, "allow_once")).toBe(true);
    expect((await asked).result).toMatchObject({ outcome: { outcome: "selected" } });
  });

  it("P6, V38, S43: answers cancelled to every open request after a cancel, and to later ones", async () => {
    const signals: AbortSignal[] = [];
    const { agent, session } = await openSession({
      permission: async (_request, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    const turn = session.prompt("x");
    const { id } = await agent.take("session/prompt");
    const open = [agent.call("session/request_permission", request), agent.call("session/request_permission", request)];
    await Promise.all([agent.call("session/unheard_of"), ...[]]);
    await turn.cancel();
    const later = agent.call("session/request_permission", request);
    for (const { result } of await soon("an answer to each", Promise.all([...open, later])))
      expect(result).toEqual({ outcome: { outcome: "cancelled" } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    agent.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    expect(await turn.stopReason).toBe("cancelled");
  });
});

it("names what to await when a prompt follows a loop that was left too closely", async () => {
  const { session, agent } = await openSession();
  const turn = session.prompt("one");
  const { id } = await agent.take("session/prompt");
  update(agent, session.id, text("begun"));
  for await (const { type } of turn) if (type === "text") break;
  expect(() => session.prompt("two")).toThrow(/cancelled turn that has not ended; await its stopReason first/);
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
  await turn.stopReason;
  expect(() => session.prompt("two")).not.toThrow();
});

it("lets a view take subscribe by itself, as useSyncExternalStore does", async () => {
  const { session, agent } = await openSession();
  const { subscribe } = session;
  const changed = new Promise<void>((resolve) => void subscribe(() => resolve()));
  update(agent, session.id, text("news"));
  await soon("the change", changed);
  expect(session.state).toBe(session.state);
});

it("goes on when every listener throws, or rejects", async () => {
  for (const fail of [() => Promise.reject(new Error("rejected")), () => JSON.parse("thrown") as void]) {
    const { client, agent } = await connectTo({ onWire: fail, onUpdate: fail, onDiagnostic: fail, onError: fail });
    const opening = client.newSession({ cwd: "/work" });
    await answer(agent, "session/new", { sessionId: "s1" });
    const session = await opening;
    session.subscribe(fail);
    update(agent, "s1", text("before"));
    update(agent, "s2", text("unknown session"));
    const turn = session.prompt("Hello");
    const { id } = await agent.take("session/prompt");
    agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    expect(await turn.stopReason).toBe("end_turn");
    await client.close();
  }
});
