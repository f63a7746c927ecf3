import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Model, OfferedTool, Reply, ReplyListener, TokenUsage } from "./model.js";
import type { UserContent } from "./prompt.js";
import type { ToolRequest } from "./run-tool.js";

/** How a turn of the conversation with the model ended. */
export type TurnEnd = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled";

/** One turn of a conversation with the model, for whichever protocol shows it. */
export interface Rounds {
  readonly model: Model;
  /** Answers of the model in one turn. */
  readonly maxRounds: number;
  /**
   * The conversation without the system prompt. It holds what happened, and stays fit for a next prompt whichever way
   * the turn ends.
   */
  readonly history: ChatCompletionMessageParam[];
  readonly listener: ReplyListener;
  readonly signal: AbortSignal;
  /** The instructions for the model. Called before each answer, because the mode may change while a turn runs. */
  system(): string;
  /** The tools on offer. Asked before each answer. */
  tools(): readonly OfferedTool[] | Promise<readonly OfferedTool[]>;
  /** Runs a call and gives the text for the model. Throws only when the turn is cancelled, or for a bug. */
  runTool(request: ToolRequest): Promise<string>;
  /** Called before each answer, and before the end: takes what the user has said meanwhile. */
  steers?(): readonly string[];
  /** Called with what an answer cost, where the endpoint says so, before its calls run. */
  usage?(usage: TokenUsage): void | Promise<void>;
}

/**
 * Runs one turn: asks the model, runs the tools that it calls, and asks again, until it calls none. Throws a
 * `RemoteError` when the model fails.
 */
export async function runRounds(content: UserContent, rounds: Rounds): Promise<TurnEnd> {
  const { model, maxRounds, history, listener, signal } = rounds;
  const start = history.length;
  history.push({ role: "user", content });

  for (let round = 0; round < maxRounds; round++) {
    takeSteers(rounds);
    const system = { role: "system" as const, content: rounds.system() };
    const reply = await model.reply({ messages: [system, ...history], tools: await rounds.tools() }, listener, signal);
    if (reply.end === "refused") {
      history.length = start; // a refused prompt is no part of the conversation
      return "refusal";
    }
    if (reply.usage !== undefined) await rounds.usage?.(reply.usage);
    if (reply.text !== "" || reply.calls.length > 0) history.push(asMessage(reply));
    if (reply.end === "cancelled") return "cancelled";
    if (reply.end === "length") return "max_tokens";
    if (reply.calls.length === 0 && !takeSteers(rounds)) return "end_turn";
    await runCalls(reply, rounds);
    if (signal.aborted) return "cancelled";
  }
  return "max_turn_requests";
}

/** Puts what the user has said meanwhile into the conversation. Returns false when that is nothing. */
function takeSteers({ steers, history }: Rounds): boolean {
  const said = steers?.() ?? [];
  history.push(...said.map((content) => ({ role: "user" as const, content })));
  return said.length > 0;
}

/**
 * Runs the calls in order. Each gets a result, also when the turn is cancelled: models refuse a history without one.
 */
async function runCalls({ calls }: Reply, { history, signal, runTool }: Rounds): Promise<void> {
  const results: string[] = [];
  try {
    for (const call of calls) {
      if (signal.aborted) break;
      results.push(await runTool(call));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    history.push(
      ...calls.map(({ id }, index) => ({
        role: "tool" as const,
        tool_call_id: id,
        content: results[index] ?? "This call was cancelled.",
      })),
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
