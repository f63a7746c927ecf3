import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "@editwire/conformance/model";
import type { StopReason } from "@editwire/acp-schema";
import { onTestFinished } from "vitest";
import { runTurn } from "../../src/loop.js";
import { openModel } from "../../src/model.js";
import { type UserContent, userContent } from "../../src/prompt.js";
import { fixFailingTest } from "../../src/scripted/fix-failing-test.js";
import type { CodingSession } from "../../src/session.js";
import { openWorkspace } from "@editwire/ide-tools";
import type { FakeTurn } from "./fake-turn.js";

/** A session on a folder, with the loop and a model over real HTTP. */
export interface Bench {
  readonly session: CodingSession & { modeId: string };
  readonly model: ScriptedModel;
  prompt(text: string, turn: FakeTurn): Promise<StopReason>;
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
  const workspace = await openWorkspace(cwd);
  const session = { workspace, modeId, history: [] };
  return {
    session,
    model: server,
    async prompt(text, turn) {
      const content: UserContent = await userContent([{ type: "text", text }], workspace, modeId);
      return runTurn(content, session, turn, { model, maxRounds, contextTokens: 128_000 });
    },
  };
}
