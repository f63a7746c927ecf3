import type { AcpTurnEvent } from "@editwire/acp";
import type { EcaTurnEvent } from "@editwire/eca";
import type { HelixZedTurnEvent } from "@editwire/helix-zed";
import type { KaiakTurnEvent } from "@editwire/kaiak";

/** The facts in an event that an editor of ACP knows, as lines `fact: value`. */
export function acpLines(event: AcpTurnEvent): string[] {
  switch (event.type) {
    case "text":
      return [`text: ${event.text.trim()}`];
    case "content":
      return [`content: ${event.content.type} ${String((event.content as { data?: unknown }).data)}`];
    case "thought":
      return [`thought: ${event.text}`];
    case "plan":
      return event.entries.map(({ content, status }) => `plan: ${content} ${status}`);
    case "tool_call": {
      const { title, status, kind, rawInput, rawOutput, content, locations } = event.toolCall;
      return [
        `tool_call: ${title} ${status}`,
        `tool_kind: ${kind}`,
        `tool_input: ${JSON.stringify(rawInput)}`,
        `tool_output: ${String(rawOutput)}`,
        ...content.flatMap((one) => (one.type === "diff" ? [`tool_diff: ${String(one["newText"]).trim()}`] : [])),
        ...locations.map(({ path, line }) => `tool_locations: ${path}:${line}`),
        ...(status === "rejected" ? [`tool_rejected: ${title}`] : []),
      ];
    }
    case "usage": {
      const { used, size, cost } = event.usage;
      return [`usage_context: ${used}/${size}`, `usage_cost: ${cost?.amount}`];
    }
    case "mode":
      return [`mode: ${event.modeId}`];
    case "config_options":
      return event.configOptions.map(({ currentValue }) => `config_options: ${currentValue}`);
    case "info":
      return [`info: ${event.title}`];
    case "notice":
      return [`notice: ${event.notice.title}`];
    case "stop":
      return [`stop: ${event.stopReason}`];
    default:
      return [];
  }
}

/** The same in an editor of ECA. */
export function ecaLines(event: EcaTurnEvent): string[] {
  switch (event.type) {
    case "text":
    case "notice":
      return [`${event.type}: ${event.text.trim()}`];
    case "thought":
      return [`thought: ${event.text}`];
    case "tool_call": {
      const { title, status, arguments: input, outputs } = event.toolCall;
      return [
        `tool_call: ${title} ${status}`,
        `tool_input: ${JSON.stringify(input)}`,
        ...outputs.map(({ text }) => `tool_output: ${text}`),
        ...(status === "rejected" ? [`tool_rejected: ${title}`] : []),
      ];
    }
    case "usage": {
      const { messageInputTokens, messageOutputTokens, sessionTokens, sessionCost, limit } = event.usage;
      const context = `usage_context: ${sessionTokens}/${limit?.context}`;
      return [
        context,
        `usage_tokens: ${messageInputTokens}/${messageOutputTokens}`,
        `usage_cost: ${Number(sessionCost)}`,
      ];
    }
    case "other":
      return event.content.type === "metadata" ? [`info: ${String(event.content["title"])}`] : [];
    case "stop":
      return [`stop: ${event.stopReason}`];
    default:
      return [];
  }
}

/** The same in a client of Kaiak. */
export function kaiakLines(event: KaiakTurnEvent): string[] {
  switch (event.type) {
    case "text":
    case "thought":
      return [`${event.type}: ${event.text.trim()}`];
    case "tool_call": {
      const { operation, status, arguments: input, result } = event.toolCall;
      return [
        `tool_call: ${operation} ${status}`,
        `tool_input: ${JSON.stringify(input)}`,
        `tool_output: ${result?.output}`,
        ...(status === "rejected" ? [`tool_rejected: ${operation}`] : []),
      ];
    }
    case "file_modification":
      return (event.modification.diff ?? "").split("\n").map((line) => `tool_diff: ${line.slice(1)}`);
    case "error":
      return [`stop_error: ${event.error.message}`];
    case "system":
      return [`notice: ${event.system.message}`];
    case "stop":
      return [`stop: ${event.stopReason}`];
    default:
      return [];
  }
}

/** The same in a Helix-like host. */
export function helixZedLines(event: HelixZedTurnEvent): string[] {
  if (event.type === "message") return [`text: ${event.message.content.trim()}`];
  if (event.type === "tool_call") {
    const { title, status } = event.toolCall;
    return [`tool_call: ${title} ${status}`, `tool_${status}: ${title}`];
  }
  if (event.type !== "stop") return [];
  const { error, usage } = event.interaction;
  return [
    `usage_tokens: ${usage?.input_tokens}/${usage?.output_tokens}`,
    ...(error === undefined ? [] : [`stop_error: ${error}`]),
    `stop: ${event.stopReason}`,
  ];
}
