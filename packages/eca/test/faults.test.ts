import { expect, it } from "vitest";
import { memoryPair } from "@editwire/transport";
import { connectEca, type EcaClientOptions, ecaProfiles, serveEca } from "../src/index.js";
import { ecaPair } from "../src/testing.js";
import { all, open, RawServer } from "./client-peer.js";
import type { EcaServer } from "../src/index.js";
import { connected, initializeParams, ready } from "./server-peer.js";

it("gives a client that names its chats by numbers the same numbers back", async () => {
  const { client } = await ready({ prompt: (turn) => turn.text("hello") });
  const { result } = await client.call("chat/prompt", { chatId: 1, requestId: "1", message: "hi" });
  expect(result).toMatchObject({ chatId: 1 });
  await client.content("progress", { state: "finished" });
  expect(
    client.received.flatMap(({ method, params }) => (method === "chat/contentReceived" ? [params?.["chatId"]] : [])),
  ).toEqual(expect.arrayContaining([1]));
  expect(client.contents().every(({ chatId }) => (chatId as unknown) === 1)).toBe(true);
  await client.close();
});

it("keeps late content of a cancelled turn out of the next one", async () => {
  const { client, raw, diagnostics } = await open();
  const session = client.newSession({ sessionId: "s1" });
  const first = session.prompt("one");
  raw.answer(await raw.take("chat/prompt"), { chatId: "s1", model: "m", status: "success" });
  await first.answer;
  await first.cancel();
  raw.finish("s1", { requestId: "1" });
  expect(await first.stopReason).toBe("cancelled");
  const second = session.prompt("two");
  raw.answer(await raw.take("chat/prompt"), { chatId: "s1", model: "m", status: "success" });
  raw.content("s1", "assistant", { type: "text", text: "old" }, { requestId: "1" });
  raw.content("s1", "assistant", { type: "text", text: ", older" }, { requestId: "1" });
  raw.content("s1", "assistant", { type: "text", text: "new" }, { requestId: "2" });
  raw.finish("s1", { requestId: "1" });
  raw.finish("s1", { requestId: "2" });
  expect((await all(second)).map(({ type }) => type)).toEqual(["text", "stop"]);
  expect(session.state.entries).toMatchObject([{ text: "new" }]);
  expect(diagnostics.filter(({ id }) => id === "late-content")).toHaveLength(1);
  await raw.close();
});

it("asks about a tool call once, although the server repeats it", async () => {
  const asked: string[] = [];
  const { client, raw } = await open({ permission: async ({ toolCallId }) => (asked.push(toolCallId), "allow_once") });
  const session = client.newSession({ sessionId: "s1" });
  const turn = session.prompt("one");
  raw.answer(await raw.take("chat/prompt"), { chatId: "s1", model: "m", status: "success" });
  raw.toolCall("s1", "t");
  await raw.take("chat/toolCallApprove");
  const call = { id: "t", name: "read", origin: "native", arguments: { path: "/x" } };
  raw.content("s1", "assistant", { ...call, type: "toolCallRun", manualApproval: true });
  raw.content("s1", "assistant", { ...call, type: "toolCalled", error: false, outputs: [] });
  raw.content("s1", "assistant", { ...call, type: "toolCallRun", manualApproval: true });
  raw.finish("s1");
  await turn.stopReason;
  expect(asked).toEqual(["t"]);
  expect(session.state.entries).toMatchObject([{ toolCall: { status: "completed" } }]);
  await raw.close();
});

it("shows no tools of a disabled server", async () => {
  const { client, raw } = await open();
  const update = { type: "mcp", name: "files", command: "files", args: [] };
  raw.notify("tool/serverUpdated", { ...update, status: "running", tools: [{ name: "read", parameters: {} }] });
  raw.notify("tool/serverUpdated", { ...update, status: "disabled" });
  await expect.poll(() => client.state.toolServers).toMatchObject([{ status: "disabled", tools: [] }]);
  await raw.close();
});

it("sends an output by either of its names, and ends a call whose output cannot be sent", async () => {
  const errors: unknown[] = [];
  const { client } = await ready(
    {
      async prompt(turn) {
        const one = await turn.toolCall({ name: "read", arguments: {} });
        await one.complete([{ type: "text", content: "by content" }]);
        const two = await turn.toolCall({ name: "read", arguments: {} });
        await two.complete([{ type: "text", text: 1 } as never]);
      },
    },
    { onError: (error) => void errors.push(error) },
  );
  const contents = await client.prompt("hi");
  expect(contents.filter(({ type }) => type === "toolCalled")).toMatchObject([
    { outputs: [{ text: "by content" }], error: false },
    { error: true },
  ]);
  expect(errors).toMatchObject([{ code: "invalid_params" }]);
  await client.close();
});

it("reports a behavior that the server does not have, and refuses it in strict mode", async () => {
  const reported: string[] = [];
  const handlers = { initialize: () => ({ behaviors: ["agent", "plan"] }), prompt: () => {} };
  const tolerant = await ready(handlers, { onDiagnostic: ({ id }) => void reported.push(id) });
  await tolerant.client.prompt("hi", { behavior: "dance", requestId: "1" });
  expect(reported).toContain("unknown-behavior");
  await tolerant.client.close();
  const strict = await ready(handlers, { strict: true });
  const { error } = await strict.client.call("chat/prompt", { message: "hi", behavior: "dance", requestId: "1" });
  expect(error).toMatchObject({ code: -32602 });
  expect(error?.message).toContain("expected one of agent, plan");
  await strict.client.close();
});

it("sends nothing but answers before the client is ready", async () => {
  const reported: string[] = [];
  const server: EcaServer = { prompt: (turn) => turn.text("hello") };
  const tolerant = connected(server, { onDiagnostic: ({ id }) => void reported.push(id) });
  void tolerant.server.connection.notify("$/showMessage", { type: "info", message: "early" });
  await tolerant.client.call("initialize", initializeParams);
  await tolerant.client.call("chat/update", { chatId: "a", title: "Title" });
  expect(tolerant.client.received.filter(({ method }) => method !== undefined)).toEqual([]);
  await tolerant.client.prompt("hi", { chatId: "a" });
  expect(reported).toEqual(["not-initialized"]);
  expect(tolerant.client.received.filter(({ method }) => method !== undefined)[0]).toMatchObject({
    method: "config/updated",
  });
  await tolerant.client.close();
  const strict = connected(server, { strict: true });
  await strict.client.call("initialize", initializeParams);
  expect((await strict.client.call("chat/prompt", { message: "hi", requestId: "1" })).error).toMatchObject({
    code: -32600,
    message: "chat/prompt: initialized comes first",
  });
  await strict.client.close();
});

it.each([
  ["spec", ['{"path":', '{"path":"/x"}']],
  ["v2026", ['{"path":', '"/x"}']],
] as const)(
  "streams the arguments of a tool call in %s, and rejects one whose arguments are not an object",
  async (name, texts) => {
    async function* pieces(...texts: string[]): AsyncGenerator<string> {
      yield* texts;
    }
    const allowed: boolean[] = [];
    const { client } = await ready(
      {
        async prompt(turn) {
          const call = await turn.toolCall({ name: "read", argumentsText: pieces('{"path":', '"/x"}') });
          allowed.push(call.allowed);
          await call.complete("done");
          await turn.toolCall({ name: "read", argumentsText: pieces("[1]") }).catch(async (error: unknown) => {
            await turn.text(String(error));
          });
          const text = await turn.toolCall({ name: "read", argumentsText: '{"path":"/y"}', title: "Reading" });
          await text.complete("done");
        },
      },
      { profile: ecaProfiles[name] },
    );
    const contents = await client.prompt("hi");
    const calls = contents.filter(({ type }) => type.startsWith("toolCall") && type !== "toolCallRunning");
    expect(calls).toMatchObject([
      ...texts.map((argumentsText) => ({ type: "toolCallPrepare", argumentsText })),
      { type: "toolCallRun", arguments: { path: "/x" } },
      { type: "toolCalled", arguments: { path: "/x" }, error: false },
      { type: "toolCallPrepare", argumentsText: "[1]" },
      { type: "toolCallRejected" },
      { type: "toolCallPrepare", argumentsText: '{"path":"/y"}', summary: "Reading" },
      { type: "toolCallRun", arguments: { path: "/y" }, summary: "Reading" },
      { type: "toolCalled", arguments: { path: "/y" }, summary: "Reading" },
    ]);
    expect(contents.find(({ text }) => String(text).includes("expected a JSON object"))).toBeDefined();
    expect(allowed).toEqual([true]);
    await client.close();
  },
);

it("repeats the whole arguments of a call so rarely that a long stream stays in proportion", async () => {
  async function* pieces(): AsyncGenerator<string> {
    yield '{"text":"';
    for (let index = 0; index < 2_000; index++) yield "x".repeat(10);
    yield '"}';
  }
  const { client } = await ready({
    async prompt(turn) {
      await (await turn.toolCall({ name: "write", argumentsText: pieces() })).complete("done");
    },
  });
  const sent = (await client.prompt("hi")).flatMap(({ argumentsText: text }) =>
    typeof text === "string" ? [text] : [],
  );
  expect(sent.at(-1)).toBe(`{"text":"${"x".repeat(20_000)}"}`);
  expect(sent.join("").length).toBeLessThan(120_000);
});

it("calls a server's handlers with their object", async () => {
  const cleared: string[] = [];
  class Server implements EcaServer {
    readonly name = "mine";
    prompt(): void {}
    clearSession(): void {
      cleared.push(this.name);
    }
  }
  const { client } = await ready(new Server());
  await client.prompt("hi", { chatId: "a" });
  expect((await client.call("chat/clear", { chatId: "a" })).result).toEqual({});
  expect(cleared).toEqual(["mine"]);
  await client.close();
});

it("rejects tool calls without a permission handler, and leaves them open with manual", async () => {
  const rejecting = await open();
  rejecting.client.newSession({ sessionId: "s1" }).prompt("one");
  rejecting.raw.answer(await rejecting.raw.take("chat/prompt"), { chatId: "s1", model: "m", status: "success" });
  rejecting.raw.toolCall("s1", "t");
  expect((await rejecting.raw.take("chat/toolCallReject")).params).toEqual({ chatId: "s1", toolCallId: "t" });
  await rejecting.raw.close();
});

it("speaks the dialect that the answer to initialize shows, unless one is named", async () => {
  const requests = async (options: EcaClientOptions, info?: object): Promise<unknown> => {
    const { client, raw } = await open(options, info);
    client.newSession().prompt("one", { behavior: "plan" });
    const { params } = await raw.take("chat/prompt");
    await raw.close();
    return { isNamed: params?.["chatId"] !== undefined, agent: params?.["agent"], behavior: params?.["behavior"] };
  };
  const spec = { isNamed: false, agent: undefined, behavior: "plan" };
  const v2026 = { isNamed: true, agent: "plan", behavior: undefined };
  expect(await requests({})).toEqual(spec);
  expect(await requests({}, { chatWelcomeMessage: "Hi" })).toEqual(v2026);
  expect(await requests({ profile: ecaProfiles.spec }, { chatWelcomeMessage: "Hi" })).toEqual(spec);
  expect(await requests({ profile: ecaProfiles.v2026 })).toEqual(v2026);
});

it("sends initialized before a listener of the state is called", async () => {
  const [near, far] = memoryPair();
  const raw = new RawServer(far);
  const opening = connectEca(near, { shutdownTimeoutMs: 50 });
  raw.answer(await raw.take("initialize"), { chatWelcomeMessage: "Hi" });
  raw.notify("config/updated", { chat: { welcomeMessage: "Hello" } });
  const client = await opening;
  expect(raw.log.slice(0, 2)).toEqual(["initialize", "initialized"]);
  expect(client.state.config).toMatchObject({ welcomeMessage: "Hello" });
  await raw.close();
});

it("takes the options of every way in, and refuses wrong ones", async () => {
  const seen: string[] = [];
  const { client } = await ecaPair(
    { prompt: (turn) => turn.text("hello") },
    { client: { onWire: (direction) => void seen.push(direction), maxQueued: 100, timeoutMs: 1_000 } },
  );
  expect(await all(client.newSession().prompt("hi"))).toMatchObject([
    { type: "user" },
    { type: "progress" },
    { type: "text", text: "hello" },
    { type: "stop", stopReason: "end_turn" },
  ]);
  await expect(client.newSession().queryCommands("", { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "aborted",
  });
  await client.close();
  expect(new Set(seen).size).toBe(2);
  const [near, far] = memoryPair();
  expect(() => serveEca(far, { prompt() {} }, { maxCalls: -1 })).toThrow(/serveEca: expected maxCalls/);
  expect(() => serveEca(far, {} as never)).toThrow(/expected the server to have a function prompt/);
  await expect(connectEca(near, { permission: "always" as never })).rejects.toThrow(/expected permission/);
});

it("takes the id of a session from its second answer when the first one comes too late", async () => {
  const { client, raw, diagnostics } = await open({ cancelGraceMs: 5 });
  const session = client.newSession();
  const first = session.prompt("one");
  const asked = await raw.take("chat/prompt");
  expect(asked.params).not.toHaveProperty("chatId");
  await first.cancel();
  expect(await first.stopReason).toBe("cancelled");
  expect(session.id).toBeUndefined();
  const second = session.prompt("two");
  const again = await raw.take("chat/prompt");
  expect(again.params).not.toHaveProperty("chatId");
  raw.answer(asked, { chatId: "late", model: "m", status: "success" });
  raw.content("late", "assistant", { type: "text", text: "old" }, { requestId: asked.params?.["requestId"] });
  raw.finish("late", { requestId: asked.params?.["requestId"] });
  raw.answer(again, { chatId: "now", model: "m", status: "success" });
  raw.content("now", "assistant", { type: "text", text: "new" });
  raw.finish("now");
  expect((await all(second)).flatMap((event) => (event.type === "text" ? [event.text] : []))).toEqual(["new"]);
  expect(session.id).toBe("now");
  expect(session.state.entries).toMatchObject([{ text: "new" }]);
  const third = session.prompt("three");
  expect((await raw.take("chat/prompt")).params).toMatchObject({ chatId: "now" });
  raw.finish("now", { requestId: "3" });
  await all(third);
  expect(diagnostics.map(({ id }) => id)).toContain("cancel-unanswered");
});
