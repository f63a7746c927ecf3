import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { describe, expect, it } from "vitest";
import { type HelixZedAgent, RemoteError } from "../src/index.js";
import type { HelixZedDialOptions } from "../src/node.js";
import { start, turnOf } from "./support/agents.js";
import { deferred, nameOf } from "../../transport/test/raw-socket.js";
import { chat } from "./support/chat.js";

const echo: HelixZedAgent = { prompt: (turn) => turn.text(`${turn.requestId}: ${turn.promptText}`) };

describe("the dialect 2026", () => {
  const start2026 = (handlers: HelixZedAgent, options: Partial<HelixZedDialOptions> = {}) =>
    start(handlers, { profile: helixZedProfiles.v2026, agentName: "tester", ...options });

  it("A23: says that it is ready, on each connection", async () => {
    const { raw, host } = await start2026(echo);
    expect(await host.next()).toEqual({
      session_id: "ses_1",
      event_type: "agent_ready",
      data: { agent_name: "tester", thread_id: null },
    });
    host.kill();
    expect(nameOf(await (await raw.accept()).next())).toBe("agent_ready");
  });

  it("gives the handler what the host says of a message", async () => {
    const seen: unknown[] = [];
    const { host } = await start2026({
      prompt({ interactionId, trackCodeChanges, fromQueue, isContinue }) {
        seen.push({ interactionId, trackCodeChanges, fromQueue, isContinue });
      },
    });
    await host.next("agent_ready");
    const said = { interaction_id: "int_1", track_code_changes: true, from_queue: true, is_continue: true };
    const { data, ...frame } = chat("r1");
    await turnOf(host, { ...frame, data: { ...data, ...said } });
    await turnOf(host, chat("r2", "t2"));
    expect(seen).toEqual([
      { interactionId: "int_1", trackCodeChanges: true, fromQueue: true, isContinue: true },
      { interactionId: undefined, trackCodeChanges: false, fromQueue: false, isContinue: false },
    ]);
  });

  it("names threads, requests, tools and tokens", async () => {
    const { host } = await start2026({
      newThread: () => "t",
      async prompt(turn) {
        await turn.text("Looking");
        const tool = turn.toolCall({ title: "Read file" });
        await tool.update({ text: "a.ts", status: "completed" });
        await turn.text("Found");
        turn.usage({ total_tokens: 3 });
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
      tool_status: "In Progress",
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
    const handlers: HelixZedAgent = {
      ...echo,
      loadThread: (id) => (id === "gone" ? Promise.reject(RemoteError.invalidParams("no such thread")) : undefined),
    };
    const { host } = await start2026(handlers);
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
    expect((await plain.host.next("message_completed")).data).toMatchObject({ request_id: "r", acp_thread_id: "gone" });
    await turnOf(plain.host, chat("r2", "there"));
    expect(plain.host.frames.map(nameOf)).toEqual(["message_completed", "message_added", "message_completed"]);
    expect(plain.errors).toEqual([expect.objectContaining({ message: "no such thread" })]);
  });

  it("A25: cancels a turn once, and says so before its end; there may be nothing to cancel", async () => {
    const { host } = await start2026({
      newThread: () => "t",
      async prompt(turn) {
        await turn.text("on and on");
        await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve()));
        await turn.text("…");
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
    const { host } = await start2026({
      newThread: () => "t",
      prompt: (turn) =>
        turn.requestId === "r2"
          ? turn.text("at once")
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
    const { host } = await start2026({ prompt: () => Promise.reject(RemoteError.invalidParams("the model is gone")) });
    host.send(chat("r"));
    expect((await host.next("chat_response_error")).data).toEqual({ request_id: "r", error: "the model is gone" });
    await host.settled();
    expect(host.all("message_completed")).toEqual([]);
    const failing = await start2026({ ...echo, newThread: () => Promise.reject(RemoteError.invalidParams("no room")) });
    failing.host.send(chat("r"));
    expect((await failing.host.next("chat_response_error")).data).toEqual({ request_id: "r", error: "no room" });
  });

  it("A26: sends no text of other errors than a RemoteError", async () => {
    const secret = new Error("ENOENT: /home/u/.config/key sk-SECRET");
    const fail = (): never => {
      throw secret;
    };
    for (const handlers of [{ prompt: fail }, { ...echo, newThread: fail }, { ...echo, loadThread: fail }]) {
      const { host, errors } = await start2026(handlers);
      host.send(chat("r", "loadThread" in handlers ? "t" : null));
      const ends = ["chat_response_error", "thread_load_error"];
      let frame = await host.next();
      while (!ends.includes(nameOf(frame))) frame = await host.next();
      expect(frame.data["error"]).toBe("Internal error");
      expect(errors).toEqual([secret]);
    }
  });

  it("refuses what would wait too long", async () => {
    const gate = deferred();
    const { host } = await start2026({ newThread: () => "t", prompt: () => gate.promise }, { maxWaiting: 1 });
    host.send(chat("r1"));
    await host.next("thread_created");
    for (const id of ["r2", "r3"]) host.send(chat(id, "t"));
    expect((await host.next("chat_response_error")).data).toMatchObject({ request_id: "r3" });
    gate.resolve();
    expect((await host.next("message_completed")).data["request_id"]).toBe("r1");
    expect((await host.next("message_completed")).data["request_id"]).toBe("r2");
  });

  it("lets the agent say what belongs to no turn", async () => {
    const { host, agent } = await start2026(echo);
    await host.next("agent_ready");
    await agent.notify("thread_title_changed", { session_id: "ses_1", acp_thread_id: "t", title: "Greeting" });
    expect((await host.next("thread_title_changed")).data).toEqual({ acp_thread_id: "t", title: "Greeting" });
  });
});
