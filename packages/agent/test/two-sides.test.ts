// The rows of the mapping table that need two sides, over ACP and ECA. As in `mapping.test.ts`, what a client gets, and
// whether it is reported, must be what the table says.
import type { AcpClient } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { type EcaClient, ecaProfiles } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, type AgentDefinition, createAgent, mapping, toAcp, toEca } from "../src/index.js";
import type { Fact } from "../src/mapping/facts.js";
import { locked, scripted } from "./scripted-agent.js";

const cleanups: (() => unknown)[] = [];
/** The facts that were reported in this test. */
const reported = new Set<string>();
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
  reported.clear();
});

function agentOf(definition: AgentDefinition): Agent {
  const onDiagnostic = ({ message }: { message: string }) => void reported.add(message.split(" is ")[0] ?? "");
  return createAgent({ ...definition, onDiagnostic });
}

async function openAcp(definition: AgentDefinition): Promise<{ agent: Agent; client: AcpClient }> {
  const agent = agentOf(definition);
  const { client } = await acpPair(toAcp(agent));
  cleanups.push(() => client.close());
  return { agent, client };
}

async function openEca(definition: AgentDefinition): Promise<{ agent: Agent; client: EcaClient }> {
  const agent = agentOf(definition);
  const profile = ecaProfiles.v2026;
  const options = { client: { profile, permission: async () => "allow_once" as const }, server: { profile } };
  const { client } = await ecaPair(toEca(agent), options);
  cleanups.push(() => client.close());
  return { agent, client };
}

/** The events before this process. */
const past: AgentDefinition = {
  ...scripted,
  loadSession: (id) => (id === "s" ? { events: [{ type: "text", text: "before" }] } : undefined),
};
/** One session that an earlier process had, until it is deleted. */
function stored(): AgentDefinition {
  let ids = ["s"];
  return {
    ...scripted,
    listSessions: () => ids.map((sessionId) => ({ sessionId, cwd: "/p" })),
    deleteSession: () => void (ids = []),
  };
}
const shown = ({ state }: { readonly state: { readonly entries: unknown } }): string => JSON.stringify(state.entries);

type TwoSided = "cancel" | "steer" | "foreign_turn" | "history" | "sessions" | "rewind" | "sign_in";

const overAcp: Readonly<Record<TwoSided, () => Promise<void>>> = {
  async cancel() {
    const { client } = await openAcp(scripted);
    const turn = (await client.newSession({ cwd: "/p" })).prompt("wait");
    await turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
  },
  async steer() {
    const { client } = await openAcp({ ...scripted, whenBusy: "steer" });
    const session = await client.newSession({ cwd: "/p" });
    const turn = session.prompt("steers");
    const prompt = [{ type: "text" as const, text: "left" }];
    await client.connection.request("session/prompt", { sessionId: session.id, prompt });
    expect(await turn.readText()).toBe("Steered: left.");
  },
  async foreign_turn() {
    const { agent, client } = await openAcp(scripted);
    const session = await client.newSession({ cwd: "/p" });
    await agent.session(session.id)?.prompt("say");
    await expect.poll(() => shown(session)).toMatch(/"say".*Looking around\./);
  },
  async history() {
    const { client } = await openAcp(past);
    const { history } = await client.loadSession({ sessionId: "s", cwd: "/p" });
    expect(history).toMatchObject([{ type: "text", text: "before" }, {}]);
  },
  async sessions() {
    const { client } = await openAcp(stored());
    expect(await client.listSessions()).toMatchObject({ sessions: [{ sessionId: "s" }] });
    await client.deleteSession("s");
    expect(await client.listSessions()).toEqual({ sessions: [] });
  },
  async rewind() {
    expect(mapping.acp.rewind.how).toBe("not_said"); // clients have no message to ask for it
  },
  async sign_in() {
    const { client } = await openAcp(locked());
    await expect(client.newSession({ cwd: "/p" })).rejects.toMatchObject({ code: -32_000 });
    await client.authenticate("account");
    await expect(client.newSession({ cwd: "/p" })).resolves.toBeDefined();
  },
};

const overEca: Readonly<Record<TwoSided, () => Promise<void>>> = {
  async cancel() {
    const turn = (await openEca(scripted)).client.newSession().prompt("wait");
    await turn.answer;
    await turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
  },
  async steer() {
    const session = (await openEca(scripted)).client.newSession();
    const turn = session.prompt("steers");
    await turn.answer;
    await session.steer("left");
    await turn.stopReason;
    expect(shown(session)).toContain("Steered: left.");
  },
  async foreign_turn() {
    const { agent, client } = await openEca(scripted);
    const session = client.newSession();
    await session.prompt("think").stopReason;
    await agent.session(session.id ?? "")?.prompt("say");
    await expect.poll(() => shown(session)).toMatch(/"say\\n".*Looking around\./);
    await expect.poll(() => session.state.progress).toBeUndefined();
  },
  async history() {
    const session = await (await openEca(past)).client.loadSession({ sessionId: "s" });
    expect(session?.state.entries).toMatchObject([{ role: "assistant", text: "before" }]);
  },
  async sessions() {
    const { client } = await openEca(stored());
    expect(await client.listSessions()).toMatchObject([{ id: "s" }]);
    await client.newSession({ sessionId: "s" }).delete();
    expect(await client.listSessions()).toEqual([]);
  },
  async rewind() {
    const session = (await openEca(scripted)).client.newSession();
    await session.prompt("say").stopReason;
    await expect(session.clear()).rejects.toMatchObject({ code: -32_601 });
  },
  async sign_in() {
    const session = (await openEca(locked())).client.newSession();
    await session.prompt("say").stopReason;
    expect(shown(session)).toMatch(/"title":"Sign in: Account".*Looking around\./);
  },
};

describe.each([
  ["acp", overAcp],
  ["eca", overEca],
] as const)("%s", (protocol, rows) => {
  it.each(Object.entries(rows))("says %s as the table says", async (fact, row) => {
    await row();
    if (row === overAcp.rewind) return; // nobody can ask for it
    expect(reported.has(`${protocol}: ${fact}`)).toBe(mapping[protocol][fact as Fact].how !== "said");
  });
});
