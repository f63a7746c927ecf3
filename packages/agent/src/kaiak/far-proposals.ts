import { parsePatch } from "diff";
import type { KaiakQuestion, KaiakUpdateEvent } from "@editwire/kaiak";
import type { AgentPermissionOption } from "../api/events.js";
import type { AgentNewToolCall, AgentToolCallContent } from "../api/tool-call-state.js";

type Modification = Extract<KaiakUpdateEvent, { type: "file_modification" }>["modification"];

const kinds: Readonly<Record<string, string>> = { delete: "delete", rename: "move" };

/** A change of a file as a tool call. */
export function callOfModification(
  { proposal_id, file_path, operation, diff }: Modification,
  cwd: string,
): AgentNewToolCall {
  const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/.test(file_path);
  const path = isAbsolute ? file_path : `${cwd.replace(/[\\/]$/, "")}/${file_path}`;
  return {
    toolCallId: proposal_id,
    title: `${operation.charAt(0).toUpperCase()}${operation.slice(1)} ${file_path}`,
    kind: kinds[operation] ?? "edit",
    status: "pending",
    contents: contentsOf(diff ?? "", path, operation === "create"),
    locations: [{ path }],
  };
}

/** The hunks of a diff, each as a change of a passage; what is not a diff as text. */
function contentsOf(diff: string, path: string, isNew: boolean): AgentToolCallContent[] {
  if (diff === "") return [];
  const text: AgentToolCallContent[] = [{ type: "text", text: diff }];
  try {
    const hunks = parsePatch(diff).flatMap((file) => file.hunks);
    if (hunks.length === 0) return text;
    const side = (lines: readonly string[], mark: string): string =>
      lines.flatMap((line) => (line[0] === mark || line[0] === " " ? [`${line.slice(1)}\n`] : [])).join("");
    return hunks.map(({ lines }) => ({
      type: "diff",
      path,
      newText: side(lines, "+"),
      ...(isNew ? {} : { oldText: side(lines, "-") }),
    }));
  } catch {
    return text;
  }
}

const kindOf: Readonly<Record<string, AgentPermissionOption["kind"]>> = {
  approve: "allow_once",
  allow: "allow_once",
  allow_once: "allow_once",
  yes: "allow_once",
  always_allow: "allow_always",
  deny: "reject_once",
  reject: "reject_once",
  no: "reject_once",
  edit: "reject_once",
  always_deny: "reject_always",
};

/** The options of a question about a permission; `undefined` when one of them is neither a yes nor a no. */
export function permissionOptions({ type, options }: KaiakQuestion): AgentPermissionOption[] | undefined {
  if (type !== "file_approval" && type !== "tool_permission") return undefined;
  const found: AgentPermissionOption[] = [];
  for (const option of options) {
    const kind = kindOf[option.toLowerCase()];
    if (kind === undefined) return undefined;
    found.push({ optionId: option, name: option, kind });
  }
  return found.some(({ kind }) => kind.startsWith("allow")) ? found : undefined;
}

/** The answer that says no and nothing else: `edit` says no, too. */
export function plainNo(options: readonly AgentPermissionOption[]): string | undefined {
  return options.find(({ optionId }) => ["deny", "reject", "no"].includes(optionId.toLowerCase()))?.optionId;
}
