import type { StopReason } from "@editwire/acp-schema";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Model, Reply } from "./model.js";
import { systemPrompt, type UserContent } from "./prompt.js";
import { runTool } from "./run-tool.js";
import type { CodingSession } from "./session.js";
import { toolsFor } from "./tools/registry.js";
import type { TurnClient } from "./turn.js";

/** How a turn is run. */
export interface LoopOptions {
  readonly model: Model;
  /** Answers of the model in one turn. */
  readonly maxRounds: number;
}

/**
 * Runs one turn: asks the model, runs the tools that it calls, and asks again, until it calls none. The session's history holds
 * what happened, and stays fit for a next prompt whichever way the turn ends. Throws a `RemoteError` when the model fails.
 */
export async function runTurn(
  content: UserContent,
  session: CodingSession,
  turn: TurnClient,
  { model, maxRounds }: LoopOptions,
): Promise<StopReason> {
  const { history, workspace } = session;
  const start = history.length;
  history.push({ role: "user", content });

  for (let round = 0; round < maxRounds; round++) {
    const tools = toolsFor(session.modeId);
    const system = { role: "system" as const, content: systemPrompt(workspace.cwd, session.modeId) };
    const reply = await model.reply({ messages: [system, ...history], tools }, turn, turn.signal);
    if (reply.end === "refused") {
      history.length = start; // a refused prompt is no part of the conversation
      return "refusal";
    }
    if (reply.text !== "" || reply.calls.length > 0) history.push(asMessage(reply));
    if (reply.end === "cancelled") return "cancelled";
    if (reply.end === "length") return "max_tokens";
    if (reply.calls.length === 0) return "end_turn";
    await runCalls(reply, session, turn);
    if (turn.signal.aborted) return "cancelled";
  }
  return "max_turn_requests";
}

/** Runs the calls in order. Each gets a result, also when the turn is cancelled: models refuse a history without one. */
async function runCalls({ calls }: Reply, session: CodingSession, turn: TurnClient): Promise<void> {
  const results: string[] = [];
  try {
    for (const call of calls) {
      if (turn.signal.aborted) break;
      results.push(await runTool(call, session, turn));
    }
  } catch (error) {
    if (!turn.signal.aborted) throw error;
  } finally {
    session.history.push(
      ...calls.map(({ id }, index) => ({ role: "tool" as const, tool_call_id: id, content: results[index] ?? "This call was cancelled." })),
    );
  }
}

function asMessage({ text, calls }: Reply): ChatCompletionMessageParam {
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, arguments: json }) => ({
            id,
            type: "function" as const,
            function: { name, arguments: json },
          })),
        }),
  };
}
