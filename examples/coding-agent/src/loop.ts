import type { StopReason } from "@editwire/acp-schema";
import type { Model } from "./model.js";
import { systemPrompt, type UserContent } from "./prompt.js";
import { runRounds } from "./rounds.js";
import { runTool } from "./run-tool.js";
import type { CodingSession } from "./session.js";
import { toolsFor } from "./tools/registry.js";
import type { TurnClient } from "./turn.js";

/** How a turn is run. */
export interface LoopOptions {
  readonly model: Model;
  /** Answers of the model in one turn. */
  readonly maxRounds: number;
  /** Tokens that the model can take in. */
  readonly contextTokens: number;
}

/** Runs one turn of a session, shown to an ACP client. Throws a `RemoteError` when the model fails. */
export async function runTurn(
  content: UserContent,
  session: CodingSession,
  turn: TurnClient,
  { model, maxRounds, contextTokens }: LoopOptions,
): Promise<StopReason> {
  return runRounds(content, {
    model,
    maxRounds,
    history: session.history,
    listener: turn,
    signal: turn.signal,
    system: () => systemPrompt(session.workspace.cwd, session.modeId),
    tools: () => toolsFor(session.modeId),
    usage: ({ input, output }) => turn.usage({ used: input + output, size: contextTokens, cost: undefined }),
    runTool: (call) => runTool(call, session, turn),
  });
}
