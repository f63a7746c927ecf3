import { isObject } from "@editwire/core";
import type { EcaServerTurn, EcaToolCall } from "@editwire/eca";
import {
  type Action,
  isSystemError,
  modeAllows,
  needsPermission,
  type OfferedTool,
  type OpenCall,
  type Tool,
  ToolError,
  toolNamed,
  type ToolRequest,
  toolsFor,
} from "@editwire/example-coding-agent";
import { detailsOf } from "./file-change.js";
import type { Folders } from "./folders.js";
import type { McpServers, McpTool } from "./mcp/servers.js";
import type { OwnTool } from "./own-tool.js";

/** What the tools of a turn work with. */
export interface Toolbox {
  readonly turn: EcaServerTurn;
  readonly folders: Folders;
  readonly mcp: McpServers;
  /** The tools of this server itself. */
  readonly own: readonly OwnTool[];
  /** What the behavior allows, as the coding agent names it. */
  readonly modeId: string;
}

const REJECTED = "The user rejected this call. Do not try it again unless the user asks for it.";

/** The tools on offer. Nobody knows what an MCP tool does, so a mode that may not do everything has none of them. */
export function offeredTools({ folders, mcp, own, modeId }: Omit<Toolbox, "turn">): OfferedTool[] {
  const native = toolsFor(folders.main === undefined ? "sandbox" : modeId);
  const others = modeAllows(modeId, "execute")
    ? mcp.tools.map(({ callName, tool }) => ({
        name: callName,
        description: tool.description ?? "",
        parameters: tool.inputSchema,
      }))
    : [];
  const allowed = own.filter(({ access }) => modeAllows(modeId, access));
  return [...native, ...allowed.map(({ offered }) => offered), ...others];
}

/**
 * Runs one tool call: shows it, asks where that is due, and gives the text for the model, which is also told of every
 * error and refusal. Throws only when the turn is stopped, or for a bug.
 */
export async function runTool(request: ToolRequest, toolbox: Toolbox): Promise<string> {
  try {
    const tool = toolNamed(request.name);
    if (tool !== undefined) return await runNative(request, tool, tool.open(request.arguments), toolbox);
    const own = toolbox.own.find(({ offered }) => offered.name === request.name);
    if (own !== undefined) return await runOwn(request, own, toolbox);
    const found = toolbox.mcp.tools.find(({ callName }) => callName === request.name);
    if (found === undefined || !modeAllows(toolbox.modeId, "execute"))
      return `Error: There is no tool ${request.name}.`;
    return await runMcp(request, found, argumentsOf(request), toolbox);
  } catch (error) {
    return `Error: ${explain(error, toolbox.turn.signal)}`;
  }
}

async function runNative(
  request: ToolRequest,
  { name, access }: Tool,
  open: OpenCall,
  { turn, folders, modeId }: Toolbox,
): Promise<string> {
  if (!modeAllows(modeId, access)) throw new ToolError(`The chat's behavior "${turn.behavior}" does not allow ${name}`);
  const { signal } = turn;
  const workspace = folders.main;
  if (workspace === undefined) throw new ToolError("No folder is open");
  const action = await attempt(() =>
    open.prepare({
      workspace,
      signal,
      showPlan: (entries) =>
        turn.progress(entries.find(({ status }) => status === "in_progress")?.content ?? "Planning"),
    }),
  );
  if (access === "none" && !(action instanceof Error)) return (await action.run()).text;

  const call = await turn.toolCall({
    toolCallId: request.id,
    name,
    arguments: open.input,
    argumentsText: request.arguments,
    title: open.view.title,
    manualApproval: needsPermission(access) && !(action instanceof Error),
    details: action instanceof Error ? undefined : detailsOf(action),
  });
  return settle(call, turn, async () => {
    if (action instanceof Error) throw action;
    const { text, failed = false } = await action.run();
    return { text, error: failed };
  });
}

async function runOwn(
  request: ToolRequest,
  { offered: { name }, access, open }: OwnTool,
  { turn, modeId }: Toolbox,
): Promise<string> {
  if (!modeAllows(modeId, access)) throw new ToolError(`The chat's behavior "${turn.behavior}" does not allow ${name}`);
  const input = argumentsOf(request);
  const { title, run } = open(input);
  const call = await turn.toolCall({
    toolCallId: request.id,
    name,
    arguments: input,
    argumentsText: request.arguments,
    title,
    manualApproval: needsPermission(access),
  });
  return settle(call, turn, async () => ({ text: await run(turn, call.toolCallId), error: false }));
}

async function runMcp(
  request: ToolRequest,
  found: McpTool,
  args: Record<string, unknown>,
  { turn, mcp }: Toolbox,
): Promise<string> {
  const { server, tool } = found;
  const call = await turn.toolCall({
    toolCallId: request.id,
    name: tool.name,
    origin: "mcp",
    server,
    arguments: args,
    argumentsText: request.arguments,
    title: `${server}: ${tool.title ?? tool.name}`,
    manualApproval: true,
  });
  return settle(call, turn, () => mcp.call(found, args, turn.signal));
}

/** Runs what was allowed, and reports it to the editor as to the model. */
async function settle(
  call: EcaToolCall,
  { signal }: EcaServerTurn,
  run: () => Promise<{ text: string; error: boolean }>,
): Promise<string> {
  signal.throwIfAborted();
  if (!call.allowed) return REJECTED;
  try {
    const { text, error } = await run();
    await (error ? call.fail(text) : call.complete(text));
    return text;
  } catch (error) {
    const text = `Error: ${explain(error, signal)}`;
    await call.fail(text);
    return text;
  }
}

/** What a call would do, or why it cannot. */
async function attempt(prepare: () => Promise<Action> | Action): Promise<Action | ToolError> {
  try {
    return await prepare();
  } catch (error) {
    if (error instanceof ToolError) return error;
    if (isSystemError(error)) return new ToolError(error.message, { cause: error });
    throw error;
  }
}

function argumentsOf({ arguments: json }: ToolRequest): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json === "" ? "{}" : json);
  } catch (error) {
    throw new ToolError(`The arguments are not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw new ToolError("The arguments are no object");
  return value;
}

/** The message of an error that a model can do something about. Throws any other, and the signal's reason. */
function explain(error: unknown, signal: AbortSignal): string {
  signal.throwIfAborted();
  if (error instanceof ToolError || isSystemError(error)) return error.message;
  throw error;
}
