import type { AgentSession, AgentStopReason } from "@editwire/agent";
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "@editwire/conformance/model";
import { onTestFinished } from "vitest";
import { createCodingAgent } from "../../src/agent.js";
import { openModel } from "../../src/model.js";
import { fixFailingTest } from "../../src/scripted/fix-failing-test.js";
import type { FakeTurn } from "./fake-turn.js";

/** A session on a folder, with the agent and a model over real HTTP. */
export interface Bench {
  readonly session: AgentSession;
  readonly model: ScriptedModel;
  prompt(text: string, turn: FakeTurn): Promise<AgentStopReason>;
  /** The last request to the model, without the instructions: each role with its text. */
  told(): string[];
}

/** Opens a bench. Without a script the model is the one that fixes the sample project. */
export async function openBench(
  cwd: string,
  options: Partial<ScriptedModelOptions> & { maxRounds?: number; modeId?: string } = {},
): Promise<Bench> {
  const { maxRounds = 50, modeId = "full", script = fixFailingTest, ...scripted } = options;
  const server = await startScriptedModel({ script, ...scripted });
  onTestFinished(() => server.close());
  const model = openModel({ baseUrl: server.urls.openai, apiKey: "sk-secret", model: "scripted" });
  const agent = createCodingAgent({ model, maxRounds });
  onTestFinished(() => agent.close());
  const session = await agent.newSession({ cwd });
  await session.send({ type: "mode", modeId }); // also for modes that no session offers
  return {
    session,
    model: server,
    async prompt(text, view) {
      return (await session.prompt(text, { view, signal: view.controller.signal })).stopReason;
    },
    told() {
      const messages = server.requests.at(-1)?.conversation.messages ?? [];
      const texts = messages.map(
        ({ role, text, results }) => `${role}: ${text || results.map((one) => one.text).join()}`,
      );
      return texts.filter((_text, index) => messages[index]?.role !== "system");
    },
  };
}
