import { describe, expect, it } from "vitest";
import type { HelixZedAgent, HelixZedAgentTurn } from "../src/index.js";
import { dialHelixZed } from "../src/node.js";
import { start, turnOf } from "./support/agents.js";
import { deferred, nameOf } from "../../transport/test/raw-socket.js";
import { chat } from "./support/chat.js";

const hello: HelixZedAgent = {
  prompt(turn) {
    void turn.text("Hello! How can I");
    void turn.text(" help you today?");
  },
};
const echo: HelixZedAgent = { prompt: (turn) => turn.text(`${turn.requestId}: ${turn.promptText}`) };

describe("flow 1: a first message", () => {
  it("A01 A02 A04 A06 A08 A09 A10 A13 A22: is answered with the frames of the specification", async () => {
    const { host } = await start(hello);
    const frames = await turnOf(host, chat("req_1234567890"));
    const { acp_thread_id, message_id, timestamp } = frames[1]?.data ?? {};
    expect(frames).toEqual([
      { session_id: "ses_1", event_type: "context_created", data: { acp_thread_id, helix_session_id: "ses_1" } },
      {
        session_id: "ses_1",
        event_type: "message_added",
        data: { acp_thread_id, message_id, role: "assistant", content: "Hello! How can I", timestamp },
      },
      {
        session_id: "ses_1",
        event_type: "message_added",
        data: {
          acp_thread_id,
          message_id,
          role: "assistant",
          content: "Hello! How can I help you today?",
          timestamp: expect.any(Number) as number,
        },
      },
      {
        session_id: "ses_1",
        event_type: "message_completed",
        data: { acp_thread_id, message_id, request_id: "req_1234567890" },
      },
    ]);
    expect(acp_thread_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number.isInteger(timestamp)).toBe(true);
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(10);
  });

  it.each([
    ["absent", undefined],
    ["empty", ""],
  ])("A03: an %s acp_thread_id is null", async (_name, acp_thread_id) => {
    const { host } = await start(hello);
    const frames = await turnOf(host, { type: "chat_message", data: { ...chat("r").data, acp_thread_id } });
    expect(frames.map(nameOf)).toEqual(["context_created", "message_added", "message_added", "message_completed"]);
  });

  it("A05: each creates a thread of its own, with the id that the agent gives it", async () => {
    let threads = 0;
    const { host } = await start({ ...hello, newThread: () => `thread-${(threads += 1)}` });
    await turnOf(host, chat("r1"));
    await turnOf(host, chat("r2"));
    expect(host.all("context_created").map(({ data }) => data["acp_thread_id"])).toEqual(["thread-1", "thread-2"]);
    const own = await start(hello);
    await turnOf(own.host, chat("r1"));
    await turnOf(own.host, chat("r2"));
    expect(new Set(own.host.all("context_created").map(({ data }) => data["acp_thread_id"])).size).toBe(2);
  });
});

describe("flow 2: a follow-up", () => {
  it("A07 A11 A12: has no second context_created, and one completion with the request's id", async () => {
    const { host } = await start(echo);
    const [created] = await turnOf(host, chat("r1"));
    const thread = created?.data["acp_thread_id"] as string;
    const request_id = `req-é漢😀\u0000${"x".repeat(4_000)}`;
    const frames = await turnOf(host, chat(request_id, thread, "Can you explain more?"));
    expect(frames.map(nameOf)).toEqual(["message_added", "message_completed"]);
    expect(frames[0]?.data).toMatchObject({ acp_thread_id: thread, content: `${request_id}: Can you explain more?` });
    expect(frames[1]?.data["request_id"]).toBe(request_id);
    await host.settled();
    expect(host.all("message_completed")).toHaveLength(2);
  });

  it("A15: waits for the turn before it, in the order of their coming", async () => {
    const gate = deferred();
    const order: string[] = [];
    const { host } = await start({
      async prompt(turn) {
        order.push(`begin ${turn.requestId}`);
        if (turn.requestId === "r1") await gate.promise;
        await turn.text(turn.requestId);
        order.push(`end ${turn.requestId}`);
      },
      newThread: () => "t",
    });
    host.send(chat("r1"));
    await host.next("context_created");
    for (const id of ["r2", "r3"]) host.send(chat(id, "t"));
    await host.settled();
    gate.resolve();
    for (const id of ["r1", "r2", "r3"]) expect((await host.next("message_completed")).data["request_id"]).toBe(id);
    expect(order).toEqual(["begin r1", "end r1", "begin r2", "end r2", "begin r3", "end r3"]);
  });

  it("A14: two sessions on one connection do not mix", async () => {
    const turns = new Map<string, HelixZedAgentTurn>();
    const both = deferred();
    const { host } = await start({
      async prompt(turn) {
        turns.set(turn.requestId, turn);
        if (turns.size === 2) both.resolve();
        await both.promise;
        for (let i = 0; i < 5; i += 1) await turn.text(`${turn.requestId} `);
      },
    });
    host.send(chat("ra", null, "a", "ses_a"));
    host.send(chat("rb", null, "b", "ses_b"));
    await host.next("message_completed");
    await host.next("message_completed");
    for (const letter of ["a", "b"]) {
      const mine = host.frames.filter(({ session_id }) => session_id === `ses_${letter}`);
      expect(new Set(mine.map(({ data }) => data["acp_thread_id"])).size).toBe(1);
      expect(mine.at(-1)?.data["request_id"]).toBe(`r${letter}`);
      expect(mine.filter(({ data }) => data["content"] !== undefined).at(-1)?.data["content"]).toBe(
        `r${letter} `.repeat(5),
      );
    }
  });
});

describe("answers", () => {
  it("A27: an empty one is completed too", async () => {
    const { host } = await start({ prompt() {} });
    const frames = await turnOf(host, chat("r"));
    expect(frames.map(nameOf)).toEqual(["context_created", "message_completed"]);
    expect(frames[1]?.data["message_id"]).toMatch(/^ai_msg_/);
  });

  it("A08 A09: of several messages keep one id each and only grow, however they are interleaved", async () => {
    const { host } = await start({
      prompt(turn) {
        const first = turn.startMessage();
        void first.text("a");
        const second = turn.startMessage();
        for (const text of ["b", "c", "d"]) {
          void second.text(text);
          void first.text(text.toUpperCase());
        }
        expect([first.content, second.content]).toEqual(["aBCD", "bcd"]);
      },
    });
    await turnOf(host, chat("r"));
    const texts = new Map<string, string[]>();
    for (const { data } of host.all("message_added"))
      texts.set(String(data["message_id"]), [
        ...(texts.get(String(data["message_id"])) ?? []),
        String(data["content"]),
      ]);
    expect(texts.size).toBe(2);
    for (const updates of texts.values())
      for (const [i, text] of updates.entries()) expect(text.startsWith(updates[i - 1] ?? "")).toBe(true);
    expect([...texts.values()].map((updates) => updates.at(-1))).toEqual(["aBCD", "bcd"]);
  });

  it("are sent at most once in flushMs, and whole at the end", async () => {
    const { host } = await start(
      {
        prompt(turn) {
          for (let i = 0; i < 1_000; i += 1) void turn.text("x");
        },
      },
      { flushMs: 60_000 },
    );
    const frames = await turnOf(host, chat("r"));
    expect(frames.map(({ data }) => String(data["content"] ?? "").length)).toEqual([0, 1, 1_000, 0]);
  });

  it("may not be added to after their end", async () => {
    const kept: HelixZedAgentTurn[] = [];
    const { host } = await start({ prompt: (turn) => void kept.push(turn) });
    await turnOf(host, chat("r"));
    expect(() => kept[0]?.text("late")).toThrow(expect.objectContaining({ code: "closed" }));
    expect(() => kept[0]?.startMessage()).toThrow(expect.objectContaining({ code: "closed" }));
  });

  it("have a limit", async () => {
    const refused = deferred<unknown>();
    const { host } = await start(
      {
        prompt(turn) {
          const message = turn.startMessage();
          try {
            for (let i = 0; i < 3; i += 1) void message.text("x".repeat(8 * 1024 * 1024));
          } catch (error) {
            refused.resolve(error);
          }
        },
      },
      { flushMs: 60_000 },
    );
    await turnOf(host, chat("r"));
    expect(await refused.promise).toMatchObject({ code: "too_large" });
  });

  it("of a handler that fails are completed in the specification's dialect, which has no errors", async () => {
    const { host, errors } = await start({ prompt: () => Promise.reject(new Error("out of order")) });
    expect((await turnOf(host, chat("r"))).map(nameOf)).toEqual(["context_created", "message_completed"]);
    expect(errors).toEqual([expect.objectContaining({ message: "out of order" })]);
  });
});

describe("what is not a message", () => {
  it("A16 A17: is ignored; the connection and the next message are not harmed", async () => {
    const { host, oddities } = await start(echo);
    const junk = [
      "{nope",
      "[]",
      "null",
      "3",
      { type: "no_such_thing", data: {} },
      { data: {} },
      { type: "chat_message" },
      { type: "chat_message", data: [] },
    ];
    for (const one of junk) host.send(one);
    for (const missing of ["request_id", "message"])
      host.send({ type: "chat_message", data: { ...chat("x").data, [missing]: undefined } });
    host.send(Buffer.from([0xff, 0xfe]));
    const extra = {
      type: "chat_message",
      data: {
        ...chat("r").data,
        session_id: "ses_1",
        interrupt: false,
        agent_name: "zed",
        from_queue: true,
        role: "user",
        track_code_changes: null,
      },
    };
    expect((await turnOf(host, extra)).map(nameOf)).toEqual(["context_created", "message_added", "message_completed"]);
    expect(oddities).toContain("tagged.unknown-name");
    expect(host.all("message_completed")).toHaveLength(1);
  });

  it("reading 18: a message in a binary frame is one", async () => {
    const { host } = await start(echo);
    host.send(Buffer.from(JSON.stringify(chat("r"))));
    expect((await host.next("message_completed")).data["request_id"]).toBe("r");
  });

  it("reading 13: a request that came already is not answered twice", async () => {
    const gate = deferred();
    let runs = 0;
    const { host, oddities } = await start({
      async prompt(turn) {
        runs += 1;
        await gate.promise;
        await turn.text("once");
      },
    });
    host.send(chat("r"));
    host.send(chat("r"));
    await host.settled();
    gate.resolve();
    await host.next("message_completed");
    host.send(chat("r"));
    await host.settled();
    expect([runs, host.all("context_created").length, host.all("message_completed").length]).toEqual([1, 1, 1]);
    expect(oddities).toEqual(["duplicate-request", "duplicate-request"]);
  });
});

describe("the connection", () => {
  it("A21: is dialed at the path of the protocol, with the session and the token", async () => {
    const { raw } = await start(hello, { token: "s3cret", sessionId: "ses 1&x" });
    expect(raw.requests[0]?.url).toMatch(
      /^\/api\/v1\/external-agents\/sync\?session_id=ses\+1%26x&instance=[0-9a-f-]{36}$/,
    );
    expect(raw.requests[0]?.headers).toMatchObject({ authorization: "Bearer s3cret" });
    expect((await start(hello)).raw.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("A18: answers pings, and keeps talking", async () => {
    const { host } = await start(echo);
    for (let i = 0; i < 3; i += 1) await host.settled();
    expect((await turnOf(host, chat("r"))).map(nameOf)).toEqual([
      "context_created",
      "message_added",
      "message_completed",
    ]);
  });

  it("A19 A20: dials again with growing waits; repeats no completed turn and no known thread", async () => {
    const waits: number[] = [];
    const { raw, host, agent } = await start(
      { ...echo, newThread: () => "t" },
      {
        reconnect: { minMs: 4, maxMs: 40, jitter: 0 },
        onConnection: (state) => void (state.connected || waits.push(state.retryMs)),
      },
    );
    await turnOf(host, chat("r1"));
    host.kill();
    const again = await raw.accept();
    await again.settled();
    expect(again.frames).toEqual([]);
    expect((await turnOf(again, chat("r2", "t"))).map(nameOf)).toEqual(["message_added", "message_completed"]);
    expect(waits).toEqual([4]);
    expect(agent.connected).toBe(true);
  });

  it("A19: waits twice as long after each failure, up to a limit", async () => {
    const waits: number[] = [];
    const enough = deferred();
    const agent = dialHelixZed(hello, {
      url: "ws://127.0.0.1:1",
      sessionId: "s",
      reconnect: { minMs: 1, maxMs: 8, jitter: 0 },
      onConnection(state) {
        if (!state.connected) waits.push(state.retryMs);
        if (waits.length === 6) enough.resolve();
      },
    });
    await enough.promise;
    await agent.close();
    expect(waits).toEqual([1, 2, 4, 8, 8, 8]);
  });

  it("may be lost while a turn runs: its messages follow on the next one, whole and once", async () => {
    const lost = deferred();
    const appended = deferred();
    const finish = deferred();
    const { raw, host } = await start(
      {
        async prompt(turn) {
          await turn.text("before, ");
          await lost.promise;
          await turn.text("meanwhile");
          appended.resolve();
          await finish.promise;
          await turn.text(", after");
        },
        newThread: () => "t",
      },
      { reconnect: { minMs: 1 }, onConnection: ({ connected }) => void (connected || lost.resolve()) },
    );
    host.send(chat("r"));
    await host.next("message_added");
    host.kill();
    await appended.promise;
    const again = await raw.accept();
    expect((await again.next()).data["content"]).toBe("before, meanwhile");
    finish.resolve();
    expect((await again.next()).data["content"]).toBe("before, meanwhile, after");
    expect((await again.next("message_completed")).data["request_id"]).toBe("r");
    expect(again.all("context_created")).toEqual([]);
  });

  it("may be lost when a turn ends: the end follows on the next one", async () => {
    const lost = deferred();
    const { raw, host } = await start(
      { prompt: (turn) => lost.promise.then(() => turn.text("the end")) },
      { onConnection: ({ connected }) => void (connected || lost.resolve()) },
    );
    host.send(chat("r"));
    await host.next("context_created");
    host.kill();
    const again = await raw.accept();
    expect((await again.next("message_added")).data["content"]).toBe("the end");
    await again.next("message_completed");
    await again.settled();
    expect(again.all("message_completed")).toHaveLength(1);
  });

  it("sends a lost answer again to a host that repeats the request, without running the turn twice", async () => {
    let runs = 0;
    const { raw, host } = await start({
      prompt(turn) {
        runs += 1;
        return turn.text("the answer");
      },
      newThread: () => "t",
    });
    await turnOf(host, chat("r"));
    host.kill();
    const again = await raw.accept();
    const frames = await turnOf(again, chat("r"));
    expect(frames.map(nameOf)).toEqual(["context_created", "message_added", "message_completed"]);
    expect(frames[1]?.data["content"]).toBe("the answer");
    again.send(chat("r"));
    await again.settled();
    expect([runs, again.frames.length]).toEqual([1, 3]);
    again.kill();
    const third = await raw.accept();
    expect((await turnOf(third, chat("r", "t"))).map(nameOf)).toEqual(["message_added", "message_completed"]);
  });

  it("is closed when the agent is; a running turn is cancelled and says its end", async () => {
    const { host, agent } = await start({
      prompt: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    });
    host.send(chat("r"));
    await host.next("context_created");
    await agent.close();
    await host.next("message_completed");
    await host.closed;
    expect(() => agent.notify("ping", { session_id: "s" })).toThrow(expect.objectContaining({ code: "not_connected" }));
  });

  it("leaves a handler behind that does not stop when it is cancelled", async () => {
    const stuck = deferred();
    const { host, agent, errors } = await start(
      {
        prompt: () => stuck.promise.then(() => Promise.reject(new Error("much later"))),
      },
      { cancelGraceMs: 5 },
    );
    host.send(chat("r"));
    await host.next("context_created");
    await agent.close();
    stuck.resolve();
    await new Promise(setImmediate);
    expect(errors).toEqual([expect.objectContaining({ message: "much later" })]);
  });
});
