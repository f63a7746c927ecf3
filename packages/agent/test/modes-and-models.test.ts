import type { AcpAgent, SessionConfigOption } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { type EcaProfile, ecaProfiles } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, type AgentEvent, createAgent, fromAcp, toAcp, toEca } from "../src/index.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

function selection(category: string, id: string, values: readonly string[]): SessionConfigOption {
  const options = values.map((value) => ({ value, name: value }));
  return { id, name: id, category, type: "select", currentValue: String(values[0]), options };
}

/** As opencode does, this agent has its modes and models only as settings. */
const settings = [selection("mode", "agent", ["build", "plan"]), selection("model", "llm", ["small", "large"])];

async function gatewayTo(far: AcpAgent): Promise<Agent> {
  const gateway = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client);
  cleanups.push(() => gateway.close());
  return gateway;
}

async function ecaClientOf(agent: Agent, profile: EcaProfile) {
  const options = { workspaceFolders: [{ name: "p", uri: "file:///p" }], profile };
  const { client } = await ecaPair(toEca(agent), { client: options, server: { profile } });
  cleanups.push(() => client.close());
  return client;
}

describe("an ACP agent whose modes and models are settings", () => {
  it.each(["spec", "v2026"] as const)("offers them to ECA clients of the dialect %s, who select them", async (name) => {
    const set: string[] = [];
    const client = await ecaClientOf(
      await gatewayTo({
        configOptions: settings,
        setConfigOption: (_session, id, value) => void set.push(`${id}=${String(value)}`),
        prompt: async () => {},
      }),
      ecaProfiles[name],
    );
    expect(client.agents).toMatchObject({ offered: ["build", "plan"], selected: "build" });
    expect(client.models).toMatchObject({ offered: ["small", "large"], selected: "small" });
    await client.newSession().prompt("go", { behavior: "plan", model: "large" }).stopReason;
    expect(set).toEqual(["agent=plan", "llm=large"]);
  });

  it("tells an ECA client of other models, and what is selected", async () => {
    const more = [selection("mode", "agent", ["plan", "build"]), selection("model", "llm", ["large", "huge"])];
    const far: AcpAgent = {
      configOptions: settings,
      prompt: async ({ session }) => session.update({ sessionUpdate: "config_option_update", configOptions: more }),
    };
    const client = await ecaClientOf(await gatewayTo(far), ecaProfiles.v2026);
    const session = client.newSession();
    await session.prompt("go").stopReason;
    expect(session.models).toMatchObject({ offered: ["large", "huge"], selected: "large" });
    expect(session.agents).toMatchObject({ offered: ["plan", "build"], selected: "plan" });
  });

  it("offers them to ACP clients as modes, too, which either request changes", async () => {
    const set: string[] = [];
    const agent = await gatewayTo({
      configOptions: settings,
      setConfigOption: (_session, id, value) => void set.push(`${id}=${String(value)}`),
      prompt: async () => {},
    });
    const { client } = await acpPair(toAcp(agent));
    const session = await client.newSession({ cwd: "/p" });
    expect(session.opened.modes).toMatchObject({ currentModeId: "build" });
    await client.connection.request("session/set_mode", { sessionId: session.id, modeId: "plan" });
    expect(session.configOptions[0]).toMatchObject({ currentValue: "plan" });
    await session.setMode("build");
    await session.setModel("large");
    expect(set).toEqual(["agent=plan", "agent=build", "llm=large"]);
    expect([session.modes?.currentModeId, session.models?.currentModelId]).toEqual(["build", "large"]);
  });
});

describe("createAgent with modes as a setting", () => {
  it("keeps the mode and the setting in step, whichever of them changes", async () => {
    const agent = createAgent({ configOptions: settings, prompt: async () => {} });
    const session = await agent.newSession({ cwd: "/p" });
    const events: string[] = [];
    const event = (one: AgentEvent): void => void events.push(one.type);
    session.attach({ name: "test", event });
    const state = (): unknown[] => [session.modeId, session.configOptions[0]?.currentValue];
    await session.setMode("plan");
    expect([state(), events.splice(0)]).toEqual([
      ["plan", "plan"],
      ["config_options", "mode"],
    ]);
    await session.send({ type: "mode", modeId: "build" });
    expect([state(), events.splice(0)]).toEqual([
      ["build", "build"],
      ["mode", "config_options"],
    ]);
    await session.setConfigOption("agent", "plan");
    expect([state(), events.splice(0)]).toEqual([
      ["plan", "plan"],
      ["config_options", "mode"],
    ]);
    await session.send({ type: "config_options", configOptions: [selection("mode", "agent", ["ask"])] });
    expect([state(), events.splice(0)]).toEqual([
      ["ask", "ask"],
      ["config_options", "modes"],
    ]);
    expect(session.models).toBeUndefined();
    await expect(session.setModel("large")).rejects.toMatchObject({ code: -32_602 });
    await expect(session.setMode("plan")).rejects.toMatchObject({ code: -32_602 });
  });
});
