import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { describe, expect, it } from "vitest";
import { responseOf } from "../src/index.js";
import { says, startHost } from "./support/hosts.js";
import { nameOf } from "./support/raw.js";

const ready = says.event("agent_ready", { agent_name: "zed", thread_id: null });
const today = (options: Parameters<typeof startHost>[0] = {}) =>
  startHost({ profile: helixZedProfiles.v2026, ...options });

describe("the dialect 2026", () => {
  it("H20: holds messages back until the agent is ready, and shows it the thread meanwhile", async () => {
    const { host, dial } = await today();
    const agent = await dial();
    const session = host.session("ses_1");
    const first = session.send("x", { agentName: "claude" });
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
    expect(await again.next()).toMatchObject({ type: "open_thread", data: { acp_thread_id: "t" } });
    await again.settled();
    expect(again.frames).toHaveLength(1);
    again.send(ready);
    expect((await again.next()).data).toMatchObject({ acp_thread_id: "t", request_id: first.requestId });
  });

  it("H20: does not wait for ever", async () => {
    const { host, dial } = await today({ readyTimeoutMs: 10 });
    const agent = await dial();
    void host.session("ses_1").send("x");
    expect(nameOf(await agent.next())).toBe("chat_message");
  });

  it("H21: a cancelled turn is interrupted, and stays so when its completion comes", async () => {
    const { host, dial, oddities } = await today();
    const agent = await dial();
    agent.send(ready);
    const session = host.session("ses_1");
    const controller = new AbortController();
    const first = session.send("x", { signal: controller.signal });
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
    const record = await first.done;
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
    for (const start of [today, startHost]) {
      const { host, dial } = await start();
      const agent = await dial();
      agent.send(ready);
      const session = host.session("ses_1");
      const first = session.send("x");
      await agent.next("chat_message");
      agent.send(says.event(name, { request_id: first.requestId, error: "the agent crashed", ...extra }));
      expect(await first.done).toMatchObject({ state: "error", error: "the agent crashed" });
      agent.send(says.event("message_completed", { acp_thread_id: "t", message_id: "0", request_id: first.requestId }));
      void session.send("y");
      await agent.next("chat_message");
      expect((await session.interactions()).map(({ state }) => state)).toEqual(["error", "waiting"]);
    }
  });

  it("interrupts the running turn, once there is a thread", async () => {
    const { host, dial } = await today();
    const agent = await dial();
    agent.send(ready);
    const session = host.session("ses_1");
    const first = session.send("one");
    const second = session.send("two", { interrupt: true });
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
    expect((await first.done).state).toBe("interrupted");
    expect(responseOf(await second.done)).toBe("for two");
  });

  it("hears of titles, and of threads that the user begins; a session can take one up", async () => {
    const { host, dial, event, events } = await today();
    const agent = await dial();
    agent.send(ready);
    const begun = event("user_thread");
    agent.send(says.event("user_created_thread", { acp_thread_id: "mine", title: "Begun there" }));
    expect(await begun).toEqual({ type: "user_thread", agentId: "ses_1", threadId: "mine", title: "Begun there" });
    const session = host.session("ses_new", { agent: "ses_1" });
    await session.bind("mine");
    const titled = event("title");
    agent.send(says.event("thread_title_changed", { acp_thread_id: "mine", title: "Greeting" }));
    agent.send(says.event("thread_title_changed", { acp_thread_id: "other", title: "Nobody's" }));
    await titled;
    expect(session.title).toBe("Greeting");
    void session.send("x");
    expect((await agent.next("chat_message")).data).toMatchObject({
      helix_session_id: "ses_new",
      acp_thread_id: "mine",
    });
    await session.bind(undefined);
    expect(session.threadId).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(["connected", "user_thread", "thread", "title", "thread"]);
  });

  it("tool calls are messages of the answer", async () => {
    const { host, dial } = await today();
    const agent = await dial();
    agent.send(ready);
    const interaction = host.session("ses_1").send("x");
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
    expect((await interaction.done).messages).toEqual([
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
