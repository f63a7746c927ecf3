import { WireError } from "@editwire/core";
import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { memoryPair, type Transport } from "@editwire/transport";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHelixZedHost, memoryStore, responseOf } from "../src/index.js";
import { answer, readAll, says, startHost } from "./support/hosts.js";

const ready = says.event("agent_ready", { agent_name: "zed", thread_id: null });

describe("a thread that the agent has no more", () => {
  it.each([
    "no such thread",
    "there is no thread t",
    "no thread found with ID: SessionId(t)",
    "Session not found: t",
    "unknown thread t",
    "no rollout found for thread id t",
    "No conversation found with session ID: t",
    "Could not find session t",
  ])("ends its message as an error (%s); the next one begins a new thread", async (error) => {
    const store = memoryStore();
    const { host, dial } = await startHost({ store });
    const agent = await dial();
    const session = await host.session("ses_1");
    const first = session.prompt("one");
    answer(agent, await agent.next(), "t", "fine");
    await first.interaction;
    const second = session.prompt("two");
    const third = session.prompt("three");
    await agent.next("chat_message");
    agent.send(says.event("thread_load_error", { acp_thread_id: "t", request_id: second.requestId, error }));
    expect(await second.interaction).toMatchObject({ state: "error", error });
    expect((await agent.next("chat_message")).data).toMatchObject({ request_id: third.requestId, acp_thread_id: null });
    expect([...(await store.load("ses_1"))].map(({ threadId }) => threadId)).toEqual([undefined]);
    agent.send(says.created("t2"));
    agent.send(says.completed("t2", third.requestId));
    await third.interaction;
    expect(session.state.threadId).toBe("t2");
  });

  it("is kept where the error says something else: the next message may find it again", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    await session.bind("t");
    for (const [acp_thread_id, error] of [
      ["t", "the model's key was refused"],
      ["other", "no such thread"],
      ["t", "cannot load thread t: spawn claude: command not found"],
      ["t", "session t: the model's tool was not found"],
      ["t", "could not find the session's working directory /srv/t"],
    ] as const) {
      const interaction = session.prompt("x");
      await agent.next("chat_message");
      agent.send(says.event("thread_load_error", { acp_thread_id, request_id: interaction.requestId, error }));
      expect((await interaction.interaction).state).toBe("error");
      expect(session.state.threadId).toBe("t");
    }
  });

  it("and that was shown to it only, is left before the waiting message goes out", async () => {
    const { host, dial } = await startHost({ profile: helixZedProfiles.v2026 });
    const session = await host.session("ses_1");
    await session.bind("t");
    const interaction = session.prompt("x");
    const agent = await dial();
    await agent.next("open_thread");
    agent.send(says.event("thread_load_error", { acp_thread_id: "t", request_id: "", error: "no such thread" }));
    agent.send(ready);
    expect((await agent.next("chat_message")).data).toMatchObject({
      request_id: interaction.requestId,
      acp_thread_id: null,
    });
  });
});

describe("two sessions of one thread", () => {
  it("are distinguished where the agent names them", async () => {
    const { host, dial, oddities } = await startHost();
    const agent = await dial("a");
    const one = (await host.session("ses_1", { agent: "a" })).prompt("x");
    const two = (await host.session("ses_2", { agent: "a" })).prompt("x");
    for (const id of ["ses_1", "ses_2"]) agent.send((await agent.next("chat_message"), says.created("t", id)));
    agent.send(says.added("t", "for one", "m1", {}, "ses_1"));
    agent.send(says.added("t", "for two", "m2", {}, "ses_2"));
    agent.send(says.event("message_completed", { acp_thread_id: "t", message_id: "0", request_id: two.requestId }));
    agent.send(says.completed("t", one.requestId, {}, "ses_1"));
    expect([responseOf(await one.interaction), responseOf(await two.interaction)]).toEqual(["for one", "for two"]);
    expect(oddities).toContain("shared-thread");
  });
});

describe("callers", () => {
  it("get an error at once for what cannot be sent", async () => {
    const host = createHelixZedHost();
    onTestFinished(() => host.close());
    const session = await host.session("s");
    for (const [message, options, expected] of [
      [undefined, {}, "prompt: message: expected a string, received undefined"],
      [5, {}, "prompt: message: expected a string, received number"],
      ["x", { requestId: 5 }, "prompt: requestId: expected a string that is not empty"],
      ["x", { requestId: "" }, "prompt: requestId: expected a string that is not empty"],
    ] as const) {
      expect(() => session.prompt(message as string, options as never)).toThrow(
        expect.objectContaining({ code: "invalid_params", message: expected }),
      );
    }
    expect(() => session.prompt("x".repeat(10 * 1024 * 1024 + 1))).toThrow(
      expect.objectContaining({ code: "too_large" }),
    );
    await expect(host.session("")).rejects.toMatchObject({ code: "invalid_params" });
  });

  it("may leave an answer early, read it twice at once, and give a signal that was aborted before", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const interaction = session.prompt("x");
    const gone = session.prompt("y", { signal: AbortSignal.abort() });
    await agent.next();
    agent.send(says.created("t"));
    agent.send(says.added("t", "a"));
    for await (const event of interaction) {
      expect(event).toMatchObject({ message: { content: "a" } });
      break;
    }
    const both = Promise.all([readAll(interaction), readAll(interaction)]);
    agent.send(says.added("t", ""));
    agent.send(says.completed("t", interaction.requestId));
    const [one, two] = await both;
    expect(one.end).toEqual(two.end);
    expect(responseOf(one.end)).toBe("");
    expect((await gone.interaction).state).toBe("interrupted");
    expect(agent.all("chat_message")).toHaveLength(1);
  });
});

describe("agents that send unusual events", () => {
  it("`__proto__`, `constructor` and the like are ids as any other", async () => {
    const { host, dial } = await startHost();
    const agent = await dial("__proto__");
    for (const id of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const session = await host.session(id, { agent: "__proto__" });
      const interaction = session.prompt("x", { requestId: `${id}` });
      await agent.next("chat_message");
      agent.send(says.created(id, id));
      agent.send(
        `{"session_id":${JSON.stringify(id)},"event_type":"message_added",` +
          `"data":{"acp_thread_id":${JSON.stringify(id)},"message_id":"__proto__","role":"assistant",` +
          `"content":"hi","timestamp":1,"__proto__":{"polluted":true},"constructor":1}}`,
      );
      agent.send(says.completed(id, id, {}, id));
      expect(responseOf(await interaction.interaction)).toBe("hi");
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("a value that is nested a hundred thousand levels deep harms no session", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    agent.send(says.created("t"));
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    for (const field of ["message_id", "extra", "content", "timestamp"])
      agent.send(
        `{"session_id":"ses_1","event_type":"message_added","data":{"acp_thread_id":"t","message_id":"m",` +
          `"role":"assistant","content":"hi","timestamp":1,"${field}":${deep}}}`,
      );
    agent.send(
      `{"session_id":"ses_1","event_type":"message_completed","data":{"acp_thread_id":"t","message_id":"0",` +
        `"request_id":${JSON.stringify(interaction.requestId)}}}`,
    );
    expect(responseOf(await interaction.interaction)).toBe("hi");
  });

  it("a completion whose request is a number is that request's, and no other's", async () => {
    const { host, dial } = await startHost();
    const agent = await dial();
    const session = await host.session("ses_1");
    const interaction = session.prompt("x", { requestId: "17" });
    await agent.next();
    agent.send(says.created("t"));
    for (const other of [18, {}, [], true]) agent.send(says.completed("t", other));
    await agent.settled();
    expect((await session.interactions()).map(({ state }) => state)).toEqual(["waiting"]);
    agent.send(says.completed("t", 17));
    expect((await interaction.interaction).state).toBe("complete");
  });

  it("a timestamp in smaller units, or in words, loses no text", async () => {
    const { host, dial, errors } = await startHost();
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    agent.send(says.created("t"));
    for (const [i, timestamp] of [1_759_410_084_123_456, 1.76e18, "1e308", {}, -1].entries())
      agent.send(says.added("t", "hi", `m${i}`, { timestamp }));
    agent.send(says.completed("t", interaction.requestId));
    const { messages } = await interaction.interaction;
    expect(messages).toHaveLength(5);
    for (const { timestamp } of messages) expect(Math.abs(timestamp - Date.now() / 1_000)).toBeLessThan(10);
    expect(errors).toEqual([]);
  });

  it("ids count for the length of an answer", async () => {
    const { host, dial, oddities } = await startHost({ maxAnswerLength: 1_000 });
    const agent = await dial();
    const interaction = (await host.session("ses_1")).prompt("x");
    await agent.next();
    agent.send(says.created("t"));
    agent.send(says.added("t", "", "i".repeat(2_000)));
    agent.send(says.added("t", "", "m", { tool_name: "n".repeat(2_000) }));
    agent.send(says.added("t", "hi", "m"));
    agent.send(says.completed("t", interaction.requestId));
    expect((await interaction.interaction).messages.map(({ id }) => id)).toEqual(["m"]);
    expect(oddities).toEqual(["answer-too-large", "answer-too-large"]);
  });
});

describe("a store that cannot be read at first", () => {
  it("fails the message that asks for it, drops the agent, and loses no thread that it has", async () => {
    const store = memoryStore();
    await store.saveSession({ id: "ses_1", agentId: "ses_1", threadId: "t", title: "A title" });
    let isBusy = true;
    const load: typeof store.load = (id) => {
      if (isBusy) throw new Error("disk busy");
      return store.load(id);
    };
    const { host, dial, errors } = await startHost({ store: { ...store, load } });
    const dropped = await dial();
    await dropped.closed;
    await expect(host.session("ses_1")).rejects.toThrow("disk busy");
    expect(errors.map(String)).toContain("Error: disk busy");
    isBusy = false;
    const session = await host.session("ses_1");
    const second = session.prompt("y");
    const agent = await dial();
    expect((await agent.next("chat_message")).data).toMatchObject({ request_id: second.requestId, acp_thread_id: "t" });
    expect([...(await store.load("ses_1"))]).toMatchObject([{ threadId: "t", title: "A title" }]);
  });
});

/** An agent in this process that only listens. */
function listen(transport: Transport): { said: unknown[]; say: (message: unknown) => void } {
  const said: unknown[] = [];
  transport.start({ message: (value) => void said.push(value), malformed: () => {}, closed: () => {} });
  return { said, say: (message) => void transport.send(JSON.stringify(message)) };
}

it("an interaction that is completed while its time runs out ends once", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = memoryStore();
  const saved: string[] = [];
  let proceed = (): void => {};
  let isSlow = false;
  const host = createHelixZedHost({
    answerTimeoutMs: 40,
    store: {
      ...store,
      saveInteraction(record) {
        saved.push(record.state);
        return store.saveInteraction(record);
      },
      interactions: (id) =>
        isSlow ? new Promise<void>((resolve) => (proceed = resolve)).then(() => store.interactions(id)) : [],
    },
  });
  const [near, far] = memoryPair();
  const { say } = listen(far);
  host.attach(near, "ses_1");
  const session = await host.session("ses_1");
  const { interaction: done, requestId } = session.prompt("x");
  await vi.advanceTimersByTimeAsync(0);
  isSlow = true;
  const history = session.interactions(); // what comes now waits for the slow disk
  say(says.completed("t", requestId));
  await vi.advanceTimersByTimeAsync(100);
  proceed();
  await history;
  expect((await done).state).toBe("complete");
  await host.close();
  expect(saved).toEqual(["waiting", "complete"]);
});

it("an agent that takes nothing more is gone at once, and is not told again what it did not take", async () => {
  let sends = 0;
  const full: Transport = {
    start() {},
    send() {
      sends += 1;
      throw new WireError("overloaded", "full");
    },
    close: () => new Promise(() => {}),
  };
  const errors: unknown[] = [];
  const events: string[] = [];
  const host = createHelixZedHost({ onError: (error) => errors.push(error), onEvent: ({ type }) => events.push(type) });
  host.attach(full, "agent");
  const sessions = await Promise.all(["a", "b", "c"].map((id) => host.session(id, { agent: "agent" })));
  for (const session of sessions) void session.prompt("hello");
  for (const session of sessions) expect(await session.interactions()).toMatchObject([{ state: "waiting" }]);
  expect([sends, errors.map(String), events]).toEqual([1, ["WireError: full"], ["connected", "disconnected"]]);
});

it("listeners that throw end neither the host nor what is under way", async () => {
  const broken = (): never => {
    throw new Error("the listener is broken");
  };
  const host = createHelixZedHost({ onError: broken, onEvent: broken, onDiagnostic: broken });
  const [near, far] = memoryPair();
  const { said, say } = listen(far);
  host.attach(near, "ses_1");
  const interaction = (await host.session("ses_1")).prompt("x");
  await (await host.session("ses_1")).interactions();
  say(says.completed("t", "of nobody"));
  say(says.created("t"));
  say(says.added("t", "fine"));
  say(says.completed("t", interaction.requestId));
  expect(responseOf(await interaction.interaction)).toBe("fine");
  expect(said).toHaveLength(1);
  await host.close();
});
