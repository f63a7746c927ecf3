import type { ModelConversation, ModelMessage, OfferedTool, ToolResult } from "./conversation.js";

/** One tool call that the model made, and what came back. */
export interface ToolUse {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The tool's answer; empty when the conversation holds none. */
  readonly result: string;
}

/** The state of a turn that a script sees: the user's last message, and the tool results since then. */
export interface ModelTurn {
  /** The text of the user's last message. */
  readonly prompt: string;
  /** The user's messages of earlier turns, in order. */
  readonly past: readonly string[];
  /** The system prompt. */
  readonly system: string;
  /** The tools on offer, by name. */
  readonly tools: ReadonlyMap<string, OfferedTool>;
  /** The tool calls of earlier turns, in order. */
  readonly earlier: readonly ToolUse[];
  /** The model's answers since the prompt, each as its tool calls. */
  readonly rounds: readonly (readonly ToolUse[])[];
}

/** Reads a conversation as a script sees it. */
export function readTurn({ messages, tools }: ModelConversation): ModelTurn {
  const start = messages.findLastIndex(({ role }) => role === "user");
  return {
    prompt: messages[start]?.text ?? "",
    past: messages
      .slice(0, Math.max(start, 0))
      .flatMap(({ role, text }) => (role === "user" && text !== "" ? [text] : [])),
    system: messages.flatMap(({ role, text }) => (role === "system" ? [text] : [])).join("\n"),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    earlier: roundsOf(messages.slice(0, Math.max(start, 0))).flat(),
    rounds: roundsOf(messages.slice(start + 1)),
  };
}

/** One round for each answer. Some callers keep an answer as several messages: what has nothing in between is one. */
function roundsOf(messages: readonly ModelMessage[]): ToolUse[][] {
  const rounds: { calls: ModelMessage["calls"][number][]; results: ToolResult[] }[] = [];
  let answering = false;
  for (const { role, calls, results } of messages) {
    if (role === "assistant" && !answering) rounds.push({ calls: [], results: [] });
    answering = role === "assistant";
    if (answering) rounds.at(-1)?.calls.push(...calls);
    rounds.at(-1)?.results.push(...results);
  }
  return rounds.map(({ calls, results }) => {
    const left = [...results];
    return calls.map(({ id, name, args }) => {
      // An id that both have decides; without ids, results come under the name or in the order of the calls.
      let at = left.findIndex((result) => id !== undefined && result.id === id);
      if (at === -1)
        at = left.findIndex(
          (result) => (id === undefined || result.id === undefined) && (result.name ?? name) === name,
        );
      return { name, args, result: at === -1 ? "" : (left.splice(at, 1)[0]?.text ?? "") };
    });
  });
}
