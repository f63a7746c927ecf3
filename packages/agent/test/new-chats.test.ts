import type { AcpAgent } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { ecaProfiles } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { kaiakPair } from "@editwire/kaiak/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Agent, fromAcp, toEca, toKaiak } from "../src/index.js";

/** A gateway to an agent of ACP that loads sessions: the ids that it was asked to load, until it was prompted. */
function gateway(list?: AcpAgent["listSessions"]): { agent: Agent; loaded: string[]; prompted: Promise<void> } {
  const loaded: string[] = [];
  let onPrompt = (): void => {};
  const prompted = new Promise<void>((resolve) => (onPrompt = resolve));
  const far: AcpAgent = {
    prompt: async () => onPrompt(),
    loadSession({ sessionId }) {
      loaded.push(sessionId);
      return { history: [] };
    },
    ...(list && { listSessions: list }),
  };
  const agent = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client);
  onTestFinished(() => agent.close());
  return { agent, loaded, prompted };
}

const lists = [
  ["that lists its sessions", () => ({ sessions: [{ sessionId: "old", cwd: "/p" }] })],
  ["that has no list", undefined],
] as const;

describe.each(lists)("an agent of ACP behind a gateway, %s", (_name, list) => {
  it.each(["spec", "v2026"] as const)("is not asked to load the new chat of an editor of ECA (%s)", async (name) => {
    const profile = ecaProfiles[name];
    const { agent, loaded, prompted } = gateway(list);
    const { client } = await ecaPair(toEca(agent), { client: { profile }, server: { profile } });
    await client.connection.request("chat/prompt", { chatId: crypto.randomUUID(), message: "go", requestId: "1" });
    await prompted;
    expect(loaded).toEqual([]);
  });

  it("is not asked to load the new session of a client of Kaiak", async () => {
    const { agent, loaded, prompted } = gateway(list);
    const configuration = { workspace: { working_dir: "/p" } };
    const { client } = await kaiakPair(toKaiak(agent), { server: { configuration } });
    await client.newSession().prompt([{ id: "1", rule_id: "r", message: "go" }]).stopReason;
    await prompted;
    expect(loaded).toEqual([]);
  });
});

it("a chat of an earlier process is loaded when the agent lists it", async () => {
  const { agent, loaded, prompted } = gateway(lists[0][1]);
  const { client } = await ecaPair(toEca(agent), {});
  await client.connection.request("chat/prompt", { chatId: "old", message: "go", requestId: "1" });
  await prompted;
  expect(loaded).toEqual(["old"]);
});
