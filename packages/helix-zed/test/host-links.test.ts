import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { memoryStore, type HelixZedStore } from "../src/index.js";
import { answer, startHost, type TestHost } from "./support/hosts.js";

/** A store that knows how often each agent's sessions were loaded: a host that released an agent loads them again. */
function countingStore(): { store: HelixZedStore; loads(agentId: string): number } {
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

/** One message and its answer; then the agent leaves. Gives nothing that would hold the session. */
async function visit({ host, dial, event, events }: TestHost, id: string): Promise<void> {
  const agent = await dial(id);
  const { interaction: done } = (await host.session(id)).prompt("hello");
  answer(agent, await agent.next("chat_message"), `thread of ${id}`, "hello yourself");
  await done;
  const left = event("disconnected");
  agent.socket.close();
  await left;
  events.length = 0;
}

describe("an agent that is away", () => {
  it("is dropped when nothing waits for it, and found again in the store", async () => {
    const { store, loads } = countingStore();
    const test = await startHost({ store });
    await visit(test, "ses_1");
    const session = await test.host.session("ses_1");
    expect(loads("ses_1")).toBe(2);
    expect(session.state).toMatchObject({ threadId: "thread of ses_1", connected: false, running: false });
    expect(session.state.entries).toHaveLength(2);
    expect(await session.interactions()).toHaveLength(1);
  });

  it("stays while one of its sessions has a subscriber", async () => {
    const { store, loads } = countingStore();
    const test = await startHost({ store });
    const session = await test.host.session("ses_1");
    const stop = session.subscribe(() => {});
    await visit(test, "ses_1");
    await session.interactions();
    const before = loads("ses_1");
    await test.host.session("ses_1");
    expect(loads("ses_1")).toBe(before);
    await new Promise(setImmediate);
    stop();
    await test.host.session("ses_1");
    expect(loads("ses_1")).toBe(before + 1);
  });

  it("stays while an interaction waits", async () => {
    const { store, loads } = countingStore();
    const { host, dial } = await startHost({ store });
    const session = await host.session("ses_1");
    void session.prompt("are you there?");
    await session.interactions();
    const before = loads("ses_1");
    const agent = await dial("ses_1");
    expect((await agent.next("chat_message")).data["message"]).toBe("are you there?");
    expect(loads("ses_1")).toBe(before);
  });
});

it("a closed host takes no messages, also for agents that it never met", async () => {
  const { host, dial } = await startHost();
  const agent = await dial("ses_1");
  const left = once(agent.socket, "close");
  await host.close();
  await left;
  await expect((await host.session("ses_1")).prompt("x").interaction).rejects.toMatchObject({ code: "closed" });
  await expect((await host.session("ses_2")).prompt("x").interaction).rejects.toMatchObject({ code: "closed" });
});

it("an interaction that a store is still saving when its host is closed ends there too", async () => {
  const memory = memoryStore();
  let saved = (): void => {};
  const { host } = await startHost({
    store: { ...memory, saveInteraction: () => new Promise<void>((resolve) => (saved = resolve)) },
  });
  const session = await host.session("ses_1");
  const { interaction: done } = session.prompt("x");
  const closed = host.close();
  saved();
  await closed;
  await expect(done).rejects.toMatchObject({ code: "closed" });
});
