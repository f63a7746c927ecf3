import {
  isSystemError,
  type OpenCall,
  type Tool,
  ToolError,
  toolNamed,
  type ToolRequest,
  type Workspace,
} from "@editwire/example-coding-agent";
import type { KaiakServerTurn, KaiakToolCall } from "@editwire/kaiak";
import { approveChange, approveTool } from "./approval.js";
import type { Backups } from "./backups.js";
import { changeIn } from "./change.js";
import { permissionOf } from "./permissions.js";

/** What the tools of a run work with. */
export interface Toolbox {
  readonly turn: KaiakServerTurn;
  readonly workspace: Workspace;
  readonly backups: Backups;
  /** Aborts when the run ends early. */
  readonly signal: AbortSignal;
  /** What came of the run, counted while it goes on. */
  readonly tally: Tally;
}

/** What came of a run. */
export interface Tally {
  toolCalls: number;
  refused: number;
  readonly changed: Set<string>;
  /** Where the originals of the changed files are. */
  backups: string | undefined;
}

/** Characters of a tool's input or output that the client is sent. */
const shownChars = 2_000;

/**
 * Runs one tool call: shows it, asks where that is due, and gives the text for the model, which is also told of every
 * error and refusal. Throws only when the run ends early, or for a bug.
 */
export async function runTool(request: ToolRequest, toolbox: Toolbox): Promise<string> {
  const { turn, workspace, signal, tally } = toolbox;
  const tool = toolNamed(request.name);
  if (tool === undefined) return `Error: There is no tool ${request.name}.`;
  let call: OpenCall;
  try {
    call = tool.open(request.arguments);
  } catch (error) {
    return `Error: ${explain(error, signal)}`;
  }
  if (tool.access === "none") {
    const showPlan = (entries: readonly { content: string; status: string }[]): void | Promise<void> => {
      const current = entries.find(({ status }) => status === "in_progress")?.content;
      return current === undefined
        ? undefined
        : turn.progress({ percentage: 0, phase: "planning", description: current });
    };
    return (await (await call.prepare({ workspace, signal, showPlan })).run()).text;
  }
  const most = turn.configuration.tools.max_tool_calls ?? Number.POSITIVE_INFINITY;
  if (++tally.toolCalls > most) return `Error: This run may make ${most} tool calls, and has made them. Stop here.`;
  const shown = await turn.toolCall(
    { name: tool.name, operation: tool.kind, arguments: shownInput(call.input) },
    "pending",
  );
  try {
    return await runShown(tool, call, shown, toolbox);
  } catch (error) {
    const message = explain(error, signal);
    await shown.fail(message);
    await turn.error({ error_code: "TOOL_EXECUTION_FAILED", message, details: call.view.title, recoverable: true });
    return `Error: ${message}`;
  }
}

async function runShown(tool: Tool, call: OpenCall, shown: KaiakToolCall, toolbox: Toolbox): Promise<string> {
  const { turn, workspace, signal, tally } = toolbox;
  const refuse = async (reason: string): Promise<string> => {
    tally.refused++;
    await shown.update("denied");
    return reason;
  };
  const permission = permissionOf(tool.name, turn.configuration);
  if (permission === "deny") return refuse(`Error: The configuration denies ${tool.name}.`);
  const action = await call.prepare({ workspace, signal, showPlan: () => {} });
  signal.throwIfAborted();
  const path = call.view.locations?.[0]?.path ?? "";
  const change = changeIn(action, path);
  const refusal =
    change === undefined
      ? await approveTool(call.view.title, permission, turn)
      : await approveChange(change, permission, turn);
  if (refusal !== undefined) return refuse(refusal);
  if (permission === "approve") await shown.update("approved");
  await shown.update("executing");
  signal.throwIfAborted();
  if (change?.original !== undefined) tally.backups = await toolbox.backups.keep(path, change.original);
  signal.throwIfAborted();
  const { text, failed = false } = await action.run();
  if (change !== undefined) tally.changed.add(path);
  await (failed ? shown.fail(cut(text)) : shown.complete(cut(text)));
  return text;
}

/** The input with the field name of the specification's examples, and without long texts. */
function shownInput(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.entries(input).map(([name, value]) => [
    name === "path" ? "file_path" : name,
    typeof value === "string" ? cut(value) : value,
  ]);
  return Object.fromEntries(fields);
}

function cut(text: string): string {
  return text.length <= shownChars ? text : `${text.slice(0, shownChars)}… (${text.length} characters)`;
}

/** The message of an error that a model can do something about. Throws any other, and the signal's reason. */
function explain(error: unknown, signal: AbortSignal): string {
  signal.throwIfAborted();
  if (error instanceof ToolError || isSystemError(error)) return error.message;
  throw error;
}
