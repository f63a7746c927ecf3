import { ecaProfiles } from "@editwire/eca-schema";
import { describe, expect, it, vi } from "vitest";
import { errorWord } from "../src/index.js";
import type { EcaEditorLocations } from "../src/client/api.js";
import type { Message } from "../../peer/test/raw-peer.js";
import { all, open, type Opened, seedInfo } from "./client-peer.js";

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A client of a server of 2026, which has reported two models and two agents. */
async function opened(): Promise<Opened> {
  const both = await open({}, {});
  both.raw.notify("config/updated", {
    chat: { models: ["m1", "m2"], selectModel: "m1", agents: ["code", "plan"], selectAgent: "code" },
  });
  both.raw.notify("tool/serverUpdated", { type: "native", name: "ECA", status: "running", tools: [] });
  await new Promise<void>((resolve) => {
    const stop = both.client.subscribe(({ toolServers }) => toolServers.length > 0 && (stop(), resolve()));
    if (both.client.state.toolServers.length > 0) resolve();
  });
  return both;
}

/** Answers the next request of a method, and returns its params. */
async function answered({ raw }: Opened, method: string, result: unknown): Promise<Message["params"]> {
  const request = await raw.take(method);
  raw.answer(request, result);
  return request.params;
}

describe("models and agents", () => {
  it("are read in one place, in both dialects", async () => {
    for (const { client } of [await opened(), await open()]) {
      expect([client.models.offered, client.models.selected]).toEqual([["m1", "m2"], "m1"]);
      expect(client.agents.offered).toContain("plan");
      expect(client.agents.selected).toBe(client.agents.offered[0]);
    }
  });

  it("are selected for all sessions or for one, which a server of 2026 is notified of", async () => {
    const { client, raw } = await opened();
    const [one, other] = [client.newSession({ sessionId: "a" }), client.newSession({ sessionId: "b" })];
    await client.models.select("m2");
    expect((await raw.take("chat/selectedModelChanged")).params).toEqual({ model: "m2" });
    await one.agents.select("plan");
    expect((await raw.take("chat/selectedAgentChanged")).params).toEqual({ chatId: "a", agent: "plan" });
    expect([one.models.selected, one.agents.selected, other.agents.selected]).toEqual(["m2", "plan", "code"]);
    expect(await failure(client.models.select("m3"))).toMatchObject({ code: "invalid_params" });
    one.prompt("hi").stopReason.catch(() => {});
    expect((await raw.take("chat/prompt")).params).toMatchObject({ model: "m2", agent: "plan" });
    other.prompt("hi", { model: "m1" }).stopReason.catch(() => {});
    const { params } = await raw.take("chat/prompt");
    expect(params).toMatchObject({ model: "m1" });
    expect(params).not.toHaveProperty("agent");
  });

  it("call a listener when the configuration has changed, of all sessions or of one, and only then", async () => {
    const { client, raw } = await opened();
    const session = client.newSession({ sessionId: "a" });
    const seen: (string | undefined)[] = [];
    const stop = session.agents.subscribe(() => seen.push(session.agents.selected));
    let changes = 0;
    client.agents.subscribe(() => (changes += 1));
    const text = { type: "text", text: "hello" };
    raw.notify("chat/contentReceived", { chatId: "a", role: "assistant", content: text });
    raw.notify("tool/serverUpdated", { type: "mcp", name: "other", status: "running" });
    raw.notify("config/updated", { chat: { selectAgent: "plan" } });
    raw.notify("config/updated", { chatId: "a", chat: { selectAgent: "code" } });
    await vi.waitFor(() => expect(seen).toEqual(["plan", "code"]));
    expect(session.state.entries).toMatchObject([{ text: "hello" }]);
    expect(changes).toBe(1);
    stop();
    await session.agents.select("plan");
    expect(seen).toHaveLength(2);
  });

  it("go with the prompts to a server of 2025, which has no other way to be notified", async () => {
    const { client, raw } = await open({ profile: ecaProfiles.spec }, seedInfo);
    await client.models.select("m2");
    await client.agents.select("plan");
    client
      .newSession({ sessionId: "a" })
      .prompt("hi")
      .stopReason.catch(() => {});
    expect((await raw.take("chat/prompt")).params).toMatchObject({ model: "m2", behavior: "plan" });
    expect(raw.log).not.toContain("chat/selectedModelChanged");
  });
});

describe("the helpers of a server of 2026", () => {
  it.each([
    ["enable", "mcp/enableServer"],
    ["disable", "mcp/disableServer"],
    ["login", "mcp/connectServer"],
    ["logout", "mcp/logoutServer"],
    ["start", "mcp/startServer"],
    ["stop", "mcp/stopServer"],
  ] as const)("mcp.%s sends %s", async (helper, method) => {
    const { client, raw } = await opened();
    await client.mcp[helper]("docs");
    expect((await raw.take(method)).params).toEqual({ name: "docs" });
  });

  it("add, change and remove MCP servers, and say why they could not", async () => {
    const both = await opened();
    const { mcp } = both.client;
    const added = mcp.add({ name: "docs", command: "docs-mcp", env: { A_b: "1" }, timeoutMs: 1_000 });
    const server = { type: "mcp", name: "docs", status: "starting" };
    expect(await answered(both, "mcp/addServer", { server })).toEqual({
      ...{ name: "docs", command: "docs-mcp", env: { A_b: "1" } },
    });
    expect(await added).toMatchObject(server);
    const updating = mcp.update({ name: "docs", args: ["-v"] });
    expect(await answered(both, "mcp/updateServer", {})).toEqual({ name: "docs", args: ["-v"] });
    await updating;
    const removing = failure(mcp.remove("docs"));
    await answered(both, "mcp/removeServer", { error: { code: "server_not_found", message: "none" } });
    expect(errorWord(await removing)).toBe("server_not_found");
    const refused = failure(mcp.add({ name: "docs" }));
    const { id } = await both.raw.take("mcp/addServer");
    both.raw.send({ id, error: { code: "server_exists", message: "it is there", data: { name: "docs" } } });
    expect(errorWord(await refused)).toBe("server_exists");
  });

  it("read providers and jobs, whose changes the client's state follows", async () => {
    const both = await opened();
    const { client, raw } = both;
    const provider = { id: "anthropic", configured: true, auth: { status: "unauthenticated" }, models: [] };
    const listing = client.providers.list();
    await answered(both, "providers/list", { providers: [provider] });
    expect(await listing).toEqual([provider]);
    const login = client.providers.login({ provider: "anthropic", method: "max" });
    expect(await answered(both, "providers/login", { action: "input", fields: [] })).toEqual({
      ...{ provider: "anthropic", method: "max" },
    });
    expect(await login).toEqual({ action: "input", fields: [] });
    const input = client.providers.loginInput({ provider: "anthropic", data: { "api-key": "k" } });
    expect(await answered(both, "providers/loginInput", { action: "done" })).toMatchObject({
      data: { "api-key": "k" },
    });
    await input;
    raw.notify("providers/updated", { ...provider, auth: { status: "authenticated" } });
    const job = { id: "j1", type: "shell", status: "running", label: "npm test", summary: null, exitCode: null };
    const jobs = [{ ...job, startedAt: "2026-01-01T00:00:00Z", elapsed: "1s", chatId: "a", chatLabel: "A" }];
    raw.notify("jobs/updated", { jobs });
    const killing = client.jobs.kill("j1");
    expect(await answered(both, "jobs/kill", { killed: true })).toEqual({ jobId: "j1" });
    expect(await killing).toBe(true);
    expect(client.state).toMatchObject({ providers: [{ id: "anthropic", auth: { status: "authenticated" } }], jobs });
    const output = client.jobs.readOutput("j1");
    await answered(both, "jobs/readOutput", { lines: [], status: "killed", exitCode: 1 });
    expect(await output).toMatchObject({ status: "killed" });
    const abort = new AbortController();
    const aborted = failure(client.jobs.list({ signal: abort.signal }));
    await raw.take("jobs/list");
    abort.abort();
    expect(await aborted).toMatchObject({ code: "aborted" });
  });

  it("complete text at the cursor, and throw why there is none", async () => {
    const both = await opened();
    const at = { docText: "a", docVersion: 1, position: { line: 1, character: 2 } };
    const item = { text: "b", docVersion: 1, range: { start: at.position, end: at.position } };
    const completing = both.client.completeInline(at);
    expect(await answered(both, "completion/inline", { items: [item] })).toEqual(at);
    expect(await completing).toEqual([item]);
    const none = failure(both.client.completeInline(at));
    await answered(both, "completion/inline", { type: "warning", message: "no model" });
    expect(await none).toMatchObject({ name: "RemoteError", message: "completion/inline: no model" });
  });

  it("answer where a symbol is defined and used", async () => {
    const range = { start: { line: 1, character: 1 }, end: { line: 1, character: 2 } };
    let answer: EcaEditorLocations = [{ uri: "file:///a.ts", range }];
    const { raw } = await open({
      definition: () => answer,
      references: () => Promise.reject(new Error("a secret")),
    });
    const place = { uri: "file:///a.ts", position: range.start };
    raw.send({ id: 7, method: "editor/getDefinition", params: place });
    raw.send({ id: 8, method: "editor/getReferences", params: place });
    expect((await raw.next(({ id }) => id === 7)).result).toEqual({
      ...{ status: "success", locations: [{ uri: "file:///a.ts", range }] },
    });
    for (const status of ["starting", "no-server"] as const) {
      answer = status;
      raw.send({ id: status, method: "editor/getDefinition", params: place });
      expect((await raw.next(({ id }) => id === status)).result).toEqual({ status });
    }
    expect((await raw.next(({ id }) => id === 8)).error).toMatchObject({ code: -32_603, message: "Internal error" });
    expect(raw.received[0]?.params?.["capabilities"]).toMatchObject({
      codeAssistant: { editor: { definition: true, references: true } },
    });
  });
});

describe("a session's helpers", () => {
  it("steer a running turn, and no other", async () => {
    const { client, raw } = await opened();
    const session = client.newSession({ sessionId: "a" });
    expect(await failure(session.steer("no"))).toMatchObject({ code: "invalid_params" });
    const turn = session.prompt("go");
    raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "prompting" });
    await turn.answer;
    await session.steer("faster");
    expect((await raw.take("chat/promptSteer")).params).toEqual({ chatId: "a", message: "faster" });
    await session.cancelSteer();
    expect((await raw.take("chat/promptSteerRemove")).params).toEqual({ chatId: "a" });
    raw.finish("a");
    await all(turn);
  });

  it("add flags, and remove them from the state too", async () => {
    const both = await opened();
    const session = both.client.newSession({ sessionId: "a" });
    const adding = session.addFlag("c1", "here");
    expect(await answered(both, "chat/addFlag", {})).toEqual({ chatId: "a", contentId: "c1", text: "here" });
    await adding;
    for (const contentId of ["f1", "f2"]) both.raw.content("a", "system", { type: "flag", text: "here", contentId });
    const removing = session.removeFlag("f1");
    expect(await answered(both, "chat/removeFlag", {})).toEqual({ chatId: "a", contentId: "f1" });
    await removing;
    expect(session.state.entries).toMatchObject([{ type: "content", content: { contentId: "f2" } }]);
  });

  it("read the past in pages, also into the state, and say when a cursor is too old", async () => {
    const both = await opened();
    const { client, raw } = both;
    const loading = client.loadSession({ sessionId: "a", limit: 1 });
    const request = await raw.take("chat/open");
    expect(request.params).toEqual({ chatId: "a", limit: 1 });
    raw.content("a", "user", { type: "text", text: "third\n", contentId: "c3" });
    raw.answer(request, { found: true, chatId: "a", meta: { total: 3, returned: 1, beforeCursor: "k2" } });
    const session = await loading;
    const contents = (text: string): object[] => [{ role: "user", content: { type: "text", text, contentId: text } }];
    const second = session?.loadEarlier({ limit: 1 });
    expect(
      await answered(both, "chat/history", {
        contents: contents("second"),
        meta: { total: 3, returned: 1, beforeCursor: "k1" },
      }),
    ).toEqual({ chatId: "a", before: "k2", limit: 1 });
    expect(await second).toBe(true);
    const first = session?.loadEarlier();
    await answered(both, "chat/history", { contents: contents("first"), meta: { total: 3, returned: 1 } });
    expect(await first).toBe(false);
    expect(await session?.loadEarlier()).toBe(false);
    expect(session?.state.entries).toMatchObject([{ text: "first" }, { text: "second" }, { text: "third\n" }]);
    const old = failure(session?.history({ before: "k9" }) as Promise<unknown>);
    await answered(both, "chat/history", { error: { code: "cursor_expired", message: "too old" } });
    expect(errorWord(await old)).toBe("cursor_expired");
  });
});

describe("a rewrite", () => {
  const range = { start: { line: 1, character: 1 }, end: { line: 1, character: 2 } };
  const asked = { text: "old", prompt: "shorter", range };

  it("yields its contents, and its whole text", async () => {
    const { client, raw } = await opened();
    const rewrite = client.rewrite({ ...asked, path: "/a.ts" });
    const { id, params } = await raw.take("rewrite/prompt");
    expect(params).toEqual({ ...asked, path: "/a.ts", id: expect.any(String) });
    const send = (content: object): void =>
      raw.notify("rewrite/contentReceived", { rewriteId: params?.["id"], content });
    send({ type: "started" });
    send({ type: "text", text: "```ne" });
    send({ type: "text", text: "w```" });
    raw.send({ id, result: { status: "prompting", model: "m1" } });
    send({ type: "replace", text: "new" });
    send({ type: "finished", totalTimeMs: 3 });
    expect((await all(rewrite)).map(({ type }) => type)).toEqual(["started", "text", "text", "replace", "finished"]);
    expect(await rewrite.text).toBe("new");
  });

  it("fails with what the server says, with its answer, and with the connection", async () => {
    const { client, raw } = await opened();
    const failing = client.rewrite(asked);
    const first = await raw.take("rewrite/prompt");
    const content = { type: "error", message: "no model" };
    raw.notify("rewrite/contentReceived", { rewriteId: first.params?.["id"], content });
    expect(await failure(failing.text)).toMatchObject({ name: "RemoteError", message: "no model" });
    expect(await failure(all(failing))).toMatchObject({ message: "no model" });
    const refused = client.rewrite(asked);
    raw.answer(await raw.take("rewrite/prompt"), { type: "error", message: "not now" });
    expect(await failure(refused.text)).toMatchObject({ message: "rewrite/prompt: not now" });
    const abort = new AbortController();
    const aborted = client.rewrite({ ...asked, signal: abort.signal });
    raw.answer(await raw.take("rewrite/prompt"), { status: "prompting", model: "m1" });
    abort.abort();
    expect(await failure(aborted.text)).toMatchObject({ code: "aborted" });
    const lost = client.rewrite(asked);
    await raw.take("rewrite/prompt");
    await raw.close();
    expect(await failure(lost.text)).toMatchObject({ code: "closed" });
  });
});
