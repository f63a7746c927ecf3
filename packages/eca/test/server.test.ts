import type { ChatContext } from "@editwire/eca-schema";
import { describe, expect, it } from "vitest";
import type { EcaServer } from "../src/index.js";
import type { Message } from "../../peer/test/raw-peer.js";
import { connected, finished, initializeParams, ready, typesOf } from "./server-peer.js";

const nothing: EcaServer = { prompt() {} };
const file = (path: string): ChatContext => ({ type: "file", path });

const behaviors = { behaviors: ["agent", "plan"] };

describe("initialize", () => {
  it("S13: tells models, behaviors, the chosen ones and a welcome", async () => {
    const { client } = connected({
      ...nothing,
      initialize: () => ({ ...behaviors, models: ["large", "small"], defaultModel: "small", welcomeMessage: "Hi" }),
    });
    expect((await client.call("initialize", initializeParams)).result).toEqual({
      models: ["large", "small"],
      chatDefaultModel: "small",
      chatBehaviors: ["agent", "plan"],
      chatDefaultBehavior: "agent",
      chatWelcomeMessage: "Hi",
    });
    expect((await connected(nothing).client.call("initialize", initializeParams)).result).toEqual({
      models: [],
      chatDefaultModel: "",
      chatBehaviors: [],
      chatDefaultBehavior: "",
      chatWelcomeMessage: "",
    });
  });

  it.each([
    [{ ...initializeParams, processId: undefined, clientInfo: null }],
    [{ ...initializeParams, initializationOptions: null }],
    [{ ...initializeParams, initializationOptions: { chatBehavior: null, chatAgent: null, theme: "dark" } }],
    [{ ...initializeParams, capabilities: { codeAssistant: { chat: {}, flying: true } } }],
    [{ ...initializeParams, clientInfo: { name: "x" }, workspaceFolders: [] }],
  ])("S14: takes %j", async (params) => {
    const server = { ...nothing, initialize: () => behaviors };
    expect((await connected(server).client.call("initialize", params)).result).toMatchObject({
      chatDefaultBehavior: "agent",
    });
  });

  it("S15: honours the behavior that the client asks for, under its older and its newer name", async () => {
    const server = { ...nothing, initialize: () => behaviors };
    const behaviorFor = async (initializationOptions: object) =>
      (
        (await connected(server).client.call("initialize", { ...initializeParams, initializationOptions }))
          .result as Record<string, unknown>
      )["chatDefaultBehavior"];
    expect(await behaviorFor({ chatBehavior: "plan" })).toBe("plan");
    expect(await behaviorFor({ chatAgent: "plan" })).toBe("plan");
    expect(await behaviorFor({ chatAgent: "code" })).toBe("agent");
    expect(await behaviorFor({ chatAgent: "dreamer" })).toBe("agent");
  });

  it("S16: comes first: other requests are -32002, notifications are dropped", async () => {
    const called: string[] = [];
    const { client } = connected({
      ...nothing,
      startMcpServer: (name) => void called.push(name),
      methods: { "chat/list": () => ({ chats: [] }) },
    });
    client.notify("mcp/startServer", { name: "x" });
    client.notify("chat/promptStop", { chatId: "x" });
    for (const [method, params] of [
      ["chat/prompt", { message: "x" }],
      ["shutdown", null],
      ["chat/queryContext", { query: "", contexts: [] }],
      ["chat/list", {}],
    ] as const) {
      expect((await client.call(method, params)).error, method).toMatchObject({ code: -32_002 });
    }
    await client.call("initialize", initializeParams);
    expect(called).toEqual([]);
    expect((await client.call("chat/list", {})).result).toEqual({ chats: [] });
    expect((await client.call("initialize", initializeParams)).error).toMatchObject({ code: -32_600 });
  });

  it("may be tried again after a refusal", async () => {
    let tries = 0;
    const { client } = connected({
      ...nothing,
      initialize: () =>
        void (
          tries++ === 0 &&
          (() => {
            throw new Error("busy");
          })()
        ),
    });
    expect((await client.call("initialize", initializeParams)).error).toMatchObject({ code: -32_603 });
    expect((await client.call("initialize", initializeParams)).result).toBeDefined();
  });

  it("S17, S18: only answers before `initialized`, then configuration, tools and the end of the start", async () => {
    const { client, server } = connected({
      initialize: () => ({ ...behaviors, models: ["m"] }),
      initialized: (connection) =>
        connection.toolServerUpdated({
          type: "native",
          name: "ECA",
          status: "running",
          tools: [{ name: "read", description: "Reads", parameters: {} }],
        }),
      prompt() {},
    });
    server.showMessage("warning", "early");
    await client.call("initialize", initializeParams);
    await client.call("chat/queryCommands", { query: "" });
    expect(client.received.every(({ method }) => method === undefined)).toBe(true);
    client.notify("initialized", {});
    client.notify("initialized", {});
    await client.until(({ params }) => params?.["type"] === "finish");
    const notifications = client.received.filter(({ method }) => method !== undefined);
    expect(notifications.map(({ method }) => method)).toEqual([
      "config/updated",
      "$/progress",
      "tool/serverUpdated",
      "$/showMessage",
      "$/progress",
    ]);
    expect(notifications.find(({ method }) => method === "config/updated")?.params).toMatchObject({
      chat: {
        models: ["m"],
        selectModel: "m",
        agents: ["agent", "plan"],
        behaviors: ["agent", "plan"],
        selectAgent: "agent",
      },
    });
    expect(notifications.find(({ method }) => method === "tool/serverUpdated")?.params).toMatchObject({
      type: "native",
      name: "ECA",
      status: "running",
      tools: [{ name: "read" }],
    });
  });

  it("S12: takes nothing, null, an object and a list for the params that say nothing", async () => {
    for (const params of [undefined, null, {}, []]) {
      const { client, server } = connected(nothing);
      await client.call("initialize", initializeParams);
      client.notify("initialized", params);
      await client.until(({ params: sent }) => sent?.["type"] === "finish");
      expect((await client.call("shutdown", params)).result).toBeNull();
      client.notify("exit", params);
      await server.ended;
      expect(server.exitCode).toBe(0);
    }
  });

  it("is not confused by a client that does not wait for the answer before it says `initialized`", async () => {
    const { client } = connected(nothing);
    client.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: initializeParams });
    client.notify("initialized", {});
    await client.until(({ params }) => params?.["type"] === "finish");
    expect(client.received[0]).toMatchObject({ id: 0, result: {} });
  });
});

describe("the end", () => {
  it("S19: shutdown stops the turns, lets the server let go, and answers null; then only exit counts", async () => {
    const log: string[] = [];
    const { client, server } = await ready({
      async prompt({ signal }) {
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        log.push("stopped");
      },
      shutdown: () => void log.push("released"),
    });
    await client.call("chat/prompt", { chatId: "c", message: "go" });
    expect(await client.call("shutdown")).toMatchObject({ result: null });
    expect(log).toEqual(["stopped", "released"]);
    expect(finished(client.contents("c")).length).toBe(1);
    expect((await client.call("chat/prompt", { message: "x" })).error).toMatchObject({ code: -32_600 });
    client.notify("mcp/stopServer", { name: "x" });
    client.notify("exit");
    await server.ended;
    expect([server.exitCode, log.length]).toEqual([0, 2]);
  });

  it("S19: exit without shutdown ends with code 1, and the server lets go all the same", async () => {
    let released = 0;
    const { client, server } = await ready({ ...nothing, shutdown: () => void released++ });
    client.notify("exit", null);
    await server.ended;
    expect([server.exitCode, released]).toEqual([1, 1]);
  });

  it("S19: a release that fails is an error for the client and for onError", async () => {
    const errors: unknown[] = [];
    const { client, server } = await ready(
      { ...nothing, shutdown: () => Promise.reject(new Error("stuck")) },
      { onError: (error) => errors.push(error) },
    );
    expect((await client.call("shutdown")).error).toMatchObject({ code: -32_603 });
    client.notify("exit");
    await server.ended;
    expect(errors).toEqual(expect.arrayContaining([new Error("stuck")]));
  });
});

describe("chat/prompt", () => {
  it("S22: makes a chat for a prompt without an id, and uses the id in everything", async () => {
    const { client } = await ready({ prompt: (turn) => void turn.text("hi") });
    for (const params of [{}, { chatId: null }]) {
      const { result } = await client.call("chat/prompt", { message: "go", ...params });
      const { chatId, status } = result as { chatId: string; status: string };
      expect(status).toBe("success");
      await client.when(() => finished(client.contents(chatId)).length === 1);
      expect(typesOf(client.contents(chatId))).toEqual(["text", "text", "progress"]);
    }
    expect(new Set(client.contents().map(({ chatId }) => chatId)).size).toBe(2);
  });

  it("S23: takes the id that a client made, and keeps what belongs to the chat", async () => {
    const { client } = await ready({
      prompt(turn) {
        const count = Number(turn.session.state.get("count") ?? 0) + 1;
        turn.session.state.set("count", count);
        void turn.text(String(count));
      },
    });
    await client.prompt("a", { chatId: "mine é 1" });
    const contents = await client.prompt("b", { chatId: "mine é 1" }, 2);
    expect(contents.filter(({ role }) => role === "assistant").map(({ text }) => text)).toEqual(["1", "2"]);
  });

  it.each([
    [{ requestId: 7 }],
    [{ "request-id": 1, chatId: null, model: null, behavior: null }],
    [{ model: null, agent: null, contexts: null }],
    [{ agent: "code", variant: "high", trust: false, requestId: "0", flavour: { of: "the day" } }],
    [
      {
        contexts: [
          {
            type: "cursor",
            path: "/a",
            position: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 } },
          },
          { type: "smell", of: "code" },
        ],
      },
    ],
  ])("S24, S39: takes %j", async (params) => {
    const { client } = await ready({ ...nothing, initialize: () => ({ models: ["m"] }) });
    const { result } = await client.call("chat/prompt", { message: "go", ...params });
    expect(result).toMatchObject({ model: "m", status: "success" });
  });

  it("S25: repeats the requestId with every content of the turn", async () => {
    const { client } = await ready(nothing);
    await client.prompt("a", { requestId: "r-1" });
    await client.prompt("b", { chatId: "c" });
    const ids = client.received
      .filter(({ method }) => method === "chat/contentReceived")
      .map(({ params }) => params?.["requestId"]);
    expect(ids).toEqual(["r-1", "r-1", "r-1", undefined, undefined, undefined]);
  });

  it("gives the handler a model and a behavior that the server has, whatever is asked for", async () => {
    const seen: unknown[] = [];
    const { client } = await ready({
      initialize: () => ({ ...behaviors, models: ["m", "n"] }),
      prompt: ({ model, behavior }) => void seen.push([model, behavior]),
    });
    await client.prompt("a", { model: "n", behavior: "plan" });
    await client.prompt("a", { model: "fake/model-1", agent: "code" });
    await client.prompt("a", { behavior: "dreamer" });
    expect(seen).toEqual([
      ["n", "plan"],
      ["m", "agent"],
      ["m", "agent"],
    ]);
  });

  it("refuses a second prompt while the chat has a turn, which goes on", async () => {
    let end = (): void => {};
    const { client } = await ready({ prompt: () => new Promise<void>((resolve) => (end = resolve)) });
    const done = client.prompt("a", { chatId: "c" });
    await client.content("progress");
    expect((await client.call("chat/prompt", { chatId: "c", message: "b" })).error).toMatchObject({
      code: -32_600,
      message: expect.stringContaining("running turn"),
    });
    end();
    expect(typesOf(await done)).toEqual(["text", "progress"]);
  });

  it("S41: keeps every chat in its own order while several run", async () => {
    const { client } = await ready({
      async prompt(turn) {
        for (let index = 0; index < 50; index++) {
          await turn.text(`${index}`);
          if (index % 7 === 0) await new Promise(setImmediate);
        }
      },
    });
    await Promise.all(["a", "b", "c"].map((chatId) => client.prompt("go", { chatId })));
    for (const chatId of ["a", "b", "c"]) {
      const texts = client
        .contents(chatId)
        .filter(({ role }) => role === "assistant")
        .map(({ text }) => text);
      expect(texts).toEqual(Array.from({ length: 50 }, (_, index) => `${index}`));
    }
  });

  it("forgets the chats that nobody used the longest", async () => {
    const { client } = await ready(
      {
        prompt: (turn) =>
          void (turn.text(turn.session.state.has("known") ? "known" : "new"), turn.session.state.set("known", true)),
      },
      { maxSessions: 2 },
    );
    for (const chatId of ["a", "b", "a", "c"])
      await client.prompt("x", { chatId }, chatId === "a" ? client.contents("a").length / 4 + 1 : 1);
    expect((await client.prompt("x", { chatId: "a" }, 3)).at(-2)).toMatchObject({ text: "known" });
    expect((await client.prompt("x", { chatId: "b" }, 2)).at(-2)).toMatchObject({ text: "new" });
  });
});

describe("queries and commands", () => {
  it("S35: leaves out what the client has, each context once, and repeats the chat's id", async () => {
    const { client } = await ready({
      ...nothing,
      queryContext: ({ query }) => ["a", "b", "a", "c"].map((name) => file(`/${query}${name}`)),
    });
    const { result } = await client.call("chat/queryContext", {
      chatId: "c",
      query: "",
      contexts: [file("/b"), { type: "repoMap" }],
    });
    expect(result).toEqual({ chatId: "c", contexts: [file("/a"), file("/c")] });
    expect((await client.call("chat/queryContext", { query: "x", contexts: [] })).result).toEqual({
      contexts: [file("/xa"), file("/xb"), file("/xc")],
    });
  });

  it("S36: gives commands with their arguments, in the words of the dialect", async () => {
    const { client } = await ready({
      ...nothing,
      queryCommands: () => [
        { name: "s:p", description: "d", type: "mcpPrompt", arguments: [{ name: "a", required: false }] },
      ],
    });
    const { result } = await client.call("chat/queryCommands", { query: "", chatId: null });
    expect(result).toEqual({
      commands: [{ name: "s:p", description: "d", type: "mcp-prompt", arguments: [{ name: "a", required: false }] }],
    });
  });

  it("S37, A27: delete stops the chat's turn and forgets it; an unknown or absent chat is not an error", async () => {
    const deleted: string[] = [];
    const { client } = await ready({
      async prompt({ session: chat, promptText: message, signal }) {
        if (message === "wait" && !signal.aborted)
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        chat.state.set("seen", Number(chat.state.get("seen") ?? 0) + 1);
      },
      deleteSession: (chat) => void deleted.push(`${chat.id}:${String(chat.state.get("seen"))}`),
    });
    await client.prompt("a", { chatId: "c" });
    const waiting = client.prompt("wait", { chatId: "c" }, 2);
    await client.when(() => client.contents("c").filter(({ role }) => role === "user").length === 2);
    expect((await client.call("chat/delete", { chatId: "c" })).result).toEqual({});
    expect(finished(await waiting).length).toBe(2);
    await client.prompt("b", { chatId: "c" }, 3);
    await client.call("chat/delete", { chatId: "c" });
    expect(deleted).toEqual(["c:2", "c:1"]);
    for (const params of [{ chatId: "unknown" }, {}, { chatId: null }, null])
      expect((await client.call("chat/delete", params)).result).toEqual({});
  });

  it("S38: starts and stops MCP servers without making anybody wait", async () => {
    const calls: string[] = [];
    const errors: unknown[] = [];
    const { client } = await ready(
      {
        ...nothing,
        startMcpServer: (name) => new Promise((_, reject) => (calls.push(`start ${name}`), reject(new Error("slow")))),
        stopMcpServer: (name) => (calls.push(`stop ${name}`), new Promise(() => {})),
      },
      { onError: (error, method) => errors.push(method, error) },
    );
    client.notify("mcp/stopServer", { name: "a" });
    client.notify("mcp/startServer", { name: "b" });
    await client.call("chat/queryCommands", { query: "" });
    expect(calls).toEqual(["stop a", "start b"]);
    expect(errors).toEqual(["mcp/startServer", new Error("slow")]);
  });
});

describe("bad input", () => {
  const refused = async (message: unknown): Promise<Message> => {
    const { client } = await ready(nothing);
    const before = client.received.length;
    client.send(message);
    await client.call("chat/queryCommands", { query: "" });
    return client.received[before] as Message;
  };

  it.each([
    [
      "S10: an unknown request",
      { jsonrpc: "2.0", id: 1, method: "foo/bar", params: {} },
      { id: 1, error: { code: -32_601 } },
    ],
    [
      "S10: a request of the 2026 dialect that the server does not handle",
      { jsonrpc: "2.0", id: 1, method: "jobs/list" },
      { id: 1, error: { code: -32_601 } },
    ],
    [
      "S11: a prompt without its message",
      { jsonrpc: "2.0", id: 1, method: "chat/prompt", params: { chatId: "c" } },
      { id: 1, error: { code: -32_602 } },
    ],
    [
      "a message that is not a string",
      { jsonrpc: "2.0", id: 1, method: "chat/prompt", params: { message: 3 } },
      { id: 1, error: { code: -32_602 } },
    ],
    [
      "a blank chat id",
      { jsonrpc: "2.0", id: 1, method: "chat/prompt", params: { message: "a", chatId: " " } },
      { id: 1, error: { code: -32_602 } },
    ],
    [
      "params that are not a structure",
      { jsonrpc: "2.0", id: 1, method: "chat/prompt", params: "x" },
      { id: 1, error: { code: -32_600 } },
    ],
    ["a request without a version", { id: 1, method: "shutdown" }, { id: 1, error: { code: -32_600 } }],
    ["a method that is not a name", { jsonrpc: "2.0", id: 1, method: 1 }, { id: 1, error: { code: -32_600 } }],
    ["a batch", [{ jsonrpc: "2.0", id: 1, method: "shutdown" }], { id: null, error: { code: -32_600 } }],
    ["a value that is not a message", "hello", { id: null, error: { code: -32_600 } }],
    [
      "an id that cannot be repeated",
      { jsonrpc: "2.0", id: {}, method: "shutdown" },
      { id: null, error: { code: -32_600 } },
    ],
  ])("%s gets its error, and the server goes on", async (_name, message, reply) => {
    expect(await refused(message)).toMatchObject(reply);
  });

  it("S10: ignores unknown notifications, and those of `$/`", async () => {
    const { client } = await ready(nothing);
    const before = client.received.length;
    for (const method of ["foo/bar", "$/setTrace", "$/cancelRequest", "textDocument/didOpen"])
      client.notify(method, {});
    await client.call("chat/queryCommands", { query: "" });
    expect(client.received.length).toBe(before + 1);
  });

  it("S42: a cancelled query is answered -32800, and a cancelled prompt still has its one end", async () => {
    const { client } = await ready({
      prompt() {},
      queryContext: () =>
        new Promise((_, reject) =>
          setImmediate(() => reject(Object.assign(new Error("gone"), { name: "AbortError" }))),
        ),
    });
    client.send({ jsonrpc: "2.0", id: "q", method: "chat/queryContext", params: { query: "", contexts: [] } });
    client.notify("$/cancelRequest", { id: "q" });
    expect((await client.until(({ id }) => id === "q")).error).toMatchObject({ code: -32_800 });
    client.send({ jsonrpc: "2.0", id: "p", method: "chat/prompt", params: { message: "a", chatId: "c" } });
    client.notify("$/cancelRequest", { id: "p" });
    await client.when(() => finished(client.contents("c")).length === 1);
  });

  it("refuses what is repaired otherwise when it is strict", async () => {
    const { client } = await ready(nothing, { strict: true });
    expect((await client.call("chat/prompt", { message: "a", chatId: null })).error).toMatchObject({ code: -32_602 });
    expect((await client.call("chat/prompt", { message: "a", chatId: "c", requestId: "1" })).result).toMatchObject({
      chatId: "c",
    });
  });
});
