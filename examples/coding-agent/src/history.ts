import type { AgentEvent } from "@editwire/agent";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";

type ToolCall = Extract<AgentEvent, { type: "tool_call" }>["toolCall"];

/** The messages of a session, as a conversation with the model: for sessions that an earlier process held. */
export function historyOf(events: readonly AgentEvent[]): ChatCompletionMessageParam[] {
  return events.flatMap((event): ChatCompletionMessageParam[] => {
    if (event.type === "text") return [{ role: "assistant", content: event.text }];
    if (event.type === "tool_call") return exchangeOf(event.toolCall);
    if (event.type !== "user") return [];
    const texts = event.content.flatMap((block) => (block.type === "text" && "text" in block ? [block.text] : []));
    return [{ role: "user", content: texts.join("\n\n") }];
  });
}

/** A call and its result. */
function exchangeOf({ toolCallId: id, name = "unknown", input, output }: ToolCall): ChatCompletionMessageParam[] {
  const call = { name, arguments: JSON.stringify(input ?? {}) };
  const result = typeof output === "string" ? output : JSON.stringify(output ?? "This call has no result.");
  return [
    { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: call }] },
    { role: "tool", tool_call_id: id, content: result },
  ];
}
