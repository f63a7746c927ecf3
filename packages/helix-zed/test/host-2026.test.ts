import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { describe, expect, it } from "vitest";
import { responseOf } from "../src/index.js";
import { start, turnOf } from "./support/agents.js";
import { answer, says, startHost } from "./support/hosts.js";
import { nameOf } from "../../transport/test/raw-socket.js";
import { chat as request } from "./support/chat.js";

const ready = says.event("agent_ready", { agent_name: "zed", thread_id: null });
const start2026 = (options: Parameters<typeof startHost>[0] = {}) =>
  startHost({ profile: helixZedProfiles.v2026, ...options });

describe("the dialect 2026", () => {
  it("H20: holds messages back until the agent is ready, and shows it the thread meanwhile", async () => {
    const { host, dial } = await start2026();
    const agent = await dial();
    const session = await host.session("ses_1");
    const first = session.prompt("x", { agentName: "claude" });
    await agent.settled();
    expect(agent.frames).toEqual([]);
    agent.send(ready);
    const chat = await agent.next();
    expect(chat).toMatchObject({
      type: "chat_message",
      data: { helix_session_id: "ses_1", session_id: "ses_1", acp_thread_id: null, agent_name: "claude" },
    });
    agent.send(ready);
    agent.send(says.event("thread_created", { acp_thread_id: "t", request_id: first.requestId }));
    await agent.settled();
    agent.kill();
    const again = await dial();
    expect(await again.next()).toEqual({
      type: "open_thread",
      data: { acp_thread_id: "t", session_id: "ses_1", agent_name: "claude" },
    });
    await again.settled();
    expect(again.frames).toHaveLength(1);
    again.send(ready);
    expect((await again.next()).data).toMatchObject({ acp_thread_id: "t", request_id: first.requestId });
  });

  it("says with a message what the 2026 dialect can say of it, also to the agent of the next connection", async () => {
    const { host, dial } = await start2026();
    const agent = await dial();
    agent.send(ready);
    const session = await host.session("ses_1");
    const first = session.prompt("x", { interactionId: "int_1", trackCodeChanges: true, isContinue: true });
    const second = session.prompt("y");
    const said = { interaction_id: "int_1", track_code_changes: true, is_continue: true };
    expect((await agent.next()).data).toMatchObject({ request_id: first.requestId, ...said });
    agent.kill();
    const again = await dial();
    again.send(ready);
    const { data } = await again.next();
    expect(data).toMatchObject(said);
    expect(data).not.toHaveProperty("from_queue");
    again.send(says.event("message_completed", { acp_thread_id: "t", message_id: "1", request_id: first.requestId }));
    expect((await again.next()).data).toMatchObject({ request_id: second.requestId, from_queue: true });
    expect(await session.interactions()).toMatchObject([
      { interactionId: "int_1", trackCodeChanges: true, isContinue: true },
      { fromQueue: true },
    ]);
  });

  it.each([
    [{ interactionId: 1 }, "prompt: interactionId: expected a string, received number"],
    [{ isContinue: "yes" }, "prompt: isContinue: expected a boolean, received string"],
  ])("refuses %j", async (options, message) => {
    const { host } = await start2026();
    const session = await host.session("ses_1");
    expect(() => session.prompt("x", options as never)).toThrow(message);
  });

  it("H20: waits for a limited time", async () => {
    const { host, dial } = await start2026({ readyTimeoutMs: 10 });
    const agent = await dial();
    void (await host.session("ses_1")).prompt("x");
    expect(nameOf(await agent.next())).toBe("chat_message");
  });

  it("H21: a cancelled turn is interrupted, and stays so when its completion comes", async () => {
    const { host, dial, oddities } = await start2026();
    const agent = await dial();
    agent.send(ready);
    const session = await host.session("ses_1");
    const controller = new AbortController();
    const first = session.prompt("x", { signal: controller.signal });
    await agent.next();
    agent.send(says.event("thread_created", { acp_thread_id: "t", request_id: first.requestId }));
    agent.send(
      says.event("message_added", {
        acp_thread_id: "t",
        message_id: "1",
        role: "assistant",
        content: "half",
        timestamp: 1,
      }),
    );
    await agent.settled();
    controller.abort();
    expect(await agent.next()).toEqual({ type: "cancel_current_turn", data: { request_id: first.requestId } });
    agent.send(says.event("turn_cancelled", { request_id: "bogus", status: "noop" }));
    agent.send(says.event("turn_cancelled", { request_id: first.requestId, status: "cancelled" }));
    const record = await first.interaction;
    expect([record.state, responseOf(record)]).toEqual(["interrupted", "half"]);
    agent.send(says.event("message_completed", { acp_thread_id: "t", message_id: "0", request_id: first.requestId }));
    agent.send(says.event("turn_cancelled", { request_id: first.requestId, status: "cancelled" }));
    await agent.settled();
    expect((await session.interactions()).map(({ state }) => state)).toEqual(["interrupted"]);
    expect(oddities).toEqual(["unmatched", "unmatched"]);
  });

  it.each([
    ["chat_response_error", {}],
    ["thread_load_error", { acp_thread_id: "t" }],
  ])("H22: %s ends a message as an error with its text, in either dialect", async (name, extra) => {
    for (const start of [start2026, startHost]) {
      const { host, dial } = await start();
      const agent = await dial();
      agent.send(ready);
      const session = await host.session("ses_1");
      const first = session.prompt("x");
      await agent.next("chat_message");
      agent.send(says.event(name, { request_id: first.requestId, error: "the agent crashed", ...extra }));
      expect(await first.interaction).toMatchObject({ state: "error", error: "the agent crashed" });
      agent.send(says.event("message_completed", { acp_thread_id: "t", message_id: "0", request_id: first.requestId }));
      void session.prompt("y");
      await agent.next("chat_message");
      expect((await session.interactions()).map(({ state }) => state)).toEqual(["error", "waiting"]);
    }
  });

  it("interrupts the running turn, once there is a thread", async () => {
    const { host, dial } = await start2026();
    const agent = await dial();
    agent.send(ready);
    const session = await host.session("ses_1");
    const first = session.prompt("one");
    const second = session.prompt("two", { interrupt: true });
    await agent.next("chat_message");
    await agent.settled();
    expect(agent.all("chat_message")).toHaveLength(1);
    agent.send(says.event("thread_created", { acp_thread_id: "t", request_id: first.requestId }));
    expect((await agent.next("chat_message")).data).toMatchObject({
      request_id: second.requestId,
      acp_thread_id: "t",
      interrupt: true,
    });
    agent.send(says.event("turn_cancelled", { request_id: first.requestId, status: "cancelled" }));
    agent.send(says.event("message_completed", { acp_thread_id: "t", message_id: "0", request_id: first.requestId }));
    agent.send(
      says.event("message_added", {
        acp_thread_id: "t",
        message_id: "2",
        role: "assistant",
        content: "for two",
        timestamp: 1,
      }),
    );
    agent.send(says.event("message_completed", { acp_thread_id: "t", message_id: "0", request_id: second.requestId }));
    expect((await first.interaction).state).toBe("interrupted");
    expect(responseOf(await second.interaction)).toBe("for two");
  });

  it("takes over titles, and threads that the user begins; a session can be mapped to such a thread", async () => {
    const { host, dial, event, events } = await start2026();
    const agent = await dial();
    agent.send(ready);
    const begun = event("session");
    agent.send(says.event("user_created_thread", { acp_thread_id: "mine", title: "Begun there" }));
    expect(await begun).toMatchObject({ agentId: "ses_1", threadId: "mine", title: "Begun there" });
    const [record] = await host.listSessions();
    const session = await host.session(String(record?.id));
    const titled = event("title");
    agent.send(says.event("thread_title_changed", { acp_thread_id: "mine", title: "Greeting" }));
    agent.send(says.event("thread_title_changed", { acp_thread_id: "other", title: "Nobody's" }));
    await titled;
    expect(session.state.title).toBe("Greeting");
    void session.prompt("x");
    expect((await agent.next("chat_message")).data).toMatchObject({
      helix_session_id: session.id,
      acp_thread_id: "mine",
    });
    await session.bind(undefined);
    expect(session.state.threadId).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(["connected", "session", "title", "thread"]);
  });

  it("tool calls are messages of the answer", async () => {
    const { host, dial } = await start2026();
    const agent = await dial();
    agent.send(ready);
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next("chat_message");
    agent.send(says.event("thread_created", { acp_thread_id: "t", request_id: interaction.requestId }));
    const tool = {
      acp_thread_id: "t",
      message_id: "2",
      role: "assistant",
      content: "**Read**",
      timestamp: 1,
      entry_type: "tool_call",
      tool_name: "Read file",
      tool_status: "Completed",
    };
    agent.send(says.event("message_added", tool));
    agent.send(
      says.event("message_completed", {
        acp_thread_id: "t",
        message_id: "0",
        request_id: interaction.requestId,
        usage: null,
      }),
    );
    expect((await interaction.interaction).messages).toEqual([
      {
        id: "2",
        content: "**Read**",
        timestamp: 1,
        entryType: "tool_call",
        toolName: "Read file",
        toolStatus: "Completed",
      },
    ]);
  });
});

describe("an agent of 2025", () => {
  /** A host that speaks the specification, an agent on the raw wire, and a prompt that the agent has. */
  async function asked() {
    const started = await startHost();
    const agent = await started.dial();
    const session = await started.host.session("ses_1");
    const turn = session.prompt("Hello");
    await agent.next("chat_message");
    return { ...started, agent, session, turn, request_id: turn.requestId };
  }

  it("answers with one chat_response, which ends the turn", async () => {
    const { agent, turn, request_id, oddities } = await asked();
    agent.send(says.event("chat_response", { request_id, content: "The whole answer." }));
    expect(await turn.interaction).toMatchObject({
      state: "complete",
      messages: [{ id: request_id, content: "The whole answer." }],
    });
    agent.send(says.event("chat_response_done", { request_id }));
    await agent.settled();
    expect(oddities.filter((id) => id === "unmatched")).toEqual(["unmatched"]);
  });

  it("answers in chunks, each of which is an update, until chat_response_done", async () => {
    const { agent, session, turn, request_id } = await asked();
    const events = turn[Symbol.asyncIterator]();
    for (const [chunk, content] of [
      ["The ", "The "],
      ["whole ", "The whole "],
      ["answer.", "The whole answer."],
    ]) {
      agent.send(says.event("chat_response_chunk", { request_id, chunk }));
      expect((await events.next()).value).toMatchObject({ type: "message", message: { id: request_id, content } });
    }
    expect(session.state.running).toBe(true);
    agent.send(says.event("chat_response_done", { request_id }));
    expect(responseOf(await turn.interaction)).toBe("The whole answer.");
  });

  it("that is lost in mid-answer leaves no chunk in the answer of the next connection", async () => {
    const { agent, dial, turn, request_id } = await asked();
    const events = turn[Symbol.asyncIterator]();
    agent.send(says.event("chat_response_chunk", { request_id, chunk: "half of" }));
    await events.next();
    agent.kill();
    const again = await dial();
    await again.next("chat_message");
    again.send(says.event("chat_response_chunk", { request_id, chunk: "all of it" }));
    again.send(says.event("chat_response_done", { request_id }));
    expect(responseOf(await turn.interaction)).toBe("all of it");
  });

  it("answers nothing with the id of an unknown request", async () => {
    const { agent, session, oddities } = await asked();
    agent.send(says.event("chat_response", { request_id: "other", content: "x" }));
    agent.send(says.event("chat_response_chunk", { request_id: "other", chunk: "x" }));
    agent.send(says.event("chat_response_done", { request_id: "other" }));
    await agent.settled();
    expect(oddities.filter((id) => id === "unmatched")).toHaveLength(3);
    expect((await session.interactions()).map(({ state, messages }) => [state, messages])).toEqual([["waiting", []]]);
  });

  it("changes a title with context_title_changed, and no text with message_updated", async () => {
    const { agent, session, event, errors } = await asked();
    agent.send(says.created("t"));
    agent.send(says.added("t", "Hello!"));
    const titled = event("title");
    agent.send(says.event("message_updated", { context_id: "t", message_id: 1 }));
    agent.send(says.event("context_title_changed", { context_id: "t", new_title: "Greeting" }));
    expect(await titled).toEqual({ type: "title", sessionId: "ses_1", title: "Greeting" });
    expect(session.state.title).toBe("Greeting");
    expect((await session.interactions()).map(responseOf)).toEqual(["Hello!"]);
    expect(errors).toEqual([]);
  });
});

describe("messages for tests of an editor", () => {
  it("are ignored by a host", async () => {
    const { host, dial, errors } = await startHost();
    const agent = await dial();
    const turn = (await host.session("ses_1")).prompt("Hello");
    const chat = await agent.next("chat_message");
    const state = { query_id: "q", active_view: "agent_thread", entry_count: 1, mcp_servers: {} };
    agent.send(says.event("ui_state_response", state));
    answer(agent, chat, "t", "Hi!");
    expect(responseOf(await turn.interaction)).toBe("Hi!");
    expect(errors).toEqual([]);
  });

  it("are ignored by an agent", async () => {
    const { host, errors } = await start({ prompt: (turn) => turn.text("Hi!") });
    host.send({ type: "query_ui_state", data: { query_id: "q" } });
    host.send({ type: "simulate_user_input", data: { message: "x", request_id: "r0" } });
    expect((await turnOf(host, request("r1"))).map(nameOf)).toEqual([
      "context_created",
      "message_added",
      "message_completed",
    ]);
    expect(errors).toEqual([]);
  });
});
