import { RemoteError, WireError } from "@editwire/core";
import { describe, expect, it } from "vitest";
import { ecaProfiles } from "@editwire/eca-schema";
import type { EcaTurnHandler, EcaServerTurn, EcaToolCall } from "../src/index.js";
import { connected, finished, ready, typesOf } from "./server-peer.js";

const readFile = { name: "read_file", arguments: { path: "a.ts", "max-lines": 3 } };

/** A turn that stays open until the test ends it. */
function held(): { handler: EcaTurnHandler; turn: Promise<EcaServerTurn>; end: () => void } {
  let end = (): void => {};
  let begin = (_turn: EcaServerTurn): void => {};
  const turn = new Promise<EcaServerTurn>((resolve) => (begin = resolve));
  const over = new Promise<void>((resolve) => (end = resolve));
  return { handler: (running) => (begin(running), over), turn, end };
}

describe("the order of a turn", () => {
  it("puts characters together that its texts and thoughts cut in two", async () => {
    const { client } = await ready({
      async prompt(turn) {
        for (const unit of "a😀b".split("")) await turn.thought(unit);
        for (const unit of "😀c".split("")) await turn.text(unit);
      },
    });
    const contents = await client.prompt("Hi", { chatId: "c-1" });
    const said = contents.flatMap(({ role, text }) => (role === "assistant" && text !== undefined ? [text] : []));
    expect(said).toEqual(["a", "😀", "b", "😀", "c"]);
  });

  it("S26, S27, S33: echo, progress, thought, text, usage, and one end", async () => {
    const { client } = await ready({
      async prompt(turn) {
        await turn.thought("hm, ");
        await turn.thought("yes");
        await turn.text("Hel");
        await turn.text("lo ");
        await turn.url("ECA", "https://eca.dev");
        await turn.usage({ inputTokens: 10, outputTokens: 5, cost: 0.001 });
      },
    });
    const contents = await client.prompt("Hi é", { chatId: "c-1" });
    expect(contents.map(({ role, type }) => `${role} ${type}`)).toEqual([
      "user text",
      "system progress",
      "assistant reasonStarted",
      "assistant reasonText",
      "assistant reasonText",
      "assistant reasonFinished",
      "assistant text",
      "assistant text",
      "assistant url",
      "system usage",
      "system progress",
    ]);
    expect(contents[0]?.["text"]).toBe("Hi é\n");
    expect(contents[1]).toMatchObject({ state: "running", text: expect.stringMatching(/./) });
    expect(new Set(contents.flatMap(({ id, type }) => (type.startsWith("reason") ? [id] : []))).size).toBe(1);
    expect(contents.at(-2)).toMatchObject({
      messageInputTokens: 10,
      messageOutputTokens: 5,
      sessionTokens: 15,
      messageCost: "0.0010",
      sessionCost: "0.0010",
    });
    expect(contents.at(-1)).toMatchObject({ state: "finished" });
  });

  it("adds up what a turn took, and the chat", async () => {
    const { client } = await ready({
      prompt(turn) {
        void turn.usage({ inputTokens: 10, outputTokens: 1, cost: 0.5 });
        void turn.usage({ inputTokens: 20, outputTokens: 2, cost: 0.25 });
      },
    });
    await client.prompt("a", { chatId: "c" });
    const usages = (await client.prompt("b", { chatId: "c" }, 2)).filter(({ type }) => type === "usage");
    expect(usages.at(1)).toMatchObject({
      messageInputTokens: 30,
      messageOutputTokens: 3,
      sessionTokens: 33,
      messageCost: "0.75",
      sessionCost: "0.75",
    });
    expect(usages.at(3)).toMatchObject({
      messageInputTokens: 30,
      messageOutputTokens: 3,
      sessionTokens: 66,
      messageCost: "0.75",
      sessionCost: "1.50",
    });
  });

  it("S26: a handler that throws ends the turn, and what it threw reaches onError and not the client", async () => {
    const errors: unknown[] = [];
    const failures: Record<string, unknown> = {
      bug: new TypeError("secret"),
      told: new RemoteError(-32_603, "The model is not there."),
      overloaded: new WireError("overloaded", "secret"),
    };
    const { client } = await ready(
      { prompt: ({ promptText: message }) => Promise.reject(failures[message]) },
      { onError: (error) => errors.push(error) },
    );
    const bug = await client.prompt("bug", { chatId: "a" });
    expect(bug.slice(-2)).toMatchObject([
      { role: "system", type: "text", text: "Internal error" },
      { state: "finished" },
    ]);
    const overloaded = await client.prompt("overloaded", { chatId: "c" });
    expect(overloaded.at(-2)).toMatchObject({ text: "Overloaded: too much waits; try again later" });
    errors.pop();
    const told = await client.prompt("told", { chatId: "b" });
    expect(told.slice(-2)).toMatchObject([
      { role: "system", type: "text", text: "The model is not there." },
      { state: "finished" },
    ]);
    expect(errors).toEqual([failures["bug"]]);
    expect(JSON.stringify(client.received)).not.toContain("secret");
  });

  it("refuses what a turn's own methods send, what does not fit, and everything after its end", async () => {
    let turn: EcaServerTurn | undefined;
    const { client } = await ready({
      prompt(running) {
        turn = running;
        expect(() => running.content({ type: "progress", state: "finished" })).toThrow(/has a method of its own/);
        expect(() =>
          running.content({ type: "toolCalled", ...readFile, id: "x", origin: "native", error: false, outputs: [] }),
        ).toThrow(/method of its own/);
        expect(() => running.content({ type: "url", title: 3, url: "u" } as never)).toThrow(
          /chat\/contentReceived: params.content.title/,
        );
        void running.content({ type: "metadata", title: "A talk" }, "system");
      },
    });
    const contents = await client.prompt("go");
    expect(typesOf(contents)).toEqual(["text", "metadata", "progress"]);
    expect(() => turn?.text("late")).toThrow(/turn of session .* has ended/);
    await expect(turn?.toolCall(readFile)).rejects.toMatchObject({ code: "closed" });
    await client.call("chat/queryCommands", { query: "" });
    expect(client.contents()).toEqual(contents);
  });
});

describe("tool calls", () => {
  it("S28, S29, S32: Prepare with all of the arguments, Run, Called, keys untouched", async () => {
    const { client } = await ready({
      async prompt(turn) {
        const call = await turn.toolCall({ ...readFile, title: "Reading a.ts" });
        expect(call.allowed).toBe(true);
        await call.complete("contents");
        await call.fail("ignored");
      },
    });
    const contents = await client.prompt("go");
    expect(typesOf(contents)).toEqual(["text", "toolCallPrepare", "toolCallRun", "toolCalled", "progress"]);
    const [, prepare, run, called] = contents.filter(({ state }) => state === undefined);
    const same = {
      id: prepare?.["id"],
      name: "read_file",
      origin: "native",
      server: "eca",
      summary: "Reading a.ts",
      role: "assistant",
    };
    expect(prepare).toMatchObject({ ...same, argumentsText: '{"path":"a.ts","max-lines":3}', manualApproval: false });
    expect(run).toMatchObject({ ...same, arguments: readFile.arguments, manualApproval: false });
    expect(called).toMatchObject({
      ...same,
      arguments: readFile.arguments,
      error: false,
      outputs: [{ type: "text", text: "contents" }],
    });
  });

  it("S30: one that needs approval waits, and both answers let the turn go on", async () => {
    const ran: string[] = [];
    const { client } = await ready({
      async prompt(turn) {
        for (const name of ["first", "second"]) {
          const call = await turn.toolCall({ name, arguments: {}, manualApproval: true });
          if (!call.allowed) continue;
          ran.push(name);
          await call.complete("done", {
            details: { type: "fileChange", path: "/a", diff: "+b", linesAdded: 1, linesRemoved: 0 },
          });
        }
        await turn.text("end");
      },
    });
    const done = client.prompt("go", { chatId: "c" });
    const first = await client.content("toolCallRun", { name: "first" });
    expect(first["manualApproval"]).toBe(true);
    await client.call("chat/queryContext", { query: "", contexts: [] }); // S40: answered meanwhile
    expect(typesOf(client.contents("c"))).toEqual(["text", "toolCallPrepare", "toolCallRun"]);
    client.notify("chat/toolCallApprove", { chatId: "c", toolCallId: first["id"] });
    expect(await client.content("toolCalled")).toMatchObject({ id: first["id"], details: { linesAdded: 1 } });
    const second = await client.content("toolCallRun", { name: "second" });
    client.notify("chat/toolCallReject", { chatId: "c", toolCallId: second["id"] });
    expect(await client.content("toolCallRejected")).toMatchObject({ id: second["id"], arguments: {}, reason: "user" });
    const contents = await done;
    expect(ran).toEqual(["first"]);
    expect(typesOf(contents)).toEqual([
      "text",
      "toolCallPrepare",
      "toolCallRun",
      "toolCalled",
      "toolCallPrepare",
      "toolCallRun",
      "toolCallRejected",
      "text",
      "progress",
    ]);
    expect(first["id"]).not.toBe(second["id"]);
  });

  it("S31, A30: an approval of an unknown chat or call, or of one that is over, changes nothing", async () => {
    const { client } = await ready({
      async prompt(turn) {
        await (await turn.toolCall({ ...readFile, toolCallId: "t", manualApproval: true })).complete("ok");
      },
    });
    const done = client.prompt("go", { chatId: "c" });
    await client.content("toolCallRun");
    for (const params of [
      { chatId: "c", toolCallId: "x" },
      { chatId: "x", toolCallId: "t" },
      {},
      { chatId: 3, toolCallId: "t" },
      null,
      [],
    ]) {
      client.notify("chat/toolCallApprove", params);
      client.notify("chat/toolCallReject", params);
    }
    await client.call("chat/queryCommands", { query: "" });
    expect(typesOf(client.contents())).toEqual(["text", "toolCallPrepare", "toolCallRun"]);
    client.notify("chat/toolCallApprove", { chatId: "c", toolCallId: "t" });
    client.notify("chat/toolCallReject", { chatId: "c", toolCallId: "t" });
    expect(typesOf(await done)).toEqual(["text", "toolCallPrepare", "toolCallRun", "toolCalled", "progress"]);
  });

  it("S30: an approval without its chat finds the call by its id, as one version of Emacs sends it", async () => {
    const { client } = await ready({
      prompt: async (turn) => (await turn.toolCall({ ...readFile, manualApproval: true })).complete("ok"),
    });
    const done = client.prompt("go");
    const { id } = await client.content("toolCallRun");
    client.notify("chat/toolCallApprove", { chatId: null, toolCallId: id });
    expect(typesOf(await done)).toContain("toolCalled");
  });

  it("S28: ids are unique in a chat, whatever the model calls them, and calls may run side by side", async () => {
    const { client } = await ready({
      async prompt(turn) {
        const calls = await Promise.all(
          ["a", "b"].map((name) => turn.toolCall({ toolCallId: "call_1", name, arguments: {} })),
        );
        for (const call of calls.reverse()) await call.complete("ok");
      },
    });
    await client.prompt("one", { chatId: "c" });
    const contents = await client.prompt("two", { chatId: "c" }, 2);
    const ids = contents.filter(({ type }) => type === "toolCallPrepare").map(({ id }) => id);
    expect(ids[0]).toBe("call_1");
    expect(new Set(ids).size).toBe(4);
    expect(contents.filter(({ type }) => type === "toolCalled").map(({ name }) => name)).toEqual(["b", "a", "b", "a"]);
  });

  it("S28: one that is left open fails with its turn", async () => {
    const { client } = await ready({
      async prompt(turn) {
        await turn.toolCall(readFile);
        void turn.toolCall({ ...readFile, manualApproval: true });
      },
    });
    expect(typesOf(await client.prompt("go"))).toEqual([
      "text",
      "toolCallPrepare",
      "toolCallRun",
      "toolCallPrepare",
      "toolCallRun",
      "toolCalled",
      "toolCallRejected",
      "progress",
    ]);
  });

  it("asks once for a tool that the user approves for the session, and never in a trusted turn", async () => {
    const { client } = await ready({
      prompt: async (turn) => (await turn.toolCall({ ...readFile, manualApproval: true })).complete("ok"),
    });
    const first = client.prompt("one", { chatId: "c" });
    const { id } = await client.content("toolCallRun");
    client.notify("chat/toolCallApprove", { chatId: "c", toolCallId: id, save: "session" });
    await first;
    expect((await client.prompt("two", { chatId: "d" })).find(({ type }) => type === "toolCallRun")).toMatchObject({
      manualApproval: false,
    });
    const other = await ready({
      prompt: async (turn) => (await turn.toolCall({ ...readFile, manualApproval: true })).complete("ok"),
    });
    expect((await other.client.prompt("go", { trust: true })).find(({ type }) => type === "toolCallRun")).toMatchObject(
      { manualApproval: false },
    );
  });
});

describe("a stop", () => {
  it("S34: ends the running turn, and the chat goes on", async () => {
    const { handler, turn } = held();
    let turns = 0;
    const { client } = await ready(
      { prompt: (running) => (turns++ === 0 ? handler(running) : running.text("again")) },
      { cancelGraceMs: 5 },
    );
    const done = client.prompt("go", { chatId: "c" });
    const running = await turn;
    client.notify("chat/promptStop", { chatId: "c" });
    const stopped = await done;
    expect(stopped.slice(-2)).toMatchObject([
      { role: "system", type: "text", text: "\nPrompt stopped" },
      { state: "finished" },
    ]);
    expect(running.signal.aborted).toBe(true);
    expect(() => running.text("late")).toThrow(/has ended/);
    const contents = await client.prompt("go on", { chatId: "c" }, 2);
    expect(contents.at(-2)).toMatchObject({ text: "again" });
    expect(finished(contents).length).toBe(2);
  });

  it("S34: rejects a call that waits, at once, and tells the handler", async () => {
    let call: EcaToolCall | undefined;
    const { client } = await ready({
      async prompt(turn) {
        call = await turn.toolCall({ ...readFile, manualApproval: true });
        await turn.text("unheard");
        await call.complete("unheard");
        expect((await turn.toolCall(readFile)).allowed).toBe(false);
      },
    });
    const done = client.prompt("go", { chatId: "c" });
    await client.content("toolCallRun");
    client.notify("chat/promptStop", { chatId: "c" });
    expect(typesOf(await done)).toEqual([
      "text",
      "toolCallPrepare",
      "toolCallRun",
      "toolCallRejected",
      "text",
      "progress",
    ]);
    expect(call?.allowed).toBe(false);
  });

  it("S28, S34: a tool that runs still reports its result, or fails with the turn", async () => {
    const { client } = await ready({
      async prompt(turn) {
        const calls = await Promise.all([turn.toolCall(readFile), turn.toolCall(readFile)]);
        if (!turn.signal.aborted) await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        await calls[0].complete("half");
        throw turn.signal.reason;
      },
    });
    const done = client.prompt("go", { chatId: "c" });
    await client.when(() => client.contents().filter(({ type }) => type === "toolCallRun").length === 2);
    client.notify("chat/promptStop", { chatId: "c" });
    expect((await done).filter(({ type }) => type === "toolCalled")).toMatchObject([{ error: false }, { error: true }]);
  });

  it("S34: right behind its prompt, without a chat that runs, and of an unknown chat", async () => {
    let ran = 0;
    const { client } = await ready({ prompt: () => void ran++ });
    client.notify("chat/promptStop", { chatId: "c" });
    client.notify("chat/promptStop", { chatId: "unknown" });
    client.send({ jsonrpc: "2.0", id: 1, method: "chat/prompt", params: { chatId: "c", message: "go" } });
    client.notify("chat/promptStop", { chatId: "c" });
    await client.when(() => finished(client.contents("c")).length === 1);
    await client.call("chat/queryCommands", { query: "" });
    expect(finished(client.contents("c")).length).toBe(1);
    await client.prompt("again", { chatId: "c" }, 2);
    expect(ran).toBeGreaterThan(0);
  });

  it("S34: without a chat stops the one turn of a chat whose id the server made, and no other", async () => {
    const { client } = await ready(
      { prompt: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())) },
      { cancelGraceMs: 5 },
    );
    await client.call("chat/prompt", { chatId: "mine", message: "go" });
    const done = client.prompt("go");
    await client.when(() => client.contents().filter(({ type }) => type === "progress").length === 2);
    client.notify("chat/promptStop", { chatId: null });
    await done;
    client.notify("chat/promptStop", {});
    await client.call("chat/queryCommands", { query: "" });
    expect(finished(client.contents("mine"))).toEqual([]);
  });

  it("comes with the end of the connection", async () => {
    const { handler, turn } = held();
    const { client, server } = await ready({ prompt: handler }, { cancelGraceMs: 5 });
    client.notify("chat/prompt", {}); // a request is what it should be; nothing happens
    void client.prompt("go").catch(() => {});
    const { signal } = await turn;
    await client.close();
    await server.ended;
    expect(signal.aborted).toBe(true);
  });
});

it("writes `v2026` under the profile `v2026`, with reasons of its own", async () => {
  const both = connected(
    { prompt: async (turn) => void (await turn.toolCall({ ...readFile, manualApproval: true })) },
    { profile: ecaProfiles.v2026 },
  );
  await both.client.call("initialize", { workspaceFolders: [], capabilities: {} });
  both.client.notify("initialized");
  const { result } = await both.client.call("chat/prompt", { chatId: "c", message: "go" });
  expect(result).toMatchObject({ status: "prompting" });
  await both.client.content("toolCallRun");
  both.client.notify("chat/promptStop", { chatId: "c" });
  expect(await both.client.content("toolCallRejected")).toMatchObject({ reason: "userPromptStop" });
});

describe("what does not fit", () => {
  it("ends the turn, and the call, whatever a call is announced or completed with", async () => {
    const tries: Record<string, (turn: EcaServerTurn) => Promise<unknown>> = {
      details: (turn) => turn.toolCall({ ...readFile, details: { type: "fileChange" } as never }),
      title: (turn) => turn.toolCall({ ...readFile, title: 3 as never }),
      waiting: (turn) => turn.toolCall({ ...readFile, name: 3 as never, manualApproval: true }),
      async output(turn) {
        await (await turn.toolCall(readFile)).complete([{ type: "text", text: 3 as never }]);
      },
      async change(turn) {
        await (await turn.toolCall(readFile)).complete("", { details: { type: "fileChange" } as never });
      },
    };
    const errors: unknown[] = [];
    const { client } = await ready(
      { prompt: async (turn) => void (await tries[turn.promptText]?.(turn)) },
      { onError: (error) => errors.push(error) },
    );
    for (const name of Object.keys(tries)) {
      const contents = await client.prompt(name, { chatId: name });
      const types = typesOf(contents);
      expect(types.at(-1), name).toBe("progress");
      expect(types.filter((type) => type === "toolCallRun").length, name).toBe(
        types.filter((type) => type === "toolCalled").length,
      );
      expect(contents.at(-2), name).toMatchObject({ text: "Internal error" });
    }
    expect(errors).toHaveLength(5);
  });

  it("is neither counted nor kept", async () => {
    const { client } = await ready({
      prompt(turn) {
        expect(() => turn.usage({ inputTokens: Number.NaN, outputTokens: 1 })).toThrow(/messageInputTokens/);
        expect(() => turn.content({ type: "url", title: 3 } as never)).toThrow(/title/);
        return turn.usage({ inputTokens: 2, outputTokens: 1 });
      },
    });
    const contents = await client.prompt("hi", { chatId: "a" });
    expect(contents.find(({ type }) => type === "usage")).toMatchObject({ messageInputTokens: 2, sessionTokens: 3 });
    const { result } = await client.call("chat/history", { chatId: "a" });
    expect(result).toMatchObject({ contents: [{ content: { type: "text" } }, { content: { type: "usage" } }] });
  });
});
