import { acpPair } from "@editwire/acp/testing";
import { describe, expect, it } from "vitest";
import type { AcpAgent, SessionConfigOption } from "../src/index.js";

const cwd = "/p";

const mode: SessionConfigOption = {
  id: "agent",
  name: "Agent",
  category: "mode",
  type: "select",
  currentValue: "build",
  options: [
    { value: "build", name: "Build", description: "Changes files" },
    { value: "plan", name: "Plan" },
  ],
};
const model: SessionConfigOption = {
  id: "llm",
  name: "Model",
  category: "model",
  type: "select",
  currentValue: "small",
  options: [
    { group: "a", name: "A", options: [{ value: "small", name: "Small" }] },
    { group: "b", name: "B", options: [{ value: "large", name: "Large" }] },
  ],
};

async function open(agent: Partial<AcpAgent>) {
  const set: string[] = [];
  const { client } = await acpPair({
    configOptions: [mode, model],
    setConfigOption: (_session, id, value) => void set.push(`${id}=${String(value)}`),
    setMode: (_session, modeId) => void set.push(`mode ${modeId}`),
    prompt: async () => "end_turn",
    ...agent,
  });
  return { session: await client.newSession({ cwd }), set };
}

describe("settings of the categories mode and model", () => {
  it("are the modes and models of a session whose agent has no other", async () => {
    const { session, set } = await open({});
    expect(session.modes).toEqual({
      currentModeId: "build",
      availableModes: [
        { id: "build", name: "Build", description: "Changes files" },
        { id: "plan", name: "Plan" },
      ],
    });
    const availableModels = [
      { id: "small", name: "Small" },
      { id: "large", name: "Large" },
    ];
    expect(session.state.models).toEqual({ currentModelId: "small", availableModels });
    await session.setMode("plan");
    await session.setModel("large");
    expect(set).toEqual(["agent=plan", "llm=large"]);
    expect([session.modes?.currentModeId, session.models?.currentModelId]).toEqual(["plan", "large"]);
    expect(session.configOptions.map(({ currentValue }) => currentValue)).toEqual(["plan", "large"]);
    await expect(session.setMode("nope")).rejects.toThrow('does not offer the mode "nope", only build, plan');
    await expect(session.setModel("nope")).rejects.toThrow('does not offer the model "nope", only small, large');
  });

  it("come before the modes that an agent also has, and change with what it reports of either", async () => {
    const modes = {
      currentModeId: "build",
      availableModes: [
        { id: "build", name: "Build" },
        { id: "plan", name: "Plan" },
      ],
    };
    const { session, set } = await open({
      modes,
      async prompt({ session: own, promptText }) {
        if (promptText === "mode") return own.update({ sessionUpdate: "current_mode_update", currentModeId: "plan" });
        return own.update({
          sessionUpdate: "config_option_update",
          configOptions: [{ ...mode, currentValue: "build" }],
        });
      },
    });
    await session.setMode("plan");
    expect(set).toEqual(["agent=plan"]);
    expect(session.modes?.currentModeId).toBe("plan");
    await session.prompt("setting").stopReason;
    expect([session.modes?.currentModeId, session.models]).toEqual(["build", undefined]);
    await session.prompt("mode").stopReason;
    expect([session.modes?.currentModeId, session.configOptions[0]?.currentValue]).toEqual(["plan", "plan"]);
  });

  it("are found by their ids where they have no category", async () => {
    const { category: _, ...plain } = model;
    const { session } = await open({ configOptions: [{ ...plain, id: "model" }] });
    expect([session.modes, session.models?.currentModelId]).toEqual([undefined, "small"]);
  });

  it("are absent where the agent offers none, and a model is refused before it is sent", async () => {
    const { session, set } = await open({ configOptions: [] });
    expect([session.modes, session.models]).toEqual([undefined, undefined]);
    await expect(session.setModel("large")).rejects.toMatchObject({
      code: "invalid_params",
      message: 'session/set_config_option: the session does not offer the model "large"',
    });
    expect(set).toEqual([]);
  });
});
