import { v2026 } from "@editwire/helix-zed-schema";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ZedAgent, ZedAgentHandlers, ZedTurn } from "../src/index.js";
import { type ZedDialOptions, zedAgent } from "../src/node.js";
import { chat, deferred, type Frame, nameOf, RawHost, type RawSocket } from "./support/raw.js";

type Options = Partial<ZedDialOptions>;

async function start(
  handlers: ZedAgentHandlers,
  options: Options = {},
): Promise<{ raw: RawHost; host: RawSocket; agent: ZedAgent; errors: unknown[]; oddities: string[] }> {
  const raw = await RawHost.start();
  const errors: unknown[] = [];
  const oddities: string[] = [];
  const agent = zedAgent(handlers, {
    url: raw.url,
    sessionId: "ses_1",
    flushMs: 0,
    reconnect: { minMs: 5, maxMs: 20 },
    onError: (error) => void errors.push(error),
    onDiagnostic: ({ id }) => void oddities.push(id),
    ...options,
  });
  onTestFinished(() => agent.close());
  return { raw, host: await raw.accept(), agent, errors, oddities };
}

const hello: ZedAgentHandlers = {
  prompt(turn) {
    void turn.append("Hello! How can I");
    void turn.append(" help you today?");
  },
};
const echo: ZedAgentHandlers = { prompt: (turn) => turn.append(`${turn.requestId}: ${turn.message}`) };

async function turnOf(host: RawSocket, request: Frame): Promise<Frame[]> {
  const from = host.frames.length;
  host.send(request);
  await host.next("message_completed");
  return host.frames.slice(from);
}

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
        await turn.append(turn.requestId);
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
    const turns = new Map<string, ZedTurn>();
    const both = deferred();
    const { host } = await start({
      async prompt(turn) {
        turns.set(turn.requestId, turn);
        if (turns.size === 2) both.resolve();
        await both.promise;
        for (let i = 0; i < 5; i += 1) await turn.append(`${turn.requestId} `);
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
        void first.append("a");
        const second = turn.startMessage();
        for (const text of ["b", "c", "d"]) {
          void second.append(text);
          void first.append(text.toUpperCase());
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
          for (let i = 0; i < 1_000; i += 1) void turn.append("x");
        },
      },
      { flushMs: 60_000 },
    );
    const frames = await turnOf(host, chat("r"));
    expect(frames.map(({ data }) => String(data["content"] ?? "").length)).toEqual([0, 1, 1_000, 0]);
  });

  it("may not be added to after their end", async () => {
    const kept: ZedTurn[] = [];
    const { host } = await start({ prompt: (turn) => void kept.push(turn) });
    await turnOf(host, chat("r"));
    expect(() => kept[0]?.append("late")).toThrow(expect.objectContaining({ code: "closed" }));
    expect(() => kept[0]?.startMessage()).toThrow(expect.objectContaining({ code: "closed" }));
  });

  it("have a limit", async () => {
    const refused = deferred<unknown>();
    const { host } = await start(
      {
        prompt(turn) {
          const message = turn.startMessage();
          try {
            for (let i = 0; i < 3; i += 1) void message.append("x".repeat(8 * 1024 * 1024));
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

describe("what is no message", () => {
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
    for (const missing of ["request_id", "message", "helix_session_id"])
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
        await turn.append("once");
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
  it("A21: is dialled at the path of the protocol, with the session and the token", async () => {
    const { raw } = await start(hello, { token: "s3cret", sessionId: "ses 1&x" });
    expect(raw.requests[0]?.url).toBe("/api/v1/external-agents/sync?session_id=ses+1%26x");
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

  it("A19 A20: is dialled again with growing waits; nothing completed is said again, and a known thread is not created again", async () => {
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
    const agent = zedAgent(hello, {
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

  it("may be lost while a turn runs: what was said meanwhile follows on the next one, whole and once", async () => {
    const lost = deferred();
    const appended = deferred();
    const finish = deferred();
    const { raw, host } = await start(
      {
        async prompt(turn) {
          await turn.append("before, ");
          await lost.promise;
          await turn.append("meanwhile");
          appended.resolve();
          await finish.promise;
          await turn.append(", after");
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
      { prompt: (turn) => lost.promise.then(() => turn.append("the end")) },
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

  it("may lose what was said: a host that asks again on another connection hears it again, and the turn does not run twice", async () => {
    let runs = 0;
    const { raw, host } = await start({
      prompt(turn) {
        runs += 1;
        return turn.append("the answer");
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

describe("the dialect 2026", () => {
  const today = (handlers: ZedAgentHandlers, options: Options = {}) =>
    start(handlers, { profile: v2026, agentName: "tester", ...options });

  it("A23: says that it is ready, on each connection", async () => {
    const { raw, host } = await today(echo);
    expect(await host.next()).toEqual({
      session_id: "ses_1",
      event_type: "agent_ready",
      data: { agent_name: "tester", thread_id: null },
    });
    host.kill();
    expect(nameOf(await (await raw.accept()).next())).toBe("agent_ready");
  });

  it("names threads, requests, tools and tokens", async () => {
    const { host } = await today({
      newThread: () => "t",
      async prompt(turn) {
        await turn.append("Looking");
        const tool = turn.toolCall("Read file");
        await tool.update({ append: "a.ts", status: "Completed" });
        await turn.append("Found");
        return { usage: { total_tokens: 3 } };
      },
    });
    await host.next("agent_ready");
    const frames = await turnOf(host, chat("r"));
    expect(frames.map(nameOf)).toEqual([
      "thread_created",
      "message_added",
      "message_added",
      "message_added",
      "message_added",
      "message_completed",
    ]);
    expect(frames[0]?.data).toEqual({ acp_thread_id: "t", request_id: "r" });
    expect(frames[1]?.data).toMatchObject({ entry_type: "text", content: "Looking", request_id: "r" });
    expect(frames[2]?.data).toMatchObject({
      entry_type: "tool_call",
      tool_name: "Read file",
      tool_status: "Running",
      content: "",
    });
    expect(frames[3]?.data).toMatchObject({
      message_id: frames[2]?.data["message_id"],
      tool_status: "Completed",
      content: "a.ts",
    });
    expect(frames[4]?.data).toMatchObject({ entry_type: "text", content: "Found" });
    expect(frames[5]?.data).toMatchObject({ agent_name: "tester", usage: { total_tokens: 3 } });
  });

  it("A24: says that a thread cannot be loaded, under the same request", async () => {
    const handlers: ZedAgentHandlers = {
      ...echo,
      loadThread: (id) => (id === "gone" ? Promise.reject(new Error("no such thread")) : undefined),
    };
    const { host } = await today(handlers);
    host.send(chat("r", "gone"));
    expect((await host.next("thread_load_error")).data).toEqual({
      acp_thread_id: "gone",
      request_id: "r",
      error: "no such thread",
    });
    host.send({ type: "open_thread", data: { acp_thread_id: "gone", request_id: "o" } });
    expect((await host.next("thread_load_error")).data["request_id"]).toBe("o");
    host.send({ type: "open_thread", data: { acp_thread_id: "there", session_id: "ses_1" } });
    expect((await host.next("agent_ready")).data["thread_id"]).toBe("there");
    const plain = await start(handlers);
    plain.host.send(chat("r", "gone"));
    await plain.host.settled();
    await turnOf(plain.host, chat("r2", "there"));
    expect(plain.host.frames.map(nameOf)).toEqual(["message_added", "message_completed"]);
    expect(plain.errors).toEqual([expect.objectContaining({ message: "no such thread" })]);
  });

  it("A25: cancels a turn once, and says so before its end; there may be nothing to cancel", async () => {
    const { host } = await today({
      newThread: () => "t",
      async prompt(turn) {
        await turn.append("on and on");
        await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve()));
        await turn.append("…");
      },
    });
    host.send(chat("r1"));
    await host.next("message_added");
    host.send(chat("r2", "t"));
    for (const request_id of ["r2", "r1", "r1", "bogus"])
      host.send({ type: "cancel_current_turn", data: { request_id } });
    while (host.all("message_completed").length < 2) await host.next();
    await host.settled();
    const told = host.frames.filter((frame) => ["turn_cancelled", "message_completed"].includes(nameOf(frame)));
    expect(
      told
        .map((frame) =>
          `${nameOf(frame)} ${String(frame.data["request_id"])} ${String(frame.data["status"] ?? "")}`.trim(),
        )
        .sort(),
    ).toEqual(
      [
        "turn_cancelled r2 cancelled",
        "message_completed r2",
        "turn_cancelled r1 cancelled",
        "turn_cancelled r1 noop",
        "turn_cancelled bogus noop",
        "message_completed r1",
      ].sort(),
    );
    for (const id of ["r1", "r2"]) {
      const mine = told.filter(({ data }) => data["request_id"] === id).map(nameOf);
      expect(mine[0]).toBe("turn_cancelled");
    }
  });

  it("interrupts the running turn for a message that says so", async () => {
    const { host } = await today({
      newThread: () => "t",
      prompt: (turn) =>
        turn.requestId === "r2"
          ? turn.append("at once")
          : new Promise((resolve) => turn.signal.addEventListener("abort", () => resolve())),
    });
    host.send(chat("r1"));
    await host.next("thread_created");
    host.send({ type: "chat_message", data: { ...chat("r2", "t").data, interrupt: true } });
    expect((await host.next("turn_cancelled")).data).toEqual({ request_id: "r1", status: "cancelled" });
    expect((await host.next("message_completed")).data["request_id"]).toBe("r1");
    expect((await host.next("message_completed")).data["request_id"]).toBe("r2");
  });

  it("A26: says that a turn failed, and does not complete it", async () => {
    const { host } = await today({ prompt: () => Promise.reject(new Error("the model is gone")) });
    host.send(chat("r"));
    expect((await host.next("chat_response_error")).data).toEqual({ request_id: "r", error: "the model is gone" });
    await host.settled();
    expect(host.all("message_completed")).toEqual([]);
    const failing = await today({ ...echo, newThread: () => Promise.reject(new Error("no room")) });
    failing.host.send(chat("r"));
    expect((await failing.host.next("chat_response_error")).data).toEqual({ request_id: "r", error: "no room" });
  });

  it("refuses what would wait too long", async () => {
    const gate = deferred();
    const { host } = await today({ newThread: () => "t", prompt: () => gate.promise }, { maxQueued: 1 });
    host.send(chat("r1"));
    await host.next("thread_created");
    for (const id of ["r2", "r3"]) host.send(chat(id, "t"));
    expect((await host.next("chat_response_error")).data).toMatchObject({ request_id: "r3" });
    gate.resolve();
    expect((await host.next("message_completed")).data["request_id"]).toBe("r1");
    expect((await host.next("message_completed")).data["request_id"]).toBe("r2");
  });

  it("lets the agent say what belongs to no turn", async () => {
    const { host, agent } = await today(echo);
    await host.next("agent_ready");
    await agent.notify("thread_title_changed", { session_id: "ses_1", acp_thread_id: "t", title: "Greeting" });
    expect((await host.next("thread_title_changed")).data).toEqual({ acp_thread_id: "t", title: "Greeting" });
  });
});
