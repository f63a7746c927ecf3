import { RemoteError } from "@editwire/core";
import { ecaProfiles } from "@editwire/eca-schema";
import { describe, expect, it } from "vitest";
import type { EcaServerSession, EcaServer } from "../src/index.js";
import { type Content, type RawClient, ready } from "./server-peer.js";

/** Remembers the prompts of each chat, as a model would. */
function remembering(): EcaServer & { said: Map<string, [contentId: string, message: string][]> } {
  const said = new Map<string, [string, string][]>();
  const of = ({ id }: EcaServerSession): [string, string][] => said.get(id) ?? said.set(id, []).get(id) ?? [];
  return {
    said,
    initialize: () => ({ models: ["m", "n"] }),
    async prompt(turn) {
      of(turn.session).push([turn.contentId, turn.promptText]);
      if (turn.promptText === "wait")
        return new Promise((resolve) => turn.signal.addEventListener("abort", () => resolve(), { once: true }));
      await turn.text("one ");
      await turn.text("two");
      if (turn.promptText !== "call") return;
      const call = await turn.toolCall({
        toolCallId: "t",
        name: "write",
        arguments: { path: "a" },
        manualApproval: true,
      });
      await call.complete("done");
    },
    clearSession: (chat) => void said.set(chat.id, []),
    rollbackSession(chat, prompts, include) {
      if (include.includes("tools")) throw RemoteError.invalidParams("What tools changed cannot be undone");
      said.set(
        chat.id,
        of(chat).filter(([id]) => !prompts.includes(id)),
      );
    },
    forkSession: (chat, fork, prompts) =>
      void said.set(
        fork.id,
        of(chat).filter(([id]) => prompts.includes(id)),
      ),
  };
}

const notifications = (client: RawClient, from: number): string[] =>
  client.received.slice(from).flatMap(({ method }) => method ?? []);
const shownAs = ({ role, type, text }: Content): string => (type === "text" ? `${role}: ${text as string}` : type);
const promptIds = (client: RawClient, chatId: string): string[] =>
  client.contents(chatId).flatMap(({ contentId }) => (typeof contentId === "string" ? [contentId] : []));

describe("the methods of v2026 about sessions", () => {
  it("list what there is, the last used first", async () => {
    const { client } = await ready(remembering());
    expect((await client.call("chat/list", {})).result).toEqual({ chats: [] });
    await client.prompt("First line\nsecond", { chatId: "a" });
    await client.prompt("hi", { chatId: "b" });
    await client.call("chat/update", { chatId: "never prompted", trust: true });
    await client.call("chat/prompt", { chatId: "a", message: "wait", model: "n" });
    const { chats } = (await client.call("chat/list", { sortBy: "createdAt" })).result as {
      chats: Record<string, unknown>[];
    };
    expect(chats.map(({ id }) => id).sort()).toEqual(["a", "b"]);
    expect(chats.find(({ id }) => id === "a")).toEqual({
      id: "a",
      title: "First line",
      status: "running",
      model: "n",
      messageCount: 3,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(chats.find(({ id }) => id === "b")).toMatchObject({ status: "idle", messageCount: 2 });
    expect(((await client.call("chat/list", { limit: 1 })).result as { chats: object[] }).chats).toMatchObject([
      { id: "a" },
    ]);
    await client.call("chat/delete", { chatId: "a" });
    expect(((await client.call("chat/list", {})).result as { chats: object[] }).chats).toMatchObject([{ id: "b" }]);
  });

  it("delete a chat that the server lists, and that this connection has not opened", async () => {
    const deleted: string[] = [];
    const { client } = await ready({
      prompt: async () => {},
      listSessions: () => [{ id: "stored", status: "idle", messageCount: 1 }],
      deleteSession: ({ id }) => void deleted.push(id),
    });
    for (const chatId of ["stored", "nobody"]) await client.call("chat/delete", { chatId });
    expect(deleted).toEqual(["stored"]);
  });

  it("show a chat again, text in one piece and decided calls as decided", async () => {
    const { client } = await ready(remembering());
    const turn = client.prompt("call", { chatId: "a" });
    client.notify("chat/toolCallApprove", { chatId: "a", toolCallId: (await client.content("toolCallRun"))["id"] });
    await turn;
    await client.call("chat/update", { chatId: "a", title: "Named" });
    const from = client.received.length;
    const seen = client.contents("a").length;
    expect((await client.call("chat/open", { chatId: "a" })).result).toEqual({
      found: true,
      chatId: "a",
      title: "Named",
      meta: { total: 5, returned: 5 },
    });
    expect(notifications(client, from)).toEqual([
      "chat/cleared",
      "chat/opened",
      ...Array<string>(5).fill("chat/contentReceived"),
      "config/updated",
    ]);
    expect(client.received.slice(from).find(({ method }) => method === "chat/opened")?.params).toEqual({
      chatId: "a",
      title: "Named",
    });
    const shown = client.contents("a").slice(seen);
    expect(shown.map(shownAs)).toEqual([
      "user: call\n",
      "assistant: one two",
      "toolCallPrepare",
      "toolCallRun",
      "toolCalled",
    ]);
    expect(shown[3]).toMatchObject({ id: "t", manualApproval: false });
    expect(client.received.at(-2)?.params).toMatchObject({
      chatId: "a",
      chat: { selectModel: "m", selectTrust: false },
    });
    expect((await client.call("chat/open", { chatId: "nobody" })).result).toEqual({ found: false });
  });

  it("give the past in pages, from either end", async () => {
    const { client } = await ready(remembering());
    for (const [index, message] of ["1", "2", "3"].entries()) await client.prompt(message, { chatId: "a" }, index + 1);
    const page = async (part: object): Promise<[string[], Record<string, unknown>]> => {
      const { contents, meta } = (await client.call("chat/history", { chatId: "a", ...part })).result as {
        contents: { role: string; content: Content }[];
        meta: Record<string, unknown>;
      };
      return [contents.map(({ role, content }) => shownAs({ ...content, role })), meta];
    };
    const [last, meta] = await page({ limit: 2 });
    expect(last).toEqual(["user: 3\n", "assistant: one two"]);
    expect(meta).toEqual({ total: 6, returned: 2, beforeCursor: expect.any(String) });
    const [middle, { beforeCursor, afterCursor }] = await page({ limit: 2, before: meta["beforeCursor"] });
    expect(middle).toEqual(["user: 2\n", "assistant: one two"]);
    expect((await page({ before: beforeCursor }))[0]).toEqual(["user: 1\n", "assistant: one two"]);
    expect(await page({ limit: 1, after: afterCursor })).toEqual([
      ["user: 3\n"],
      { total: 6, returned: 1, beforeCursor: expect.any(String), afterCursor: expect.any(String) },
    ]);
    for (const method of ["chat/history", "chat/open"])
      for (const cursor of ["before", "after"])
        expect((await client.call(method, { chatId: "a", [cursor]: "gone" })).result).toMatchObject({
          error: { code: "cursor_expired" },
        });
    expect((await client.call("chat/history", { chatId: "nobody" })).error).toMatchObject({
      code: -32_602,
      data: { code: "chat_not_found" },
    });
  });

  it("rename a chat, and trust it with every tool", async () => {
    const { client } = await ready(remembering());
    await client.call("chat/update", { chatId: "a", trust: true });
    expect((await client.prompt("call", { chatId: "a" })).find(({ type }) => type === "toolCallRun")).toMatchObject({
      manualApproval: false,
    });
    expect((await client.call("chat/update", { chatId: "a", title: "T" })).result).toEqual({});
    expect(client.contents("a").at(-1)).toMatchObject({ role: "system", type: "metadata", title: "T" });
    expect(((await client.call("chat/list", {})).result as { chats: object[] }).chats).toMatchObject([{ title: "T" }]);
  });

  it("do not cut a character in two in the title of a chat without one", async () => {
    const { client } = await ready(remembering());
    await client.prompt(`${"x".repeat(79)}😀`, { chatId: "a" });
    const { chats } = (await client.call("chat/list", {})).result as { chats: object[] };
    expect(chats).toMatchObject([{ title: "x".repeat(79) }]);
  });

  it("empty a chat, whose turn ends first", async () => {
    const server = remembering();
    const { client } = await ready(server);
    await client.call("chat/prompt", { chatId: "a", message: "wait" });
    expect((await client.call("chat/clear", { chatId: "a", messages: false })).result).toEqual({});
    expect(server.said.get("a")).toHaveLength(1);
    expect((await client.call("chat/clear", { chatId: "a", messages: true })).result).toEqual({});
    expect(client.contents("a").at(-1)).toMatchObject({ state: "finished" });
    expect(server.said.get("a")).toEqual([]);
    expect((await client.call("chat/history", { chatId: "a" })).result).toEqual({
      contents: [],
      meta: { total: 0, returned: 0 },
    });
  });

  it("take back the messages from a prompt on", async () => {
    const server = remembering();
    const { client } = await ready(server);
    await client.prompt("keep", { chatId: "a" });
    await client.prompt("drop", { chatId: "a" }, 2);
    const [, drop] = promptIds(client, "a");
    const tools = await client.call("chat/rollback", { chatId: "a", contentId: drop, include: ["messages", "tools"] });
    expect(tools.error).toMatchObject({ code: -32_602, message: "What tools changed cannot be undone" });
    const [from, seen] = [client.received.length, client.contents("a").length];
    expect(
      (await client.call("chat/rollback", { chatId: "a", contentId: drop, include: ["messages"] })).result,
    ).toEqual({});
    expect(notifications(client, from)).toEqual(["chat/cleared", "chat/contentReceived", "chat/contentReceived"]);
    expect(client.contents("a").slice(seen).map(shownAs)).toEqual(["user: keep\n", "assistant: one two"]);
    expect(server.said.get("a")?.map(([, message]) => message)).toEqual(["keep"]);
    expect(
      (await client.call("chat/rollback", { chatId: "a", contentId: drop, include: ["messages"] })).error,
    ).toMatchObject({ code: -32_602, data: { code: "content_not_found" } });
  });

  it("fork a chat, which goes on by itself", async () => {
    const server = remembering();
    const { client } = await ready(server);
    await client.prompt("one", { chatId: "a" });
    await client.prompt("two", { chatId: "a" }, 2);
    const from = client.received.length;
    expect((await client.call("chat/fork", { chatId: "a", contentId: promptIds(client, "a")[1] })).result).toEqual({});
    const fork = client.received.slice(from).find(({ method }) => method === "chat/opened")?.params?.[
      "chatId"
    ] as string;
    expect(client.contents(fork).map(shownAs)).toEqual(["user: one\n", "assistant: one two", "user: two\n"]);
    expect(client.contents("a").at(-1)).toMatchObject({ role: "system", text: `Forked into the chat ${fork}` });
    await client.prompt("three", { chatId: fork });
    expect([server.said.get("a"), server.said.get(fork)].map((list) => list?.map(([, message]) => message))).toEqual([
      ["one", "two"],
      ["one", "two", "three"],
    ]);
    expect((await client.call("chat/fork", { chatId: "nobody", contentId: "x" })).error).toMatchObject({
      code: -32_602,
    });
  });

  it("say so where the server cannot, and are the server's own where it has them", async () => {
    const { client } = await ready({
      prompt() {},
      methods: {
        "chat/list": () => ({ chats: [{ id: "stored", status: "idle", messageCount: 1 }] }),
        "chat/queryFiles": undefined,
      } as EcaServer["methods"],
    });
    await client.prompt("x", { chatId: "a" });
    for (const method of ["chat/clear", "chat/rollback", "chat/fork", "chat/queryFiles"]) {
      expect((await client.call(method, { chatId: "a" })).error, method).toMatchObject({
        code: -32_601,
        message: `Method not found: ${method}`,
      });
    }
    expect((await client.call("chat/list", {})).result).toMatchObject({ chats: [{ id: "stored" }] });
  });

  it("follow what the user selects: for a chat, and for all", async () => {
    const chosen: unknown[] = [];
    const { client } = await ready({
      initialize: () => ({ models: ["m", "n"], behaviors: ["agent", "plan"] }),
      prompt: ({ model, behavior }) => void chosen.push([model, behavior]),
    });
    client.notify("chat/selectedModelChanged", { chatId: "a", model: "n" });
    client.notify("chat/selectedModelChanged", { model: "no such model" });
    client.notify("chat/selectedAgentChanged", { agent: "plan" });
    await client.prompt("x", { chatId: "a" });
    await client.prompt("x", { chatId: "b" });
    client.notify("chat/selectedBehaviorChanged", { behavior: "agent" });
    await client.prompt("x", { chatId: "b", model: null, agent: null }, 2);
    expect(chosen).toEqual([
      ["n", "plan"],
      ["m", "plan"],
      ["m", "agent"],
    ]);
    const told = client.received
      .filter(({ method }) => method === "config/updated")
      .slice(1)
      .map(({ params }) => params);
    expect(told).toMatchObject([
      { chatId: "a", chat: { selectModel: "n", variants: [], selectVariant: null } },
      { chat: { selectAgent: "plan", selectBehavior: "plan" } },
      { chat: { selectAgent: "agent" } },
    ]);
    expect(told[1]).not.toHaveProperty("chatId");
  });
});

describe("a question to the user", () => {
  it("is asked in its chat, and its answer is the turn's", async () => {
    const answers: unknown[] = [];
    const { client } = await ready(
      {
        async prompt(turn) {
          answers.push(
            await turn.ask("Which?", { options: [{ label: "this" }], toolCallId: "t" }),
            await turn.ask("Sure?"),
          );
        },
      },
      { profile: ecaProfiles.v2026 },
    );
    const turn = client.prompt("x", { chatId: "a" });
    const asked = await client.until(({ method }) => method === "chat/askQuestion");
    expect(asked.params).toEqual({
      chatId: "a",
      question: "Which?",
      options: [{ label: "this" }],
      toolCallId: "t",
      allowFreeform: true,
    });
    client.send({ jsonrpc: "2.0", id: asked.id, result: { answer: "this", cancelled: false } });
    const again = await client.until(({ method, id }) => method === "chat/askQuestion" && id !== asked.id);
    client.send({ jsonrpc: "2.0", id: again.id, result: { answer: null, cancelled: true } });
    await turn;
    expect(answers).toEqual(["this", undefined]);
  });

  it("ends with a stop, and the client is notified", async () => {
    const { client } = await ready({ prompt: async (turn) => void (await turn.ask("Which?")) });
    const turn = client.prompt("x", { chatId: "a" });
    const asked = await client.until(({ method }) => method === "chat/askQuestion");
    client.notify("chat/promptStop", { chatId: "a" });
    expect((await turn).at(-2)).toMatchObject({ role: "system", text: "\nPrompt stopped" });
    expect((await client.until(({ method }) => method === "$/cancelRequest")).params).toEqual({ id: asked.id });
  });
});
