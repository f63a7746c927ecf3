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
    expect(await again.next()).toMatchObject({ type: "open_thread", data: { acp_thread_id: "t" } });
    await again.settled();
    expect(again.frames).toHaveLength(1);
    again.send(ready);
    expect((await again.next()).data).toMatchObject({ acp_thread_id: "t", request_id: first.requestId });
  });

  it("H20: does not wait for ever", async () => {
    const { host, dial } = await today({ readyTimeoutMs: 10 });
    const agent = await dial();
    void (await host.session("ses_1")).prompt("x");
    expect(nameOf(await agent.next())).toBe("chat_message");
  });

  it("H21: a cancelled turn is interrupted, and stays so when its completion comes", async () => {
    const { host, dial, oddities } = await today();
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
    for (const start of [today, startHost]) {
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
    const { host, dial } = await today();
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
    const { host, dial, event, events } = await today();
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
    const { host, dial } = await today();
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
