import { WireError } from "@editwire/core";
import { ecaProfiles } from "@editwire/eca-schema";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import { connectEca, type EcaServerState } from "../src/index.js";
import { all, open, RawServer, seedInfo } from "./client-peer.js";

/** A client that is still initializing. */
function connecting(options: Parameters<typeof connectEca>[1] = {}) {
  const [near, far] = memoryPair();
  return { raw: new RawServer(far), opening: connectEca(near, options) };
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("the start", () => {
  it("C1: sends initialize first, nothing more before its answer, then initialized once", async () => {
    const { raw, opening } = connecting();
    const initialize = await raw.take("initialize");
    raw.notify("$/showMessage", { type: "info", message: "still starting" });
    expect(raw.log).toEqual(["initialize"]);
    raw.answer(initialize, seedInfo);
    const client = await opening;
    await raw.take("initialized");
    expect(raw.log).toEqual(["initialize", "initialized"]);
    expect(raw.received[1]).toEqual({ jsonrpc: "2.0", method: "initialized", params: {} });
    expect(client.info).toEqual(seedInfo);
    await raw.close();
  });

  it("C2: sends the workspace folders as a list, empty if need be, and insists on a scheme", async () => {
    const bare = connecting();
    expect((await bare.raw.take("initialize")).params?.["workspaceFolders"]).toEqual([]);
    const folders = [{ uri: "file:///work/project", name: "project" }];
    const given = connecting({ workspaceFolders: folders });
    expect((await given.raw.take("initialize")).params?.["workspaceFolders"]).toEqual(folders);
    for (const { raw, opening } of [bare, given]) {
      await raw.close();
      await failure(opening);
    }
    expect(
      await failure(connectEca(memoryPair()[0], { workspaceFolders: [{ uri: "/work/project", name: "project" }] })),
    ).toBeInstanceOf(TypeError);
  });

  it("C3, C20: sends the processId or null, only its own capabilities, and no null for absent fields", async () => {
    const { raw, opening } = connecting();
    expect((await raw.take("initialize")).params).toEqual({
      processId: null,
      capabilities: { codeAssistant: { chat: true, rewrite: true } },
      workspaceFolders: [],
    });
    await raw.close();
    await failure(opening);
    const full = connecting({
      processId: 42,
      clientInfo: { name: "editor" },
      initializationOptions: { chatBehavior: "plan" },
      methods: {
        "chat/askQuestion": () => ({ answer: null, cancelled: true }),
        "editor/getDiagnostics": () => ({ diagnostics: [] }),
      },
    });
    expect((await full.raw.take("initialize")).params).toEqual({
      processId: 42,
      clientInfo: { name: "editor" },
      initializationOptions: { chatBehavior: "plan" },
      capabilities: {
        codeAssistant: {
          ...{ chat: true, rewrite: true, editor: { diagnostics: true }, chatCapabilities: { askQuestion: true } },
        },
      },
      workspaceFolders: [],
    });
    await full.raw.close();
    await failure(full.opening);
  });

  it("C17: gives a server that does not answer its time, then closes", async () => {
    const { raw, opening } = connecting({ timeoutMs: 5 });
    expect(await failure(opening)).toMatchObject({ name: "WireError", code: "timeout" });
    expect(await raw.closed).toBeInstanceOf(WireError);
  });

  it("passes on the error of a server that refuses", async () => {
    const { raw, opening } = connecting();
    const { id } = await raw.take("initialize");
    raw.send({ id, error: { code: -32603, message: "no licence" } });
    expect(await failure(opening)).toMatchObject({ name: "RemoteError", code: -32603, message: "no licence" });
    await raw.closed;
  });

  it("C19: reads what comes before the answer to initialize", async () => {
    const messages: string[] = [];
    const { raw, opening } = connecting({ onMessage: (_type, message) => void messages.push(message) });
    const initialize = await raw.take("initialize");
    raw.notify("$/showMessage", { type: "info", message: "early" });
    raw.notify("tool/serverUpdated", { type: "native", name: "ECA", status: "running", tools: [] });
    raw.notify("config/updated", { chat: { models: ["later"] } });
    raw.answer(initialize, seedInfo);
    const client = await opening;
    expect(messages).toEqual(["early"]);
    expect(client.state.toolServers).toHaveLength(1);
    expect(client.state.config).toMatchObject({
      models: ["later"],
      selectModel: "m1",
      agents: ["agent", "plan"],
      welcomeMessage: "Hello",
    });
    await raw.close();
  });

  it("reads an answer of servers of 2026, which says next to nothing", async () => {
    const { client, raw } = await open({ profile: ecaProfiles.v2026 }, { chatWelcomeMessage: null });
    raw.notify("config/updated", { chat: { models: ["m"], agents: ["code"], selectAgent: "code" } });
    raw.notify("$/progress", { type: "start", taskId: "t", title: "Loading" });
    const commands = client.newSession().queryCommands("");
    raw.answer(await raw.take("chat/queryCommands"), { commands: [] });
    await commands;
    expect(client.state.config).toMatchObject({ models: ["m"], agents: ["code"], selectAgent: "code" });
    await raw.close();
  });
});

describe("messages", () => {
  it("C4, C5: makes every id once, and takes answers in any order and for nothing", async () => {
    const { client, raw, diagnostics } = await open();
    const chat = client.newSession({ sessionId: "c" });
    const commands = chat.queryCommands("a");
    const contexts = chat.queryContext("b");
    const [first, second] = [await raw.take("chat/queryCommands"), await raw.take("chat/queryContext")];
    expect(first.id).not.toBe(second.id);
    raw.send({ id: 999, result: {} });
    raw.answer(second, { contexts: [{ type: "repoMap" }] });
    raw.answer(first, { commands: [] });
    expect(await contexts).toEqual([{ type: "repoMap" }]);
    expect(await commands).toEqual([]);
    expect(diagnostics.map(({ id }) => id)).toEqual(["rpc.unknown-response"]);
    await raw.close();
  });

  it("C13, A23: answers every request of the server, that of a notification's name too", async () => {
    const { raw } = await open({
      methods: { "chat/askQuestion": ({ question }) => ({ answer: `${question} Yes.`, cancelled: false }) },
    });
    raw.send({ id: 1, method: "chat/askQuestion", params: { chatId: "c", question: "Really?" } });
    raw.send({ id: "two", method: "editor/getDiagnostics", params: {} });
    raw.send({ id: 3, method: "no/such/method" });
    raw.send({ id: 4, method: "chat/askQuestion", params: {} });
    raw.send({ id: 5, method: "$/showMessage", params: { type: "info", message: "x" } });
    const answers = await Promise.all(
      [1, "two", 3, 4, 5].map((id) => raw.next((message) => message.id === id && message.method === undefined)),
    );
    expect(answers).toMatchObject([
      { result: { answer: "Really? Yes.", cancelled: false } },
      { error: { code: -32601 } },
      { error: { code: -32601 } },
      { error: { code: -32602 } },
      { error: { code: -32601 } },
    ]);
    await raw.close();
  });

  it("reports no notification that servers send to every client", async () => {
    const { raw, client, diagnostics } = await open({ profile: ecaProfiles.v2026 });
    raw.notify("$/progress", { type: "start", taskId: "t", title: "Loading" });
    raw.notify("chat/statusChanged", { chatId: "c", status: "idle" });
    raw.notify("no/such/method", {});
    await client.close();
    expect(diagnostics.map(({ id, method }) => [id, method])).toEqual([["unknown-notification", "no/such/method"]]);
  });

  it("C14: ignores notifications that it does not know", async () => {
    const { client, raw, errors } = await open();
    for (const method of ["no/such/method", "$/progress", "$/logTrace", "jobs/updated"])
      raw.notify(method, { type: "finish", taskId: "t", jobs: [] });
    raw.notify("config/updated", {});
    const commands = client.newSession().queryCommands("");
    raw.answer(await raw.take("chat/queryCommands"), { commands: [] });
    expect(await commands).toEqual([]);
    expect(errors).toEqual([]);
    await raw.close();
  });

  it("C22: shows messages by their type, and one of no known type as info", async () => {
    const shown: string[][] = [];
    const { raw, client } = await open({ onMessage: (type, message) => void shown.push([type, message]) });
    for (const type of ["error", "warning", "info", "hint"])
      raw.notify("$/showMessage", { type, message: `a ${type}` });
    const commands = client.newSession().queryCommands("");
    raw.answer(await raw.take("chat/queryCommands"), { commands: [] });
    await commands;
    expect(shown).toEqual([
      ["error", "a error"],
      ["warning", "a warning"],
      ["info", "a info"],
      ["info", "a hint"],
    ]);
    await raw.close();
  });

  it("reports what does not fit, and goes on", async () => {
    const { client, raw, errors } = await open();
    raw.notify("chat/contentReceived", { chatId: "c", role: "assistant" });
    raw.notify("chat/contentReceived", { chatId: "c", role: "assistant", content: { type: "text" } });
    const commands = client.newSession().queryCommands("");
    raw.answer(await raw.take("chat/queryCommands"), { commands: "none" });
    expect(await failure(commands)).toMatchObject({ code: "invalid_result" });
    expect(errors).toHaveLength(2);
    await raw.close();
  });
});

describe("tool servers", () => {
  it("keeps how they are", async () => {
    const { client, raw } = await open();
    const states: EcaServerState[] = [];
    const stop = client.subscribe((state) => void states.push(state));
    raw.notify("tool/serverUpdated", {
      type: "native",
      name: "ECA",
      status: "running",
      tools: [{ name: "read", description: "", parameters: {} }],
    });
    raw.notify("tool/serverUpdated", {
      type: "mcp",
      name: "docs",
      command: "docs-mcp",
      args: ["--all"],
      status: "starting",
    });
    raw.notify("tool/serverUpdated", { type: "mcp", name: "docs", status: "running", tools: [] });
    raw.notify("tool/serverUpdated", { type: "mcp", name: "old", command: "x", args: [], status: "stopping" });
    raw.notify("tool/serverRemoved", { name: "old" });
    await client.mcp.start("docs");
    await client.mcp.stop("docs");
    expect((await raw.take("mcp/startServer")).params).toEqual({ name: "docs" });
    expect((await raw.take("mcp/stopServer")).params).toEqual({ name: "docs" });
    expect(client.state.toolServers).toMatchObject([
      { name: "ECA" },
      { name: "docs", command: "docs-mcp", args: ["--all"], status: "running" },
    ]);
    expect(states.at(-1)).toBe(client.state);
    stop();
    raw.notify("tool/serverRemoved", { name: "docs" });
    await raw.close();
    await client.closed;
    expect(states.at(-1)).not.toBe(client.state);
  });
});

describe("the end", () => {
  it("C15, C20: says shutdown, waits for its answer, then says exit, both without params", async () => {
    const { client, raw } = await open();
    const closing = client.close();
    const shutdown = await raw.take("shutdown");
    expect(raw.log).not.toContain("exit");
    raw.answer(shutdown, null);
    expect(await raw.take("exit")).toEqual({ jsonrpc: "2.0", method: "exit" });
    expect(shutdown).toEqual({ jsonrpc: "2.0", id: shutdown.id, method: "shutdown" });
    await closing;
    expect(await raw.closed).toBeInstanceOf(WireError);
    await client.close();
    expect(raw.log.filter((method) => method === "shutdown")).toHaveLength(1);
  });

  it("cancels what runs first, and no turn rejects", async () => {
    const { client, raw } = await open();
    const [running, unnamed] = [
      client.newSession({ sessionId: "a" }).prompt("Hello"),
      client.newSession().prompt("Hi"),
    ];
    raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
    await running.answer;
    const closing = client.close();
    const shutdown = await raw.take("shutdown");
    expect(raw.log.slice(-2)).toEqual(["chat/promptStop", "shutdown"]);
    raw.finish("a");
    raw.answer(shutdown, null);
    await closing;
    expect(await running.stopReason).toBe("cancelled");
    expect(await unnamed.stopReason).toBe("cancelled");
  });

  it("C15: waits for that answer no longer than it should", async () => {
    const { client, raw, errors } = await open({ shutdownTimeoutMs: 5 });
    await client.close();
    expect(raw.log.slice(2)).toEqual(["shutdown", "$/cancelRequest", "exit"]);
    expect(errors).toMatchObject([{ code: "timeout" }]);
  });

  it("C16: rejects all that is pending when the server goes", async () => {
    const { client, raw } = await open();
    const [running, unnamed] = [client.newSession({ sessionId: "running" }), client.newSession()];
    const turn = running.prompt("Hello");
    raw.answer(await raw.take("chat/prompt"), { chatId: "running", model: "m1", status: "success" });
    await turn.answer;
    const asking = unnamed.prompt("Hello");
    const query = failure(running.queryContext(""));
    await raw.close();
    for (const error of [
      await failure(turn.stopReason),
      await failure(all(turn)),
      await failure(asking.stopReason),
      await failure(asking.answer),
      await query,
    ]) {
      expect(error).toMatchObject({ name: "WireError", code: "closed" });
    }
    expect(running.state.running).toBe(false);
    expect(unnamed.state.running).toBe(false);
    await client.closed;
    await client.close();
  });
});
