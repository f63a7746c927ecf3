import { describe, expect, it } from "vitest";
import { helixZedProfiles, memoryStore, responseOf } from "../src/index.js";
import { syncPath } from "../src/node.js";
import { helixZedPair } from "../src/testing.js";
import { answer, readAll, says, startHost } from "./support/hosts.js";
import { dialRaw } from "../../transport/test/raw-socket.js";

const v2026 = helixZedProfiles.v2026;
const ready = says.event("agent_ready", { agent_name: "zed", thread_id: null });

describe("an answer", () => {
  it("begins again when an agent that was killed is asked again: its half is not kept", async () => {
    const { host, dial, event } = await startHost();
    const first = await dial();
    const turn = (await host.session("ses_1")).prompt("x");
    const reader = turn[Symbol.asyncIterator]();
    await first.next();
    first.send(says.created("t"));
    first.send(says.added("t", "half", "m1"));
    expect((await reader.next()).value).toMatchObject({ message: { content: "half" } });
    const gone = event("disconnected");
    first.kill();
    await gone;
    const second = await dial();
    await second.next();
    second.send(says.added("t", "whole", "m2"));
    second.send(says.completed("t", turn.requestId));
    expect(responseOf(await turn.interaction)).toBe("whole");
    expect([(await reader.next()).value, (await reader.next()).value]).toMatchObject([
      { type: "restart" },
      { type: "message", message: { content: "whole" } },
    ]);
  });

  it("is durable as it grows: a host that comes back completes it with the text that was saved", async () => {
    const store = memoryStore();
    const { host, dial } = await startHost({ store, saveMs: 1 });
    const agent = await dial();
    const session = await host.session("ses_1");
    const { requestId } = session.prompt("x");
    await agent.next();
    agent.send(says.created("t"));
    agent.send(says.added("t", "half an answer"));
    await agent.settled();
    expect((await session.interactions()).map(responseOf)).toEqual(["half an answer"]);
    const saved = async (): Promise<string> => responseOf((await store.interaction(requestId)) ?? { messages: [] });
    while ((await saved()) === "") await new Promise(setImmediate);
    await host.close();
    const next = await startHost({ store });
    const again = await next.dial();
    await again.next();
    const watched = (await next.host.session("ses_1")).watch(requestId);
    again.send(says.completed("t", requestId));
    const { end } = await readAll(watched);
    expect([end.state, responseOf(end)]).toEqual(["complete", "half an answer"]);
  });

  it("that was interrupted is `interrupted`, though the agent only completes it", async () => {
    const { host, dial } = await startHost({ profile: v2026 });
    const agent = await dial();
    agent.send(ready);
    const session = await host.session("ses_1");
    await session.bind("t");
    const first = session.prompt("one");
    await agent.next("chat_message");
    const second = session.prompt("two", { interrupt: true });
    await agent.next("chat_message");
    for (const request_id of [first.requestId, second.requestId])
      agent.send(says.event("message_completed", { acp_thread_id: "t", message_id: "0", request_id }));
    expect([await first.stopReason, await second.stopReason]).toEqual(["cancelled", "end_turn"]);
    expect((await session.interactions()).map(({ state }) => state)).toEqual(["interrupted", "complete"]);
  });
});

describe("a second process under one id", () => {
  it("is refused while the first one is connected; another connection of the first one wins", async () => {
    const { port, event } = await startHost();
    const url = (instance: string): string => `ws://127.0.0.1:${port}${syncPath}?session_id=ses_1&instance=${instance}`;
    const first = await dialRaw(url("a"));
    await expect(dialRaw(url("b"))).rejects.toThrow("409");
    const again = await dialRaw(url("a"));
    await first.closed;
    const gone = event("disconnected");
    again.kill();
    await gone;
    await (await dialRaw(url("b"))).settled();
  });
});

describe("sessions", () => {
  it("are found by their ids alone, also when the host is new", async () => {
    const store = memoryStore();
    await store.saveSession({ id: "ses_a", agentId: "agent-1", threadId: "t", title: undefined });
    const { host } = await startHost({ store });
    const session = await host.session("ses_a");
    expect([session.agentId, session.state.threadId]).toEqual(["agent-1", "t"]);
    await expect(host.session("ses_a", { agent: "agent-2" })).rejects.toMatchObject({ code: "invalid_params" });
  });

  it("are listed with their agents, renamed, and deleted with what runs in them", async () => {
    const { host, dial } = await startHost();
    const agent = await dial("a");
    const session = await host.session("s1", { agent: "a" });
    const turn = session.prompt("x");
    await agent.next("chat_message");
    await session.rename("A title");
    expect(await host.listSessions({ agent: "a" })).toEqual([
      { id: "s1", agentId: "a", threadId: undefined, title: "A title" },
    ]);
    expect(await host.listAgents()).toEqual([{ agentId: "a", connected: true }]);
    await host.deleteSession("s1");
    await expect(turn.stopReason).rejects.toMatchObject({ code: "aborted" });
    expect(await host.listSessions()).toEqual([]);
    expect((await host.session("s1", { agent: "a" })).state.entries).toEqual([]);
  });

  it("refuse a request id that comes with another message", async () => {
    const { host } = await startHost();
    const session = await host.session("s");
    void session.prompt("one", { requestId: "r" });
    await expect(session.prompt("two", { requestId: "r" }).stopReason).rejects.toMatchObject({
      code: "invalid_params",
      message: expect.stringContaining("belongs to another message") as string,
    });
  });

  it("record what the user says on the agent's side, in a thread that the user began", async () => {
    const { host, dial, event } = await startHost({ profile: v2026 });
    const agent = await dial();
    agent.send(ready);
    const begun = event("session");
    agent.send(says.event("user_created_thread", { acp_thread_id: "mine", title: "Mine" }));
    await begun;
    const [record] = await host.listSessions();
    const session = await host.session(String(record?.id));
    const common = { acp_thread_id: "mine", timestamp: 1 };
    agent.send(says.event("message_added", { ...common, message_id: "1", role: "user", content: "What is this?" }));
    agent.send(says.event("message_added", { ...common, message_id: "2", role: "assistant", content: "A test." }));
    await agent.settled();
    expect(session.state).toMatchObject({ running: true, title: "Mine" });
    agent.send(says.event("message_completed", { acp_thread_id: "mine", message_id: "0", request_id: "own" }));
    await agent.settled();
    expect(await session.interactions()).toMatchObject([
      { message: "What is this?", state: "complete", origin: "agent", messages: [{ content: "A test." }] },
    ]);
    expect(agent.all("chat_message")).toEqual([]);
  });
});

describe("the state of a session", () => {
  it("merges messages and tool calls, and what has not changed is the same value", async () => {
    const pair = helixZedPair(
      {
        async prompt(turn) {
          await turn.text("Looking");
          await turn.toolCall({ title: "Read" }).complete("a.ts");
          await turn.text("Found");
        },
      },
      { host: { profile: v2026 }, agent: { profile: v2026, flushMs: 0 } },
    );
    const session = await pair.host.session("ses_1");
    const running: boolean[] = [];
    const { subscribe } = session; // as a view hands it on
    const stop = subscribe((state) => void running.push(state.running));
    expect(await session.prompt("Look").stopReason).toBe("end_turn");
    const { entries, connected } = session.state;
    expect(connected).toBe(true);
    expect(entries).toMatchObject([
      { type: "message", role: "user", text: "Look" },
      { type: "message", role: "assistant", text: "Looking" },
      { type: "tool_call", toolCall: { title: "Read", status: "completed", text: "a.ts" } },
      { type: "message", role: "assistant", text: "Found" },
    ]);
    await session.prompt("Again").stopReason;
    expect(session.state.entries.slice(0, 4).every((entry, i) => entry === entries[i])).toBe(true);
    await new Promise(setImmediate);
    expect([running.includes(true), running.at(-1)]).toEqual([true, false]);
    stop();
    await pair.close();
  });
});

it("a host reports an agent that names no session once a connection, and not for every event", async () => {
  const { host, dial, oddities } = await startHost();
  const agent = await dial();
  const turn = (await host.session("ses_1")).prompt("x");
  answer(agent, await agent.next(), "t", "fine");
  await turn.stopReason;
  for (let i = 0; i < 3; i += 1) agent.send(says.event("ping", { timestamp: 1 }));
  await agent.settled();
  expect(oddities.filter((id) => id === "no-session")).toHaveLength(1);
});
