import { WireError } from "@editwire/core";
import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createHelixZedAgent,
  type HelixZedAgentConnection,
  type HelixZedAgent,
  type HelixZedAgentTurn,
} from "../src/index.js";
import { type HelixZedDialOptions, dialHelixZed } from "../src/node.js";
import { helixZedPair } from "../src/testing.js";
import { deferred, nameOf, RawListener, type RawSocket } from "../../transport/test/raw-socket.js";
import { chat } from "./support/chat.js";

interface Started {
  readonly raw: RawListener;
  readonly host: RawSocket;
  readonly agent: HelixZedAgentConnection;
  readonly errors: unknown[];
}

async function start(handlers: HelixZedAgent, options: Partial<HelixZedDialOptions> = {}): Promise<Started> {
  const raw = await RawListener.start();
  const errors: unknown[] = [];
  const agent = dialHelixZed(handlers, {
    url: raw.url,
    sessionId: "ses_1",
    flushMs: 0,
    cancelGraceMs: 5,
    reconnect: { minMs: 5, maxMs: 20 },
    onError: (error) => void errors.push(error),
    ...options,
  });
  onTestFinished(() => agent.close());
  return { raw, host: await raw.accept(), agent, errors };
}

const start2026 = (handlers: HelixZedAgent, options: Partial<HelixZedDialOptions> = {}): Promise<Started> =>
  start(handlers, { profile: helixZedProfiles.v2026, ...options });
const never = new Promise<never>(() => {});
const echo: HelixZedAgent = { prompt: (turn) => turn.text(turn.promptText) };

/** The messages that the host receives, without the first ones of every turn. */
async function answersTo(host: RawSocket, request: ReturnType<typeof chat>): Promise<string[]> {
  host.send(request);
  await host.next("message_completed");
  return host.frames.map(nameOf);
}

describe("an agent is closed", () => {
  it.each([
    ["newThread", { ...echo, newThread: () => never }, null],
    ["loadThread", { ...echo, loadThread: () => never }, "t"],
  ] as [string, HelixZedAgent, string | null][])("though %s never returns", async (_name, handlers, thread) => {
    const { host, agent } = await start(handlers);
    host.send(chat("r", thread));
    await host.settled();
    await agent.close();
    await host.closed;
  });

  it("while it dials: a connection that comes of it is closed", async () => {
    const dialed = deferred<never>();
    const agent = createHelixZedAgent(echo, { sessionId: "s", dial: () => dialed.promise });
    await agent.close();
    const closed = deferred();
    dialed.resolve({ start() {}, send() {}, close: () => Promise.resolve(closed.resolve()) } as never);
    await closed.promise;
  });

  it("twice, before it was connected, and while it waits to dial again", async () => {
    const waiting = deferred();
    const agent = dialHelixZed(echo, {
      url: "ws://127.0.0.1:1",
      sessionId: "s",
      onConnection: () => waiting.resolve(),
    });
    await Promise.all([agent.close(), agent.close()]);
    const other = dialHelixZed(echo, {
      url: "ws://127.0.0.1:1",
      sessionId: "s",
      onConnection: () => waiting.resolve(),
    });
    await waiting.promise;
    await other.close();
    await other.close();
  });

  it("and takes no message any more: the host still has it, and sends it to the next agent", async () => {
    const cancelled = deferred();
    const finish = deferred();
    const prompts: string[] = [];
    const { host, agent } = await start(
      {
        prompt({ requestId, signal }) {
          prompts.push(requestId);
          signal.addEventListener("abort", () => cancelled.resolve());
          return finish.promise;
        },
        newThread: () => crypto.randomUUID(),
      },
      { cancelGraceMs: 60_000 },
    );
    host.send(chat("r1"));
    await host.next("context_created");
    const closing = agent.close();
    await cancelled.promise;
    host.send(chat("r2"));
    await host.settled();
    finish.resolve();
    await closing;
    await host.closed;
    expect(prompts).toEqual(["r1"]);
    expect(host.frames.map(nameOf)).toEqual(["context_created", "message_completed"]);
  });

  it("while a thread is being made: its turn has ended before the connection does", async () => {
    const made = deferred<string>();
    const { host, agent } = await start({ ...echo, newThread: () => made.promise }, { cancelGraceMs: 60_000 });
    host.send(chat("r"));
    await host.settled();
    const closing = agent.close();
    made.resolve("t");
    await closing;
    await host.closed;
    expect(host.frames.map(nameOf)).toEqual(["context_created", "message_completed"]);
  });
});

it.each([
  ["spec", ["Half", "(The agent was closed before the turn had ended)"], undefined],
  ["v2026", ["Half"], "The agent was closed before the turn had ended"],
] as const)("a half answer of an agent that was closed does not look whole (%s)", async (name, messages, error) => {
  const profile = helixZedProfiles[name];
  const waits: HelixZedAgent = {
    async prompt(turn) {
      await turn.text("Half");
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    },
  };
  const pair = helixZedPair(waits, { host: { profile }, agent: { profile, flushMs: 0 } });
  onTestFinished(() => pair.close());
  const turn = (await pair.host.session("ses_1")).prompt("go");
  for await (const event of turn) if (event.type === "message") break;
  await pair.agent.close();
  const answer = await turn.interaction;
  expect(answer.messages.map(({ content }) => content)).toEqual(messages);
  expect(answer.error).toBe(error);
});

describe("a host that drops every connection at once", () => {
  it("is dialed at growing intervals; one that lasted is dialed soon", async () => {
    for (const [stableMs, expected] of [
      [undefined, [1, 2, 4, 8, 8]],
      [0, [1, 1, 1, 1, 1]],
    ] as const) {
      const waits: number[] = [];
      const { raw, host, agent } = await start(echo, {
        reconnect: { minMs: 1, maxMs: 8, jitter: 0, stableMs },
        onConnection: (state) => void (state.connected || waits.push(state.retryMs)),
      });
      host.kill();
      while (waits.length < 5) (await raw.accept()).kill();
      await agent.close();
      expect(waits.slice(0, 5)).toEqual(expected);
    }
  });
});

describe("handlers that do what they may not", () => {
  it.each([
    ["no text", 5],
    ["an empty text", ""],
    ["another thread's", "taken"],
  ])("a new thread whose id is %s fails its turn, and harms no other", async (_name, id) => {
    const { host, errors } = await start2026({ ...echo, newThread: () => id as string });
    host.send(chat("r1", "taken", "one"));
    await host.next("message_completed");
    host.send(chat("r2"));
    expect((await host.next("chat_response_error")).data).toMatchObject({
      request_id: "r2",
      error: "Internal error",
    });
    host.send(chat("r3", "taken", "three"));
    expect((await host.next("message_completed")).data["request_id"]).toBe("r3");
    expect(errors).toHaveLength(1);
    expect(host.all("thread_created")).toEqual([]);
  });

  it("a turn that fails because too much waits says so, without the text of its error", async () => {
    const error = new WireError("overloaded", "secret");
    const { host } = await start2026({ prompt: () => Promise.reject(error) });
    host.send(chat("r"));
    expect((await host.next("chat_response_error")).data["error"]).toBe("Overloaded: too much waits; try again later");
  });

  it("a usage of other values is refused", async () => {
    const { host, errors } = await start2026({ prompt: (turn) => turn.usage({ total_tokens: Number.NaN }) });
    host.send(chat("r"));
    expect((await host.next("chat_response_error")).data["error"]).toBe("Internal error");
    expect(errors).toEqual([
      expect.objectContaining({ code: "invalid_params", message: "usage: expected token counts as whole numbers" }),
    ]);
  });

  it("a tool whose name is not a string is not reported; the connection stays open, and the turn ends", async () => {
    const { host, errors } = await start2026({
      async prompt(turn) {
        turn.toolCall({ title: 42 as never });
        await turn.text("done");
      },
    });
    expect(await answersTo(host, chat("r"))).toEqual([
      "agent_ready",
      "thread_created",
      "message_added",
      "message_completed",
    ]);
    expect(errors).toEqual([expect.objectContaining({ code: "invalid_params" })]);
  });

  it.each([
    ["nothing", undefined],
    ["an object without a text", Object.create(null) as unknown],
    ["a symbol", Symbol("odd")],
    ["an error whose message is not a string", Object.assign(new Error(), { message: { deep: 1 } })],
  ])("throwing %s ends the turn like any error", async (_name, thrown) => {
    const { host } = await start2026({ prompt: () => Promise.reject(thrown as Error) });
    host.send(chat("r1"));
    expect(typeof (await host.next("chat_response_error")).data["error"]).toBe("string");
    const failing = await start2026({ ...echo, newThread: () => Promise.reject(thrown as Error) });
    failing.host.send(chat("r"));
    expect(typeof (await failing.host.next("chat_response_error")).data["error"]).toBe("string");
  });

  it("a thread that never finishes to load delays no other message, and is loaded once", async () => {
    const loads: string[] = [];
    const { host } = await start2026({
      ...echo,
      loadThread(id) {
        loads.push(id);
        return id === "stuck" ? never : undefined;
      },
    });
    await host.next("agent_ready");
    host.send({ type: "open_thread", data: { acp_thread_id: "stuck" } });
    host.send(chat("r1", "stuck"));
    host.send(chat("r2", "t"));
    expect((await host.next("message_completed")).data["request_id"]).toBe("r2");
    host.send({ type: "cancel_current_turn", data: { request_id: "r1" } });
    expect((await host.next("message_completed")).data["request_id"]).toBe("r1");
    expect(loads).toEqual(["stuck", "t"]);
  });
});

describe("a turn that fails in the specification's dialect", () => {
  it("is completed, also when there is no thread: its host would wait for hours", async () => {
    const fail = (): never => {
      throw new Error("not now");
    };
    const { host, errors } = await start({ ...echo, newThread: fail, loadThread: fail });
    host.send(chat("r1"));
    const { data } = await host.next("message_completed");
    expect(data).toMatchObject({ request_id: "r1", acp_thread_id: expect.stringMatching(/./) as string });
    expect(await answersTo(host, chat("r2", "other"))).toEqual(["message_completed", "message_completed"]);
    expect(errors).toHaveLength(2);
  });
});

describe("requests", () => {
  it("with an id that comes again with another message are other requests", async () => {
    const { host } = await start({ ...echo, newThread: () => "t" });
    await answersTo(host, chat("r", null, "one"));
    host.send(chat("r", "t", "two"));
    expect((await host.next("message_added")).data["content"]).toBe("two");
    expect((await host.next("message_completed")).data["request_id"]).toBe("r");
  });

  it("that name no session belong to the session of the dial, in both profiles", async () => {
    for (const profile of Object.values(helixZedProfiles)) {
      const sessions: string[] = [];
      const { host } = await start({ prompt: (turn) => void sessions.push(turn.sessionId) }, { profile });
      host.send({
        type: "chat_message",
        data: { message: "hi", request_id: "r", acp_thread_id: null, agent_name: "zed" },
      } as never);
      await host.next("message_completed");
      expect(sessions).toEqual(["ses_1"]);
    }
  });
});

it("a dial that fails is reported once, however often it fails for the same reason", async () => {
  const errors: unknown[] = [];
  let failures = 0;
  const enough = deferred();
  const agent = createHelixZedAgent(echo, {
    sessionId: "s",
    reconnect: { minMs: 0, maxMs: 0 },
    dial: () => Promise.reject(new Error("401 Unauthorized")),
    onConnection: () => void ((failures += 1) === 5 && enough.resolve()),
    onError: (error) => void errors.push(error),
  });
  await enough.promise;
  await agent.close();
  expect(errors).toEqual([expect.objectContaining({ message: "401 Unauthorized" })]);
});

describe("answers that were given", () => {
  it("are kept for a host that asks again, up to a length in all", async () => {
    const { raw, host } = await start(
      { prompt: (turn) => turn.text("x".repeat(9 * 1024 * 1024)), newThread: () => crypto.randomUUID() },
      { flushMs: 60_000 },
    );
    for (const id of ["r1", "r2"]) await answersTo(host, chat(id));
    host.kill();
    const again = await raw.accept();
    again.send(chat("r1"));
    expect(await answersTo(again, chat("r2"))).toEqual(["context_created", "message_added", "message_completed"]);
    expect(again.all("message_completed")[0]?.data["request_id"]).toBe("r2");
  });
});

describe("time", () => {
  it("that runs backwards delays no update", async () => {
    const now = Date.now;
    onTestFinished(() => void (Date.now = now));
    const turns: HelixZedAgentTurn[] = [];
    const finish = deferred();
    const { host } = await start(
      {
        prompt(turn) {
          turns.push(turn);
          return finish.promise;
        },
      },
      { flushMs: 1 },
    );
    host.send(chat("r"));
    await host.next("context_created");
    await turns[0]?.text("a");
    await host.next("message_added");
    Date.now = () => now() - 3_600_000;
    await turns[0]?.text("b");
    expect((await host.next("message_added")).data["content"]).toBe("ab");
    finish.resolve();
  });
});

it("many connections leave no listeners and no timers behind", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  let dials = 0;
  const enough = deferred();
  const agent = createHelixZedAgent(echo, {
    sessionId: "s",
    reconnect: { minMs: 0, maxMs: 0 },
    dial: () => {
      const [here, there] = memoryPair();
      if ((dials += 1) === 300) enough.resolve();
      queueMicrotask(() => void there.close());
      return Promise.resolve(here);
    },
  });
  await enough.promise;
  await agent.close();
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
  expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length).toBeLessThan(10);
});

describe("an agent that cannot work", () => {
  const dials = { url: "ws://127.0.0.1:1", sessionId: "ses_1" };

  it.each([
    ["without prompt", {}, dials, "expected the agent to have a function prompt\\(turn\\), received undefined"],
    ["that is undefined", undefined, dials, "expected the agent to be an object, received undefined"],
    [
      "without an id to dial under",
      echo,
      { ...dials, sessionId: undefined },
      "expected sessionId to be a string that is not empty, received undefined",
    ],
    [
      "without a URL",
      echo,
      { ...dials, url: undefined },
      'expected a ws, wss, http or https URL, received "undefined"',
    ],
    [
      "with half a URL",
      echo,
      { ...dials, url: "127.0.0.1:8124" },
      'expected a ws, wss, http or https URL, received "127.0.0.1:8124"',
    ],
  ])("%s throws at once", (_name, handlers, options, message) => {
    expect(() => dialHelixZed(handlers as HelixZedAgent, options as HelixZedDialOptions)).toThrow(
      new RegExp(`${message}$`),
    );
  });
});
