import type { SessionUpdate, ToolCallContent, ToolCallStatus, ToolCallUpdate } from "@editwire/acp-schema";
import type { DiffChange, V2Diff, V2ToolCallContent, V2ToolCallUpdate } from "@editwire/acp-schema/v2";
import { RecentCalls } from "@editwire/session";
import { hunksOf } from "./patch-hunks.js";

const statuses: Readonly<Record<string, ToolCallStatus>> = {
  pending: "pending",
  in_progress: "in_progress",
  paused: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled" as ToolCallStatus, // the state of a call has it, too
};

/** The part of a tool call that later updates need. */
interface KnownCall {
  readonly content: readonly ToolCallContent[];
  readonly ended: boolean;
}

/** Reads the tool calls of one session. */
export class ToolCallReader {
  readonly #calls = new RecentCalls<KnownCall>(({ ended }) => ended);

  has(toolCallId: string): boolean {
    return this.#calls.get(toolCallId) !== undefined;
  }

  /** A tool call at its first mention, or what is new about it, as version 1 has it. */
  read(update: V2ToolCallUpdate, chars: number): SessionUpdate {
    const before = this.#calls.get(update.toolCallId);
    const change = toolCallOf(update);
    const { content = before?.content ?? [], status } = change;
    const ended = status === undefined ? before?.ended === true : status !== "pending" && status !== "in_progress";
    this.#calls.set(update.toolCallId, { content, ended }, chars);
    if (before !== undefined) return { ...change, sessionUpdate: "tool_call_update" };
    const { title = update.name ?? update.toolCallId, kind = "other" } = change;
    return { ...change, sessionUpdate: "tool_call", title, kind, status: status ?? "pending" };
  }

  /** Output that is appended: version 1 replaces the whole. */
  append(toolCallId: string, item: V2ToolCallContent, chars: number): SessionUpdate {
    const before = this.#calls.get(toolCallId);
    const content = [...(before?.content ?? []), ...contentOf(item)];
    this.#calls.set(toolCallId, { content, ended: before?.ended === true }, chars);
    return { sessionUpdate: "tool_call_update", toolCallId, content };
  }
}

/** The fields of a tool call. A field that is null is cleared. */
export function toolCallOf(update: V2ToolCallUpdate): ToolCallUpdate {
  const { toolCallId, title, name, kind, status, content, locations, capabilities: _, _meta, ...rest } = update;
  return {
    ...rest,
    toolCallId,
    ...(title === undefined ? {} : { title: title ?? name ?? toolCallId }),
    ...(name === undefined || name === null ? {} : { name }),
    ...(kind === undefined ? {} : { kind: kind ?? "other" }),
    ...(status === undefined ? {} : { status: status === null ? "pending" : (statuses[status] ?? "in_progress") }),
    ...(content === undefined ? {} : { content: (content ?? []).flatMap(contentOf) }),
    ...(locations === undefined ? {} : { locations: locations ?? [] }),
    ...(_meta === undefined || _meta === null ? {} : { _meta }),
  };
}

function contentOf(item: V2ToolCallContent): ToolCallContent[] {
  return isDiff(item) ? diffsOf(item) : [item as ToolCallContent];
}

function isDiff(item: V2ToolCallContent): item is V2Diff {
  return item.type === "diff";
}

/** One diff for each hunk of the patch, and a text for each file that the patch does not show. */
function diffsOf({ changes, patch }: V2Diff): ToolCallContent[] {
  const hunks = patch?.format === "git_patch" ? hunksOf(patch.text) : [];
  return changes.flatMap((change): ToolCallContent[] => {
    const shown = hunks.filter(({ path }) => path === change["path"]);
    const text = `${change.operation} ${filesOf(change)}`;
    if (shown.length === 0)
      return [{ type: "content", content: { type: "text", text }, _meta: { "editwire/diff": change } }];
    return shown.map((hunk) => ({ type: "diff", ...hunk, _meta: { "editwire/diff": change } }));
  });
}

function filesOf({ oldPath, path }: DiffChange): string {
  return [oldPath, path].filter((each) => typeof each === "string").join(" to ");
}
