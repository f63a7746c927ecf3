import type { ContentBlock } from "@editwire/acp";
import type { AgentEvent, AgentNotice, AgentPlanEntry, AgentQuestion, AgentUsage } from "../api/events.js";
import type { AgentToolCallState } from "../api/tool-call-state.js";

/** A block of content as text, for protocols that have nothing else. */
export function blockText(block: ContentBlock): string {
  const { type, text, uri, name, mimeType = "", data, resource } = block as Fields;
  if (type === "text") return text ?? "";
  if (resource !== undefined) return resource.text ?? `[${resource.uri ?? "resource"}]`;
  if (uri !== undefined) return `[${name ?? uri}](${uri})`;
  return data === undefined ? `[${type}]` : `[${type} ${mimeType}, ${Math.floor((data.length * 3) / 4)} bytes]`;
}

/** Whether `blockText` says all of a block, and not only its name. */
export function isTextual(block: ContentBlock): boolean {
  const { type, resource } = block as Fields;
  return type === "text" || type === "resource_link" || resource?.text !== undefined;
}

interface Fields {
  readonly type: string;
  readonly text?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly data?: string;
  readonly resource?: { readonly uri?: string; readonly text?: string };
}

/** The text that a call returned: its output, and the contents that are not diffs; without repetition. */
export function outputText({ output, contents }: AgentToolCallState): string {
  const texts = contents.flatMap((content) => {
    if (content.type === "text") return [content.text];
    if (content.type === "content") return [blockText(content.content)];
    return content.type === "terminal" && content.output !== undefined ? [content.output] : [];
  });
  const whole = typeof output === "string" ? output : JSON.stringify(output ?? undefined, undefined, 2);
  if (whole !== undefined && whole !== "" && !texts.includes(whole)) texts.push(whole);
  return texts.join("\n");
}

const marks = { pending: " ", in_progress: "~", completed: "x" };

/** A plan as a list in Markdown. */
export function planText(entries: readonly AgentPlanEntry[]): string {
  return entries.map(({ content, status }) => `- [${marks[status]}] ${content}`).join("\n");
}

/** A notice as text, for protocols that have no severities. */
export function noticeText({ severity, text }: AgentNotice): string {
  return severity === "info" ? text : `${severity === "error" ? "Error" : "Warning"}: ${text}`;
}

/** A question with its answers and what they mean. */
export function questionText({ question, options }: Pick<AgentQuestion, "question" | "options">): string {
  const choices = options.map(({ label, description }) => `- ${label}${description ? `: ${description}` : ""}`);
  return [question, ...choices].join("\n");
}

/** A question that was asked before, with its answer. */
export function answeredText({ question, answer }: Extract<AgentEvent, { type: "question" }>): string {
  return `${question.question} ${answer ?? "(no answer)"}`;
}

/** A usage in words. */
export function usageText({ inputTokens, outputTokens, context, cost, sessionCost }: AgentUsage): string {
  const money = (of: { readonly amount: number; readonly currency: string }): string => `${of.amount} ${of.currency}`;
  return [
    inputTokens === undefined ? undefined : `${inputTokens} tokens in`,
    outputTokens === undefined ? undefined : `${outputTokens} tokens out`,
    context && `${context.used} of ${context.size} tokens of context`,
    cost && `cost ${money(cost)}`,
    sessionCost && `cost of the session ${money(sessionCost)}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}

/** A text as a code block in Markdown, with a fence that is longer than any in it. */
export function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** A text as a quotation in Markdown. */
export function quoted(text: string): string {
  return `> ${text.replaceAll("\n", "\n> ")}`;
}
