import type { EcaToolOutput, ToolCallDetails } from "@editwire/eca";
import type { ContentBlock } from "@editwire/acp";
import type { AgentPlanEntry } from "../api/events.js";
import { blockText } from "../shared/texts.js";
import type { AgentToolCallContent, AgentToolCallState } from "../api/tool-call-state.js";

/** The name of a tool for a client. */
export function nameOf({ name, kind }: AgentToolCallState): string {
  return name ?? kind ?? "tool";
}

/** The result of a tool, as texts. */
export function outputsOf({ contents, output }: AgentToolCallState): EcaToolOutput[] {
  const texts = contents.flatMap(textOf);
  const isShown = typeof output === "string" && texts.includes(output);
  if (output !== undefined && output !== null && output !== "" && !isShown)
    texts.push(typeof output === "string" ? output : JSON.stringify(output, undefined, 2));
  return texts.map((text) => ({ type: "text", text }));
}

function textOf(content: AgentToolCallContent): string[] {
  if (content.type === "text") return [content.text];
  if (content.type === "terminal") return content.output === undefined ? [] : [content.output];
  return content.type === "content" ? [blockText(content.content)] : [];
}

/** Whether a call shows something that its outputs do not say: before its end, without having run, or no text. */
export function showsMore({ contents, output, status }: AgentToolCallState): boolean {
  const isShown = output !== undefined || contents.some(({ type }) => type !== "diff");
  return (
    (isShown && status !== "completed" && status !== "failed") ||
    contents.some((content) => content.type === "content" && textIn(content.content).length === 0)
  );
}

/** The text of a block; that of a resource, too. */
export function textIn(block: ContentBlock): string[] {
  const { text, resource } = block as { readonly text?: unknown; readonly resource?: { readonly text?: unknown } };
  return [text, resource?.text].filter((found) => typeof found === "string");
}

/** A plan as the details of a tool call. */
export function taskDetails(entries: readonly AgentPlanEntry[]): ToolCallDetails {
  const count = (status: AgentPlanEntry["status"]): number => entries.filter((entry) => entry.status === status).length;
  const words = { pending: "pending", in_progress: "in-progress", completed: "done" } as const;
  return {
    type: "task",
    tasks: entries.map(({ content, status, priority = "medium" }, index) => ({
      id: index + 1,
      subject: content,
      description: "",
      status: words[status],
      priority,
      isBlocked: false,
    })),
    inProgressTaskIds: entries.flatMap(({ status }, index) => (status === "in_progress" ? [index + 1] : [])),
    summary: {
      done: count("completed"),
      inProgress: count("in_progress"),
      pending: count("pending"),
      total: entries.length,
    },
  };
}
