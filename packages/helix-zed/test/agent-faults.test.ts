import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createZedAgent, type ZedAgent, type ZedAgentHandlers, type ZedTurn } from "../src/index.js";
import { type ZedDialOptions, zedAgent } from "../src/node.js";
import { chat, deferred, nameOf, RawHost, type RawSocket } from "./support/raw.js";

interface Started {
  readonly raw: RawHost;
  readonly host: RawSocket;
  readonly agent: ZedAgent;
  readonly errors: unknown[];
}

async function start(handlers: ZedAgentHandlers, options: Partial<ZedDialOptions> = {}): Promise<Started> {
  const raw = await RawHost.start();
  const errors: unknown[] = [];
  const agent = zedAgent(handlers, {
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

const today = (handlers: ZedAgentHandlers, options: Partial<ZedDialOptions> = {}): Promise<Started> =>
  start(handlers, { profile: helixZedProfiles.v2026, ...options });
const never = new Promise<never>(() => {});
const echo: ZedAgentHandlers = { prompt: (turn) => turn.append(turn.message) };

/** What the host is told, without what every turn begins with. */
async function answersTo(host: RawSocket, request: ReturnType<typeof chat>): Promise<string[]> {
  host.send(request);
  await host.next("message_completed");
  return host.frames.map(nameOf);
}

describe("an agent is closed", () => {
  it.each([
    ["newThread", { ...echo, newThread: () => never }, null],
    ["loadThread", { ...echo, loadThread: () => never }, "t"],
  ] as [string, ZedAgentHandlers, string | null][])("though %s never returns", async (_name, handlers, thread) => {
    const { host, agent } = await start(handlers);
    host.send(chat("r", thread));
    await host.settled();
    await agent.close();
    await host.closed;
  });

  it("while it dials: a connection that comes of it is closed", async () => {
    const dialled = deferred<never>();
    const agent = createZedAgent(echo, { sessionId: "s", dial: () => dialled.promise });
    await agent.close();
    const closed = deferred();
    dialled.resolve({ start() {}, send() {}, close: () => Promise.resolve(closed.resolve()) } as never);
    await closed.promise;
  });

  it("twice, before it was connected, and while it waits to dial again", async () => {
    const waiting = deferred();
    const agent = zedAgent(echo, { url: "ws://127.0.0.1:1", sessionId: "s", onConnection: () => waiting.resolve() });
    await Promise.all([agent.close(), agent.close()]);
    const other = zedAgent(echo, { url: "ws://127.0.0.1:1", sessionId: "s", onConnection: () => waiting.resolve() });
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

describe("a host that drops every connection at once", () => {
  it("is dialled less and less often; one that lasted is dialled soon", async () => {
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
    const { host, errors } = await today({ ...echo, newThread: () => id as string });
    host.send(chat("r1", "taken", "one"));
    await host.next("message_completed");
    host.send(chat("r2"));
    expect((await host.next("chat_response_error")).data).toMatchObject({
      request_id: "r2",
      error: expect.stringContaining("newThread") as string,
    });
    host.send(chat("r3", "taken", "three"));
    expect((await host.next("message_completed")).data["request_id"]).toBe("r3");
    expect(errors).toHaveLength(1);
    expect(host.all("thread_created")).toEqual([]);
  });

  it("a usage that is none is left out of the end, and reported", async () => {
    const { host, errors } = await today({ prompt: () => ({ usage: { total_tokens: Number.NaN } }) });
    await answersTo(host, chat("r"));
    expect(host.all("message_completed")[0]?.data["usage"]).toBeUndefined();
    expect(errors).toEqual([
      expect.objectContaining({ code: "invalid_params", message: expect.stringContaining("usage") as string }),
    ]);
  });

  it("a tool whose name is no text is not told of; the connection stays, and the turn ends", async () => {
    const { host, errors } = await today({
      async prompt(turn) {
        turn.toolCall(42 as never);
        await turn.append("done");
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
    ["an error whose message is no text", Object.assign(new Error(), { message: { deep: 1 } })],
  ])("throwing %s ends the turn like any error", async (_name, thrown) => {
    const { host } = await today({ prompt: () => Promise.reject(thrown as Error) });
    host.send(chat("r1"));
    expect(typeof (await host.next("chat_response_error")).data["error"]).toBe("string");
    const failing = await today({ ...echo, newThread: () => Promise.reject(thrown as Error) });
    failing.host.send(chat("r"));
    expect(typeof (await failing.host.next("chat_response_error")).data["error"]).toBe("string");
  });

  it("a thread that is opened for ever keeps back no other message, and is asked for once", async () => {
    const loads: string[] = [];
    const { host } = await today({
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

describe("what happened to a turn in silence", () => {
  it("is tried again when the host asks again: the specification has no word for it", async () => {
    let attempts = 0;
    const { raw, host, errors } = await start({
      ...echo,
      newThread() {
        if ((attempts += 1) === 1) throw new Error("not yet");
        return "t";
      },
      loadThread(id) {
        if ((attempts += 1) === 3) throw new Error(`${id} not yet`);
      },
    });
    host.send(chat("r1"));
    await host.settled();
    expect(host.frames).toEqual([]);
    host.kill();
    const second = await raw.accept();
    expect(await answersTo(second, chat("r1"))).toEqual(["context_created", "message_added", "message_completed"]);
    second.send(chat("r2", "other"));
    await second.settled();
    second.kill();
    const third = await raw.accept();
    expect(await answersTo(third, chat("r2", "other"))).toEqual(["message_added", "message_completed"]);
    expect(errors).toHaveLength(2);
  });
});

describe("answers that were given", () => {
  it("are kept for a host that asks again, up to a length in all", async () => {
    const { raw, host } = await start(
      { prompt: (turn) => turn.append("x".repeat(9 * 1024 * 1024)), newThread: () => crypto.randomUUID() },
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
    const turns: ZedTurn[] = [];
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
    await turns[0]?.append("a");
    await host.next("message_added");
    Date.now = () => now() - 3_600_000;
    await turns[0]?.append("b");
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
  const agent = createZedAgent(echo, {
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
    ["without prompt", {}, dials, "expected the handler prompt"],
    [
      "without an id to dial under",
      echo,
      { ...dials, sessionId: undefined },
      "sessionId: expected the id under which it dials",
    ],
    [
      "without a URL",
      echo,
      { ...dials, url: undefined },
      "url: expected one such as ws://127.0.0.1:8080, received undefined",
    ],
    [
      "with half a URL",
      echo,
      { ...dials, url: "127.0.0.1:8124" },
      "url: expected one such as ws://127.0.0.1:8080, received 127.0.0.1:8124",
    ],
  ])("%s is told so at once", (_name, handlers, options, message) => {
    expect(() => zedAgent(handlers as ZedAgentHandlers, options as ZedDialOptions)).toThrow(new RegExp(`${message}$`));
  });

  it("writes to stderr what its handler throws, where nobody listens for it", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const bug = new TypeError("a bug");
    const { host } = await start({ prompt: () => Promise.reject(bug) }, { onError: undefined });
    await answersTo(host, chat("r1"));
    expect(log.mock.calls).toEqual([["chat_message:", bug]]);
  });
});
