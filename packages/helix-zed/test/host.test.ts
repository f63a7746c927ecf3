import { request as httpRequest } from "node:http";
import { connect as connectTcp } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HelixZedInteraction, memoryStore, responseOf } from "../src/index.js";
import { syncPath } from "../src/node.js";
import { answer, readAll, says, startHost } from "./support/hosts.js";
import { dialRaw } from "../../transport/test/raw-socket.js";

describe("flow 1 and 2", () => {
  it("learns the thread from an answer when its announcement was lost with another host", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const [first, second] = [session.prompt("one"), session.prompt("two")];
    await agent.next("chat_message");
    agent.send(says.added("t", "The answer"));
    agent.send(says.completed("t", first.requestId));
    expect(await first.interaction).toMatchObject({ state: "complete" });
    expect((await agent.next("chat_message")).data).toMatchObject({ acp_thread_id: "t", request_id: second.requestId });
    expect(session.state.threadId).toBe("t");
  });

  it("H01 H03 H04 H05 H06: a session goes the way of the specification", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const interaction = session.prompt("Hello, can you help me?");
    const first = await agent.next("chat_message");
    expect(first).toEqual({
      type: "chat_message",
      data: {
        helix_session_id: "ses_1",
        acp_thread_id: null,
        message: "Hello, can you help me?",
        request_id: interaction.requestId,
      },
    });
    const states = (): Promise<string[]> => session.interactions().then((all) => all.map(({ state }) => state));
    const reader = interaction[Symbol.asyncIterator]();
    agent.send(says.created("t"));
    agent.send(says.added("t", "Hello! How can I"));
    expect((await reader.next()).value).toMatchObject({
      type: "message",
      message: { id: "m1", content: "Hello! How can I", timestamp: 1_759_410_084 },
    });
    expect([session.state.threadId, await states()]).toEqual(["t", ["waiting"]]);
    agent.send(says.added("t", "Hello! How can I help you today?"));
    expect((await reader.next()).value).toMatchObject({
      message: { id: "m1", content: "Hello! How can I help you today?" },
    });
    expect(await states()).toEqual(["waiting"]);
    agent.send(says.completed("t", interaction.requestId));
    const { value: last } = await reader.next();
    expect(last).toMatchObject({
      type: "stop",
      interaction: { state: "complete", message: "Hello, can you help me?" },
    });
    expect((await reader.next()).done).toBe(true);
    const [record] = await session.interactions();
    expect(responseOf(record as HelixZedInteraction)).toBe("Hello! How can I help you today?");
    expect(Math.abs(Number(record?.endedAt) - Date.now())).toBeLessThan(10_000);

    void session.prompt("Can you explain more?");
    expect((await agent.next("chat_message")).data).toMatchObject({
      acp_thread_id: "t",
      message: "Can you explain more?",
    });
  });

  it("H02 H14: sends one message at a time, in order, each under an id of its own", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const interactions = Array.from({ length: 20 }, (_, i) => session.prompt(`message ${i}`));
    const ids = new Set<unknown>();
    for (let i = 0; i < 20; i += 1) {
      const chat = await agent.next("chat_message");
      await agent.settled();
      expect(agent.all("chat_message")).toHaveLength(i + 1);
      expect(chat.data["message"]).toBe(`message ${i}`);
      ids.add(chat.data["request_id"]);
      answer(agent, chat, "t", `answer ${i}`);
    }
    expect(ids.size).toBe(20);
    const ends = await Promise.all(interactions.map(({ interaction }) => interaction));
    expect(ends.map(responseOf)).toEqual(ends.map((_, i) => `answer ${i}`));
  });

  it("H19: never sends a role", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    void (await host.session("ses_1")).prompt("x");
    expect(Object.keys((await agent.next("chat_message")).data)).toEqual([
      "helix_session_id",
      "acp_thread_id",
      "message",
      "request_id",
    ]);
  });
});

describe("routing", () => {
  it("H07: completions go by their request and not by their order, on one connection and on two", async () => {
    for (const shared of [true, false]) {
      const { host, dial } = await startHost();
      const first = await dial("ses_a");
      const second = shared ? first : await dial("ses_b");
      const a = (await host.session("ses_a")).prompt("a");
      const b = (await host.session("ses_b", shared ? { agent: "ses_a" } : {})).prompt("b");
      const chats = shared ? [await first.next(), await first.next()] : [await first.next(), await second.next()];
      expect(chats.map(({ data }) => data["helix_session_id"])).toEqual(["ses_a", "ses_b"]);
      second.send(says.created("tb", "ses_b"));
      first.send(says.created("ta", "ses_a"));
      first.send(says.added("ta", "for a", "m1", {}, "ses_a"));
      second.send(says.added("tb", "for b", "m1", {}, "ses_b"));
      second.send(says.completed("tb", b.requestId, {}, "ses_b"));
      expect(responseOf(await b.interaction)).toBe("for b");
      first.send(says.completed("ta", a.requestId, {}, "ses_a"));
      expect(responseOf(await a.interaction)).toBe("for a");
    }
  });

  it("H08 H13: what belongs to nothing is ignored; the connection stays", async () => {
    const { host, dial, oddities } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const first = session.prompt("one");
    answer(agent, await agent.next(), "t", "done");
    await first.interaction;
    agent.send(says.completed("t", first.requestId));
    agent.send(says.completed("t", "req_unknown"));
    agent.send(says.completed("unknown", "req_unknown", {}, "ses_unknown"));
    agent.send(says.added("unknown", "x", "m", {}, "ses_unknown"));
    agent.send(says.created("t2", "ses_unknown"));
    agent.send(says.event("context_deleted", { context_id: "t" }));
    agent.send(says.event("toString", {}));
    const second = session.prompt("two");
    answer(agent, await agent.next("chat_message"), "t", "done again");
    expect(responseOf(await second.interaction)).toBe("done again");
    expect(oddities.filter((id) => id === "unmatched")).toHaveLength(5);
    expect(oddities.filter((id) => id === "tagged.unknown-name")).toHaveLength(2);
    expect(session.state.threadId).toBe("t");
  });

  it("H09: a late message does not change what is complete", async () => {
    const { host, dial, events } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const first = session.prompt("one");
    answer(agent, await agent.next(), "t", "final");
    await first.interaction;
    agent.send(says.added("t", "late", `m-${first.requestId}`));
    await agent.settled();
    const second = session.prompt("two");
    agent.send(says.added("t", "late for a named request", "m9", { request_id: first.requestId }));
    answer(agent, await agent.next(), "t", "other");
    await second.interaction;
    expect((await session.interactions()).map(responseOf)).toEqual(["final", "other"]);
    expect(events.filter(({ type }) => type === "message")).toMatchObject([
      { message: { content: "late" } },
      { message: { content: "late for a named request" } },
    ]);
  });

  it("H10: messages keep the order in which they began; an update replaces in place", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    agent.send(says.created("t"));
    for (const [id, text] of [
      ["1", "first"],
      ["2", "second"],
      ["1", "first, corrected"],
      ["3", "third"],
      ["2", "short"],
    ] as const)
      agent.send(says.added("t", text, id));
    agent.send(says.completed("t", interaction.requestId));
    const record = await interaction.interaction;
    expect(record.messages.map(({ id, content }) => [id, content])).toEqual([
      ["1", "first, corrected"],
      ["2", "short"],
      ["3", "third"],
    ]);
    expect(responseOf(record)).toBe("first, corrected\n\nshort\n\nthird");
  });

  it("H11 H12: reads agents of 2026: thread_created, context_id, no session, another message id", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const interaction = session.prompt("x");
    await agent.next();
    agent.send(says.event("agent_ready", { agent_name: "zed", thread_id: null }));
    agent.send(says.event("ping", { timestamp: 1 }));
    agent.send(says.event("thread_created", { acp_thread_id: "t", request_id: interaction.requestId }));
    agent.send(
      says.event("message_added", {
        acp_thread_id: "t",
        message_id: "1",
        role: "assistant",
        content: "hi",
        timestamp: 1_759_410_084,
        entry_type: "text",
      }),
    );
    agent.send(
      says.event("message_completed", {
        acp_thread_id: "t",
        message_id: "0",
        request_id: interaction.requestId,
        usage: { total_tokens: 5 },
      }),
    );
    expect(await interaction.interaction).toMatchObject({
      state: "complete",
      messages: [{ id: "1", content: "hi", entryType: "text" }],
      usage: { total_tokens: 5 },
    });
    const other = (await host.session("ses_2", { agent: "ses_1" })).prompt("y");
    await agent.next("chat_message");
    agent.send({ session_id: "ses_2", event_type: "context_created", data: { context_id: "t2" } });
    agent.send(says.event("message_completed", { context_id: "t2", message_id: "0" }));
    expect((await other.interaction).state).toBe("complete");
    expect([session.state.threadId, (await host.session("ses_2", { agent: "ses_1" })).state.threadId]).toEqual([
      "t",
      "t2",
    ]);
  });

  it("H23: another thread for the same session replaces the mapping", async () => {
    const { host, dial, events } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    answer(agent, (void session.prompt("one"), await agent.next()), "t1", "x");
    void session.prompt("two");
    await agent.next("chat_message");
    agent.send(says.created("t2"));
    agent.send(says.created("t2"));
    agent.send(says.completed("t2", agent.all("chat_message")[1]?.data["request_id"]));
    void session.prompt("three");
    expect((await agent.next("chat_message")).data["acp_thread_id"]).toBe("t2");
    expect(events.filter(({ type }) => type === "thread")).toHaveLength(2);
  });

  it("H24: timestamps and roles of every kind are read", async () => {
    const { host, dial, events, errors } = await startHost();
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    agent.send(says.created("t"));
    for (const [id, timestamp] of [
      ["1", "1759410084"],
      ["2", 1_759_410_084_123],
      ["3", "2025-10-02T13:01:24Z"],
      ["4", undefined],
    ] as const)
      agent.send(says.added("t", id, id, { timestamp }));
    for (const role of ["user", "system"]) agent.send(says.added("t", role, role, { role }));
    agent.send(says.completed("t", interaction.requestId));
    const { messages } = await interaction.interaction;
    expect(messages.slice(0, 3).map(({ timestamp }) => timestamp)).toEqual([
      1_759_410_084, 1_759_410_084, 1_759_410_084,
    ]);
    expect(messages.map(({ id }) => id)).toEqual(["1", "2", "3", "4"]);
    expect(events.filter(({ type }) => type === "message")).toMatchObject([{ role: "user" }, { role: "system" }]);
    expect(errors).toEqual([]);
  });

  it("keeps one agent out of another one's sessions", async () => {
    const { host, dial } = await startHost();
    const agent = await dial("ses_1");
    const stranger = await dial("ses_2");
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    stranger.send(says.created("stolen"));
    stranger.send(says.added("stolen", "forged"));
    stranger.send(says.completed("stolen", interaction.requestId));
    await stranger.settled();
    agent.send(says.created("t"));
    agent.send(says.completed("t", interaction.requestId));
    expect(await interaction.interaction).toMatchObject({ messages: [] });
    expect((await host.session("ses_1")).state.threadId).toBe("t");
  });
});

describe("answers", () => {
  it("H25: carry a mebibyte, and a hundred updates in order", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    const lengths: number[] = [];
    const reading = (async (): Promise<void> => {
      for await (const event of interaction) if (event.type === "message") lengths.push(event.message.content.length);
    })();
    agent.send(says.created("t"));
    const piece = "é".repeat(1_000);
    for (let i = 1; i <= 100; i += 1) agent.send(says.added("t", piece.repeat(i)));
    agent.send(says.added("t", piece.repeat(1_049)));
    agent.send(says.completed("t", interaction.requestId));
    const record = await interaction.interaction;
    await reading;
    expect(responseOf(record)).toBe(piece.repeat(1_049));
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(lengths.at(-1)).toBe(1_049_000);
  });

  it("can be read late, twice, and slowly, and are whole each time", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    const slow = interaction[Symbol.asyncIterator]();
    await agent.next();
    agent.send(says.created("t"));
    agent.send(says.added("t", "a", "1"));
    await slow.next();
    for (const [id, text] of [
      ["1", "ab"],
      ["2", "c"],
      ["2", "cd"],
      ["1", "abc"],
    ] as const)
      agent.send(says.added("t", text, id));
    agent.send(says.completed("t", interaction.requestId));
    await interaction.interaction;
    const rest = [(await slow.next()).value, (await slow.next()).value, (await slow.next()).value];
    expect(rest).toMatchObject([
      { message: { id: "1", content: "abc" } },
      { message: { id: "2", content: "cd" } },
      { type: "stop" },
    ]);
    const { events } = await readAll(interaction);
    expect(events.map((event) => (event.type === "message" ? event.message.content : event.type))).toEqual([
      "abc",
      "cd",
      "stop",
    ]);
  });

  it("reading 9: without a word are complete, or an error where the host says so", async () => {
    for (const emptyAnswer of ["complete", "error"] as const) {
      const { host, dial } = await startHost({ emptyAnswer });
      const agent = await dial();
      const interaction = (await host.session("ses_1")).prompt("x");
      await agent.next();
      agent.send(says.created("t"));
      agent.send(says.completed("t", interaction.requestId));
      expect((await interaction.interaction).state).toBe(emptyAnswer);
    }
  });

  it("have limits", async () => {
    const { host, dial, oddities } = await startHost({ maxMessages: 2, maxAnswerLength: 12 });
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    agent.send(says.created("t"));
    for (const [id, text] of [
      ["1", "12345"],
      ["2", "12345"],
      ["3", "x"],
      ["1", "123456"],
      ["1", "1234"],
    ] as const)
      agent.send(says.added("t", text, id));
    agent.send(says.completed("t", interaction.requestId));
    expect((await interaction.interaction).messages.map(({ content }) => content)).toEqual(["1234", "12345"]);
    expect(oddities).toEqual(["answer-too-large", "answer-too-large"]);
  });

  it("end as errors when the agent says nothing for too long", async () => {
    const { host, dial } = await startHost({ answerTimeoutMs: 30 });
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    expect(await interaction.interaction).toMatchObject({ state: "error", error: "the agent said nothing for 30 ms" });
    const next = (await host.session("ses_1")).prompt("y");
    answer(agent, await agent.next("chat_message"), "t", "fine");
    expect((await next.interaction).state).toBe("complete");
  });
});

describe("requests of callers", () => {
  it("under a name that the host knows already give the interaction that there is", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const [first, again] = [session.prompt("x", { requestId: "r" }), session.prompt("x", { requestId: "r" })];
    answer(agent, await agent.next(), "t", "once");
    expect(await again.interaction).toEqual(await first.interaction);
    expect(responseOf((await readAll(session.prompt("x", { requestId: "r" }))).end)).toBe("once");
    await expect(
      (await host.session("ses_2", { agent: "ses_1" })).prompt("x", { requestId: "r" }).interaction,
    ).rejects.toMatchObject({
      code: "invalid_params",
    });
    await agent.settled();
    expect(agent.all("chat_message")).toHaveLength(1);
    expect(() => session.prompt("x", { requestId: "" })).toThrow("requestId: expected a string that is not empty");
  });

  it("can be cancelled while they wait; what was sent cannot, in the specification's dialect", async () => {
    const { host, dial, errors } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const sent = session.prompt("one");
    const controller = new AbortController();
    const queued = session.prompt("two", { signal: controller.signal });
    await agent.next();
    controller.abort();
    expect((await queued.interaction).state).toBe("interrupted");
    await expect(sent.cancel()).rejects.toMatchObject({
      code: "invalid_params",
      message: expect.stringContaining("v2026") as string,
    });
    expect(() => session.prompt("x", { interrupt: true })).toThrow(expect.objectContaining({ code: "invalid_params" }));
    answer(agent, agent.all("chat_message")[0] as never, "t", "x");
    expect((await sent.interaction).state).toBe("complete");
    await sent.cancel();
    expect(errors).toEqual([]);
  });

  it("end with the host; what waits stays in the store", async () => {
    const store = memoryStore();
    const { host } = await startHost({ store });
    const interaction = (await host.session("ses_1")).prompt("x", { requestId: "r" });
    await (await host.session("ses_1")).interactions();
    await host.close();
    await expect(interaction.interaction).rejects.toMatchObject({ code: "closed" });
    await expect(readAll(interaction)).rejects.toMatchObject({ code: "closed" });
    await expect((await host.session("ses_1")).prompt("y").interaction).rejects.toMatchObject({ code: "closed" });
    const next = await startHost({ store });
    const agent = await next.dial();
    expect((await agent.next()).data).toMatchObject({ request_id: "r", message: "x" });
  });

  it("get the error of a store that fails; an answer is kept until it can be saved", async () => {
    const store = memoryStore();
    let fail = true;
    const { host, dial, errors } = await startHost({
      saveMs: 1,
      store: {
        ...store,
        saveInteraction(record) {
          if (fail) throw new Error("disk full");
          return store.saveInteraction(record);
        },
      },
    });
    const agent = await dial();
    await expect((await host.session("ses_1")).prompt("x").interaction).rejects.toThrow("disk full");
    fail = false;
    const second = (await host.session("ses_1")).prompt("y");
    const chat = await agent.next();
    expect(chat.data["message"]).toBe("y");
    fail = true;
    answer(agent, chat, "t", "answered");
    while (errors.length < 2) await new Promise(setImmediate);
    expect((await (await host.session("ses_1")).interactions()).at(-1)?.state).toBe("complete");
    fail = false;
    expect(responseOf(await second.interaction)).toBe("answered");
    const third = (await host.session("ses_1")).prompt("z");
    answer(agent, await agent.next("chat_message"), "t", "fine");
    expect((await third.interaction).state).toBe("complete");
    expect(new Set(errors.map(String))).toEqual(new Set(["Error: disk full"]));
  });

  it("wait for a store that takes its time, in order", async () => {
    const store = memoryStore();
    const slowly = async <T>(value: T): Promise<Awaited<T>> => {
      await new Promise(setImmediate);
      return await value;
    };
    const { host, dial } = await startHost({
      store: {
        load: (id) => slowly(store.load(id)),
        saveSession: (session) => slowly(store.saveSession(session)),
        saveInteraction: (record) => slowly(store.saveInteraction(record)),
        interaction: (id) => slowly(store.interaction(id)),
        interactions: (id) => slowly(store.interactions(id)),
        session: (id) => slowly(store.session(id)),
        sessions: () => slowly(store.sessions()),
        deleteSession: (id) => slowly(store.deleteSession(id)),
      },
    });
    const agent = await dial();
    const session = await host.session("ses_1");
    const interactions = ["a", "b", "c"].map((message) => session.prompt(message));
    for (const letter of ["a", "b", "c"]) answer(agent, await agent.next("chat_message"), "t", letter.toUpperCase());
    expect((await Promise.all(interactions.map(({ interaction }) => interaction))).map(responseOf)).toEqual([
      "A",
      "B",
      "C",
    ]);
    expect((await session.interactions()).map(responseOf)).toEqual(["A", "B", "C"]);
  });
});

describe("the wire", () => {
  it("H17: a bad frame harms neither its connection nor another one", async () => {
    const { host, dial, errors } = await startHost();
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    for (const junk of [
      "{nope",
      "[]",
      "null",
      { event_type: "message_added", data: [] },
      { event_type: 3, data: {} },
      { timestamp: 5 },
      Buffer.from([0xff]),
    ])
      agent.send(junk);
    agent.send(says.added("", "no thread"));
    agent.send({ ...(says.created("t") as object), timestamp: 1_759_410_084 });
    agent.send(Buffer.from(JSON.stringify(says.completed("t", interaction.requestId))));
    expect((await interaction.interaction).state).toBe("complete");
    expect((await host.session("ses_1")).state.threadId).toBe("t");
    expect(errors.length).toBeGreaterThan(0);
  });

  it.each([
    ["no Authorization", {}, 401],
    ["an empty token", { authorization: "Bearer " }, 401],
    ["another token", { authorization: "Bearer s3cre7" }, 401],
    ["a foreign Origin", { authorization: "Bearer s3cret", origin: "https://evil.example" }, 403],
  ])("H15: %s is refused before the upgrade", async (_name, headers, status) => {
    const { port } = await startHost({ token: "s3cret", origins: ["https://app.example"] });
    const url = `ws://127.0.0.1:${port}${syncPath}?session_id=s`;
    await expect(dialRaw(url, headers as Record<string, string>)).rejects.toThrow(
      `Unexpected server response: ${status}`,
    );
    await (await dialRaw(url, { authorization: "Bearer s3cret", origin: "https://app.example" })).settled();
  });

  it("serves its path on an existing server, and requires a session; agent_id is one too", async () => {
    const { host, port, event } = await startHost();
    await expect(dialRaw(`ws://127.0.0.1:${port}/other?session_id=s`)).rejects.toThrow("418");
    await expect(dialRaw(`ws://127.0.0.1:${port}${syncPath}`)).rejects.toThrow("400");
    const connected = event("connected");
    await dialRaw(`ws://127.0.0.1:${port}${syncPath}?agent_id=old`);
    expect(await connected).toEqual({ type: "connected", agentId: "old" });
    expect((await host.session("old")).state.connected).toBe(true);
    const page = await new Promise<string>((resolve) =>
      httpRequest({ port }, (response) => response.setEncoding("utf8").once("data", resolve)).end(),
    );
    expect(page).toBe("the product's own page");
  });

  it("H16: pings, and drops an agent that does not answer in time", async () => {
    const { port, event, dial } = await startHost({ pingMs: 300, pongMs: 250 });
    const well = await dial("well");
    while (well.pings < 2) await new Promise((resolve) => well.socket.once("ping", resolve));
    const dropped = event("disconnected");
    const silent = connectTcp(port, "127.0.0.1");
    onTestFinished(() => void silent.destroy());
    silent.write(
      `GET ${syncPath}?session_id=silent HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n` +
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    expect(await dropped).toMatchObject({ type: "disconnected", agentId: "silent" });
    expect(well.socket.readyState).toBe(1);
  });

  it("has a limit for the size of a message, which ends only the connection that broke it", async () => {
    const { host, dial, event } = await startHost({ maxMessageBytes: 10_000 });
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x", { requestId: "r" });
    await agent.next();
    const lost = event("disconnected");
    agent.send(says.added("t", "x".repeat(20_000)));
    await lost;
    expect(await agent.closed).toBe(1009);
    const again = await dial();
    answer(again, await again.next(), "t", "short");
    expect(responseOf(await interaction.interaction)).toBe("short");
  });
});
