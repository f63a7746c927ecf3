import type { ChatMessage, ChatRequest } from "./chat-request.js";

/** One tool call that the model made, and what came back. */
export interface ToolUse {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The tool's answer; empty when the conversation holds none. */
  readonly result: string;
}

/** What a script knows: the user's last message, and what happened since. */
export interface Turn {
  /** The text of the user's last message. */
  readonly prompt: string;
  /** The names of the tools on offer. */
  readonly tools: ReadonlySet<string>;
  /** The tool calls of earlier turns, in order. */
  readonly earlier: readonly ToolUse[];
  /** The model's answers since the prompt, each as its tool calls. */
  readonly rounds: readonly (readonly ToolUse[])[];
}

/** Reads a conversation as a script sees it. */
export function readTurn({ messages, tools = [] }: ChatRequest): Turn {
  const results = new Map(
    messages.flatMap((message) => (message.tool_call_id === undefined ? [] : [[message.tool_call_id, textOf(message)]])),
  );
  const start = messages.findLastIndex(({ role }) => role === "user");
  const roundsOf = (part: readonly ChatMessage[]): ToolUse[][] =>
    part
      .filter(({ role }) => role === "assistant")
      .map(({ tool_calls = [] }) =>
        tool_calls.map(({ id, function: call }) => ({ name: call.name, args: argsOf(call.arguments), result: results.get(id) ?? "" })),
      );
  return {
    prompt: start === -1 ? "" : textOf(messages[start]),
    tools: new Set(tools.map((tool) => tool.function.name)),
    earlier: roundsOf(messages.slice(0, Math.max(start, 0))).flat(),
    rounds: roundsOf(messages.slice(start + 1)),
  };
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.flatMap(({ text }) => text ?? []).join("\n");
}

function argsOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
