import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { memoryStore, type SessionStore } from "../src/index.js";
import { answer, startHost, type TestHost } from "./support/hosts.js";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** A store that knows how often each agent's sessions were loaded: a host that let go of an agent loads them again. */
function countingStore(): { store: SessionStore; loads(agentId: string): number } {
  const memory = memoryStore();
  const loads: string[] = [];
  return {
    store: {
      ...memory,
      load(agentId) {
        loads.push(agentId);
        return memory.load(agentId);
      },
    },
    loads: (agentId) => loads.filter((id) => id === agentId).length,
  };
}

/** Has the garbage collected, until `condition` holds or it has been collected ten times. */
async function collect(condition = (): boolean => false): Promise<void> {
  for (let i = 0; i < 10 && !condition(); i += 1) {
    await nextTurn();
    gc();
  }
}

/** One message and its answer; then the agent leaves. Gives nothing that would hold the session. */
async function visit({ host, dial, event, events }: TestHost, id: string): Promise<void> {
  const agent = await dial(id);
  const { done } = host.session(id).send("hello");
  answer(agent, await agent.next("chat_message"), `thread of ${id}`, "hello yourself");
  await done;
  const left = event("disconnected");
  agent.socket.close();
  await left;
  events.length = 0;
}

/** Asks, and holds nothing of it. */
function ask(host: TestHost["host"]): void {
  void host.session("ses_1").send("are you there?");
}

describe("an agent that is away", () => {
  it("is let go of once nothing waits for it, and found again in the store", async () => {
    const { store, loads } = countingStore();
    const test = await startHost({ store });
    await visit(test, "ses_1");
    const isForgotten = (): boolean => {
      test.host.session("ses_1");
      return loads("ses_1") > 1;
    };
    await collect(isForgotten);
    expect(isForgotten()).toBe(true);
    const session = test.host.session("ses_1");
    expect(session.threadId).toBe("thread of ses_1");
    expect(await session.interactions()).toHaveLength(1);
  });

  it("stays while somebody holds one of its sessions", async () => {
    const { store, loads } = countingStore();
    const test = await startHost({ store });
    const session = test.host.session("ses_1");
    await visit(test, "ses_1");
    await collect();
    expect(test.host.session("ses_1")).toBe(session);
    expect(loads("ses_1")).toBe(1);
  });

  it("stays while an interaction waits", async () => {
    const { store, loads } = countingStore();
    const { host, dial } = await startHost({ store });
    ask(host);
    await collect();
    const agent = await dial("ses_1");
    expect((await agent.next("chat_message")).data["message"]).toBe("are you there?");
    expect(loads("ses_1")).toBe(1);
  });

  it("stays while it is connected", async () => {
    const { store, loads } = countingStore();
    const { dial, host, events } = await startHost({ store });
    const agent = await dial("ses_1");
    events.length = 0;
    await collect();
    const { done } = host.session("ses_1").send("hello");
    answer(agent, await agent.next("chat_message"), "t", "hi");
    await done;
    expect(loads("ses_1")).toBe(1);
  });
});

it("a closed host takes no messages, also for agents that it never met", async () => {
  const { host, dial } = await startHost();
  const agent = await dial("ses_1");
  const left = once(agent.socket, "close");
  await host.close();
  await left;
  await expect(host.session("ses_1").send("x").done).rejects.toMatchObject({ code: "closed" });
  await expect(host.session("ses_2").send("x").done).rejects.toMatchObject({ code: "closed" });
});

it("an interaction that a store is still saving when its host is closed ends there too", async () => {
  const memory = memoryStore();
  let saved = (): void => {};
  const { host } = await startHost({
    store: { ...memory, saveInteraction: () => new Promise<void>((resolve) => (saved = resolve)) },
  });
  const { done } = host.session("ses_1").send("x");
  const closed = host.close();
  saved();
  await closed;
  await expect(done).rejects.toMatchObject({ code: "closed" });
});
