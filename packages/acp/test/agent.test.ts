import type { SessionUpdate } from "@editwire/acp-schema";
import { RemoteError } from "@editwire/core";
import { acpProfiles } from "@editwire/acp-schema";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type AcpAgent,
  type AcpAgentOptions,
  connectAcp,
  serveAcp,
  specCapabilities,
  specModes,
} from "../src/index.js";
import { RawPeer, type Message } from "../../peer/test/raw-peer.js";
import { soon } from "../../../scripts/testing/soon.js";

const cwd = "/work/project";
const specific = { capabilities: specCapabilities, modes: specModes, replaysOnLoad: true };
const hello = [{ type: "text", text: "Hello ACP" }];

/** An agent that is started, but not initialized. */
function serve(agent: Partial<AcpAgent>, options: AcpAgentOptions = {}): RawPeer {
  const [left, right] = memoryPair();
  serveAcp(left, { ...specific, prompt: async () => "end_turn", ...agent }, { profile: acpProfiles.spec, ...options });
  return new RawPeer(right);
}

async function open(
  agent: Partial<AcpAgent>,
  options: AcpAgentOptions = {},
): Promise<{ client: RawPeer; sessionId: string }> {
  const client = serve(agent, options);
  await client.call("initialize", { protocolVersion: 1 });
  const { result } = await client.call("session/new", { cwd, mcpServers: [] });
  return { client, sessionId: (result as { sessionId: string }).sessionId };
}

const updatesOf = (client: RawPeer): SessionUpdate[] =>
  client.received.flatMap(({ method, params }) =>
    method === "session/update" ? [params?.["update"] as SessionUpdate] : [],
  );
const code = (message: Message): number | undefined => message.error?.code;

/** An agent whose turns last until they are cancelled. */
const waits: Partial<AcpAgent> = {
  prompt: ({ signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
};

describe("initialize and authenticate", () => {
  it("S08, S09: answers version 1 and the capabilities of the specification", async () => {
    const { result } = await serve({ info: { name: "a", version: "1" } }).call("initialize", { protocolVersion: 1 });
    expect(result).toEqual({
      protocolVersion: 1,
      agentInfo: { name: "a", version: "1" },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { audio: true, image: true, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: {},
      },
      authMethods: [],
    });
  });

  it("S09: declares and offers nothing that the author did not give", async () => {
    const [left, right] = memoryPair();
    serveAcp(left, { prompt: async () => {} });
    const client = new RawPeer(right);
    expect((await client.call("initialize", { protocolVersion: 1 })).result).toEqual({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { audio: false, image: false, embeddedContext: false },
      },
      authMethods: [],
    });
    const { result } = await client.call("session/new", { cwd, mcpServers: [] });
    expect(Object.keys(result as object)).toEqual(["sessionId"]);
  });

  it("V02, S08: answers version 1 to a client of another version", async () => {
    const { result } = await serve({}).call("initialize", { protocolVersion: 65535 });
    expect(result).toMatchObject({ protocolVersion: 1 });
  });

  it("refuses a textual protocolVersion and says where; takes a missing one, but not in strict mode", async () => {
    const answer = await serve({}).call("initialize", { protocolVersion: "2025-03-26" });
    expect(code(answer)).toBe(-32602);
    expect(answer.error?.message).toContain("initialize: params.protocolVersion");
    expect((await serve({}).call("initialize", {})).result).toMatchObject({ protocolVersion: 1 });
    expect(code(await serve({}, { strict: true }).call("initialize", {}))).toBe(-32602);
  });

  it("S10: authenticate answers an empty object", async () => {
    const methods: string[] = [];
    const client = serve({ authenticate: (methodId) => void methods.push(methodId) });
    expect((await client.call("authenticate", { methodId: "none" })).result).toEqual({});
    expect(methods).toEqual(["none"]);
  });

  it("reports a client that skips initialize, and refuses it in strict mode", async () => {
    const diagnostics: string[] = [];
    const tolerant = serve({}, { onDiagnostic: ({ id }) => diagnostics.push(id) });
    expect((await tolerant.call("session/new", { cwd, mcpServers: [] })).result).toBeDefined();
    expect(diagnostics).toEqual(["not-initialized"]);
    const strict = serve({}, { strict: true });
    expect(code(await strict.call("session/new", { cwd, mcpServers: [] }))).toBe(-32600);
  });
});

describe("session/new and session/load", () => {
  it("V05, S11: gives every session an id of its own", async () => {
    const { client, sessionId } = await open({});
    const { result } = await client.call("session/new", { cwd, mcpServers: [] });
    expect(sessionId).not.toBe("");
    expect((result as { sessionId: string }).sessionId).not.toBe(sessionId);
  });

  it.each([
    ["S12: a missing cwd", { mcpServers: [] }, "params.cwd"],
    ["S12: a relative cwd", { cwd: "src", mcpServers: [] }, "params.cwd: expected an absolute path"],
    ["S13: missing mcpServers", { cwd }, "params.mcpServers"],
  ])("%s is refused with -32602", async (_name, params, text) => {
    const { client } = await open({});
    const answer = await client.call("session/new", params);
    expect(code(answer)).toBe(-32602);
    expect(answer.error?.message).toContain(text);
  });

  it.each(["http", "sse"])("S14: an MCP server of type %s is refused and opens no session", async (type) => {
    const opened: string[] = [];
    const capabilities = { mcpCapabilities: { http: true, sse: true } }; // for the dialects that know them
    const { client } = await open({ capabilities, newSession: ({ id }) => void opened.push(id) });
    const { result } = await client.call("initialize", { protocolVersion: 1 });
    expect(result).toMatchObject({ agentCapabilities: { mcpCapabilities: { http: false, sse: false } } });
    const answer = await client.call("session/new", {
      cwd,
      mcpServers: [{ type, name: "remote", url: "https://mcp.example", headers: [] }],
    });
    expect(code(answer)).toBe(-32603);
    expect(answer.error?.data).toBe(`remote: the type "${type}" is not supported, only "stdio"`);
    expect(opened).toHaveLength(1);
  });

  it("S15: a stdio MCP server reaches the agent as it was sent", async () => {
    const server = {
      type: "stdio",
      name: "files",
      command: "/usr/bin/mcp-files",
      args: ["--root", "/a"],
      env: [{ name: "TOKEN", value: "t" }],
    };
    const seen: unknown[] = [];
    const { client } = await open({ newSession: ({ mcpServers }) => void seen.push(mcpServers) });
    expect((await client.call("session/new", { cwd, mcpServers: [server] })).result).toBeDefined();
    expect(seen).toEqual([[], [server]]);
  });

  it("S16: offers the four modes, and starts in one of them", async () => {
    const { client } = await open({});
    const { result } = await client.call("session/new", { cwd, mcpServers: [] });
    const { modes } = result as { modes: { currentModeId: string; availableModes: { id: string; name: string }[] } };
    expect(modes.availableModes.map(({ id }) => id)).toEqual(["full", "read-only", "safe", "sandbox"]);
    expect(modes.availableModes.every(({ name }) => name !== "")).toBe(true);
    expect(modes.currentModeId).toBe("full");
  });

  it("P3: sends a session's first updates after its id", async () => {
    const client = serve({
      newSession: (session) => session.update({ sessionUpdate: "available_commands_update", availableCommands: [] }),
    });
    await client.call("initialize", { protocolVersion: 1 });
    await client.call("session/new", { cwd, mcpServers: [] });
    await client.take("session/update");
    expect(client.received.map(({ method, id }) => method ?? typeof id)).toEqual([
      "number",
      "number",
      "session/update",
    ]);
  });

  it("V16, P12, S17: loads a session it made, replays it before the answer and answers its modes", async () => {
    const { client, sessionId } = await open({ prompt: async (turn) => void turn.text("Hi there") });
    await client.call("session/prompt", { sessionId, prompt: hello });
    const before = client.received.length;
    const { result } = await client.call("session/load", { sessionId, cwd, mcpServers: [] });
    expect(result).toMatchObject({ modes: { currentModeId: "full" } });
    expect(client.received.slice(before, -1).map(({ params }) => params?.["update"])).toEqual([
      { sessionUpdate: "user_message_chunk", content: hello[0], messageId: expect.any(String) as string },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi there" } },
    ]);
  });

  it("S17: an unknown session is an error", async () => {
    const { client } = await open({});
    expect(code(await client.call("session/load", { sessionId: "nope", cwd, mcpServers: [] }))).toBe(-32602);
  });

  it("loads a session that only the agent's store knows", async () => {
    const update: SessionUpdate = {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "last week" },
    };
    const { client } = await open({
      loadSession: ({ sessionId }) => (sessionId === "old" ? { history: [update], modeId: "safe" } : undefined),
    });
    const { result } = await client.call("session/load", { sessionId: "old", cwd, mcpServers: [] });
    expect(result).toMatchObject({ modes: { currentModeId: "safe" } });
    expect(updatesOf(client)).toEqual([update]);
  });
});

describe("session/prompt", () => {
  it.each(["end_turn", "max_tokens", "max_turn_requests", "refusal"] as const)(
    "S18: ends with %s, once",
    async (stopReason) => {
      const { client, sessionId } = await open({ prompt: async () => stopReason });
      const { result, id } = await client.call("session/prompt", { sessionId, prompt: hello });
      expect(result).toEqual({ stopReason });
      await client.call("authenticate", { methodId: "fence" });
      expect(client.received.filter((message) => message.id === id)).toHaveLength(1);
    },
  );

  it("S19: takes all five kinds of content, whole", async () => {
    const prompt = [
      ...hello,
      { type: "resource_link", uri: "file:///a.ts" },
      { type: "resource", resource: { uri: "file:///b.ts", text: "let b" } },
      { type: "resource", resource: { uri: "file:///c.bin", blob: "AAEC", mimeType: "application/octet-stream" } },
      { type: "image", data: "iVBORw0KGgo=" },
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
    ];
    const seen: unknown[] = [];
    const { client, sessionId } = await open({ prompt: async (turn) => void seen.push(...turn.prompt) });
    expect((await client.call("session/prompt", { sessionId, prompt })).result).toEqual({ stopReason: "end_turn" });
    expect(seen).toEqual(prompt);
  });

  it("S20: refuses a prompt that is not an array, and an unknown session", async () => {
    const { client, sessionId } = await open({});
    const answer = await client.call("session/prompt", { sessionId, prompt: "Hello" });
    expect(code(answer)).toBe(-32602);
    expect(answer.error?.message).toContain("params.prompt: expected array, received string");
    expect(code(await client.call("session/prompt", { sessionId: "nope", prompt: hello }))).toBe(-32602);
  });

  it("P13, V32, S21, S22: refuses a second prompt while the first runs, and accepts another after it", async () => {
    let finish = (): void => {};
    const { client, sessionId } = await open({
      prompt: () => new Promise((resolve) => (finish = () => resolve("end_turn"))),
    });
    const first = client.call("session/prompt", { sessionId, prompt: hello });
    const second = client.call("session/prompt", { sessionId, prompt: hello });
    expect(code(await soon("the answer to the second prompt", second))).toBe(-32600);
    finish();
    expect((await first).result).toEqual({ stopReason: "end_turn" });
    const third = client.call("session/prompt", { sessionId, prompt: hello });
    await client.call("authenticate", { methodId: "fence" });
    finish();
    expect((await third).result).toEqual({ stopReason: "end_turn" });
  });

  it("V31: runs turns of two sessions side by side", async () => {
    const finish = new Map<string, () => void>();
    const { client, sessionId: a } = await open({
      prompt: ({ session }) => new Promise((resolve) => finish.set(session.id, () => resolve("end_turn"))),
    });
    const { result } = await client.call("session/new", { cwd, mcpServers: [] });
    const b = (result as { sessionId: string }).sessionId;
    const turnA = client.call("session/prompt", { sessionId: a, prompt: hello });
    const turnB = client.call("session/prompt", { sessionId: b, prompt: hello });
    await client.call("authenticate", { methodId: "fence" });
    expect([...finish.keys()]).toEqual([a, b]);
    finish.get(b)?.();
    expect((await turnB).result).toEqual({ stopReason: "end_turn" });
    finish.get(a)?.();
    expect((await turnA).result).toEqual({ stopReason: "end_turn" });
  });

  it("P7: tells the client nothing of an unexpected error, and onError everything", async () => {
    const errors: unknown[] = [];
    const bug = new Error("secret path /home/me");
    const { client, sessionId } = await open(
      { prompt: () => Promise.reject(bug) },
      { onError: (error) => errors.push(error) },
    );
    const answer = await client.call("session/prompt", { sessionId, prompt: hello });
    expect(answer.error).toEqual({ code: -32603, message: "Internal error" });
    expect(errors).toEqual([bug]);
  });

  it("passes on an error that the agent throws on purpose", async () => {
    const { client, sessionId } = await open({
      prompt: () => Promise.reject(new RemoteError(-32000, "Log in first", { url: "x" })),
    });
    expect((await client.call("session/prompt", { sessionId, prompt: hello })).error).toEqual({
      code: -32000,
      message: "Log in first",
      data: { url: "x" },
    });
  });

  it("refuses a stop reason that the protocol does not have", async () => {
    const errors: unknown[] = [];
    const { client, sessionId } = await open(
      { prompt: async () => "done" as "end_turn" },
      { onError: (error) => errors.push(error) },
    );
    expect(code(await client.call("session/prompt", { sessionId, prompt: hello }))).toBe(-32603);
    expect(String(errors[0])).toContain("session/prompt: result.stopReason");
  });
});

describe("session/cancel", () => {
  it("P5, V08, V09, S23: ends the turn as cancelled and is not answered itself", async () => {
    const { client, sessionId } = await open(waits);
    const turn = client.call("session/prompt", { sessionId, prompt: hello });
    await client.call("authenticate", { methodId: "fence" });
    const before = client.received.length;
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect((await turn).result).toEqual({ stopReason: "cancelled" });
    expect(client.received.length).toBe(before + 1);
  });

  it("S24: is silent without a turn and for an unknown session", async () => {
    const { client, sessionId } = await open({});
    const before = client.received.length;
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "nope" } });
    expect((await client.call("session/prompt", { sessionId, prompt: hello })).result).toEqual({
      stopReason: "end_turn",
    });
    expect(client.received.length).toBe(before + 1);
  });

  it("does not report what a handler throws because it was cancelled", async () => {
    const errors: unknown[] = [];
    const reasons = [new DOMException("aborted", "AbortError"), new Error("a bug in the cleaning up")];
    const prompt: AcpAgent["prompt"] = ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(reasons.shift())));
    const { client, sessionId } = await open({ prompt }, { onError: (error) => errors.push(error) });
    for (let turn = 0; turn < 2; turn++) {
      const answer = client.call("session/prompt", { sessionId, prompt: hello });
      client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
      expect((await answer).result).toEqual({ stopReason: "cancelled" });
    }
    expect(errors.map(String)).toEqual(["Error: a bug in the cleaning up"]);
  });

  it("P5, S25: cancels a turn right behind its prompt", async () => {
    const { client, sessionId } = await open(waits);
    client.send({ jsonrpc: "2.0", id: "p", method: "session/prompt", params: { sessionId, prompt: hello } });
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect((await client.until(({ id }) => id === "p")).result).toEqual({ stopReason: "cancelled" });
  });

  it("S25: remembers a cancel for a turn that waits for its session to load", async () => {
    let load = (): void => {};
    const prompts: string[] = [];
    const { client } = await open({
      loadSession: () => new Promise((resolve) => (load = () => resolve({ history: [] }))),
      prompt: async ({ session }) => void prompts.push(session.id),
    });
    const loaded = client.call("session/load", { sessionId: "old", cwd, mcpServers: [] });
    const turn = client.call("session/prompt", { sessionId: "old", prompt: hello });
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "old" } });
    await client.call("authenticate", { methodId: "fence" });
    load();
    expect((await loaded).result).toBeDefined();
    expect((await turn).result).toEqual({ stopReason: "cancelled" });
    expect(prompts).toEqual([]);
  });

  it.each([
    ["returns end_turn", () => "end_turn" as const],
    ["throws", () => Promise.reject(new Error("half-way"))],
  ])("ends as cancelled when the handler %s after it", async (_name, after) => {
    const { client, sessionId } = await open({
      prompt: async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return after();
      },
    });
    const turn = client.call("session/prompt", { sessionId, prompt: hello });
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect((await turn).result).toEqual({ stopReason: "cancelled" });
  });

  it("V10: answers without a handler that ignores it, and refuses what that one still sends", async () => {
    let late: (() => unknown) | undefined;
    const { client, sessionId } = await open(
      {
        prompt: (turn) => {
          late = () => turn.text("too late");
          return new Promise(() => {});
        },
      },
      { cancelGraceMs: 1 },
    );
    const turn = client.call("session/prompt", { sessionId, prompt: hello });
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect((await turn).result).toEqual({ stopReason: "cancelled" });
    expect(late).toThrow("has ended");
  });

  it("answers without such a handler before a client stops waiting, which may prompt again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const [here, there] = memoryPair();
    let prompts = 0;
    serveAcp(here, { prompt: async () => ((prompts += 1) === 1 ? new Promise(() => {}) : "end_turn") });
    const unanswered: string[] = [];
    const client = await connectAcp(there, { onDiagnostic: ({ id }) => unanswered.push(id) });
    const session = await client.newSession({ cwd });
    const cancelled = session.prompt("Hello");
    void cancelled.cancel();
    let ended: string | undefined;
    void cancelled.stopReason.then((reason) => (ended = reason));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(ended).toBe("cancelled");
    expect(await session.prompt("Again").stopReason).toBe("end_turn");
    expect(unanswered).not.toContain("cancel-unanswered");
  });
});

describe("session/set_mode", () => {
  it("S26: switches to each mode and says so once, before the answer", async () => {
    const { client, sessionId } = await open({});
    for (const modeId of ["read-only", "safe", "sandbox", "full"]) {
      const before = client.received.length;
      expect((await client.call("session/set_mode", { sessionId, modeId })).result).toEqual({});
      expect(client.received.slice(before, -1).map(({ params }) => params?.["update"])).toEqual([
        { sessionUpdate: "current_mode_update", currentModeId: modeId },
      ]);
    }
  });

  it("S27: refuses an unknown and a missing mode without an update", async () => {
    const { client, sessionId } = await open({});
    expect(code(await client.call("session/set_mode", { sessionId, modeId: "root" }))).toBe(-32602);
    expect(code(await client.call("session/set_mode", { sessionId }))).toBe(-32602);
    expect(updatesOf(client)).toEqual([]);
  });
});

describe("JSON-RPC", () => {
  it("V23, S33: answers -32601 to an unknown request and nothing to an unknown notification", async () => {
    const { client } = await open({});
    const before = client.received.length;
    client.send({ jsonrpc: "2.0", method: "session/unheard_of", params: {} });
    expect(code(await client.call("session/unheard_of", {}))).toBe(-32601);
    expect(code(await client.call("session/cancel", { sessionId: "x" }))).toBe(-32601);
    expect(client.received.length).toBe(before + 2);
  });
});

it("keeps the newest 10,000 updates of a session for session/load", async () => {
  const { client, sessionId } = await open({
    prompt: async (turn) => {
      for (let i = 1; i <= 20_500; i++) await turn.text(`${i}`);
    },
  });
  await client.call("session/prompt", { sessionId, prompt: hello });
  const before = updatesOf(client).length;
  await client.call("session/load", { sessionId, cwd, mcpServers: [] });
  const replayed = updatesOf(client).slice(before);
  expect(replayed).toHaveLength(10_000);
  expect(replayed[0]).toMatchObject({ content: { text: "10501" } });
  expect(replayed.at(-1)).toMatchObject({ content: { text: "20500" } });
});

it("requests right behind initialize wait until the agent has let the client in", async () => {
  const order: string[] = [];
  const agent: Partial<AcpAgent> = {
    async initialize() {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("initialize");
    },
    authenticate: () => void order.push("authenticate"),
    newSession: () => void order.push("session/new"),
  };
  const raw = serve(agent, { strict: true });
  const answers = await Promise.all([
    raw.call("initialize", { protocolVersion: 1 }),
    raw.call("authenticate", { methodId: "a" }),
    raw.call("session/new", { cwd: "/w", mcpServers: [] }),
  ]);
  expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  expect(order).toEqual(["initialize", "authenticate", "session/new"]);
});
