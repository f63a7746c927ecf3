import type { AgentToolCall, AgentTurn } from "@editwire/agent";
import { isSystemError, openWorkspace, ToolError } from "@editwire/ide-tools";
import { limitsOf } from "./limits.js";
import { modeAllows, needsPermission, sessionModes } from "./modes.js";
import { toolNamed } from "./tools/registry.js";
import type { Action, OpenCall, Tool, ToolContext } from "./tools/tool.js";

/** A tool call as the model wrote it. */
export interface ToolRequest {
  readonly id: string;
  readonly name: string;
  /** JSON, and not yet known to be so. */
  readonly arguments: string;
}

const REJECTED = "The user rejected this call. Do not try it again unless the user asks for it.";

/** The calls that each turn has made. */
const callsOf = new WeakMap<AgentTurn, number>();

/**
 * Runs one tool call in the session's folder: shows it, asks where that is due, and gives the text for the model, which
 * also receives every error and refusal. Throws only when the turn is cancelled, or for a bug.
 */
export async function runTool(request: ToolRequest, turn: AgentTurn): Promise<string> {
  const tool = toolNamed(request.name);
  if (tool === undefined) return `Error: The tool ${request.name} does not exist.`;
  try {
    const call = tool.open(request.arguments);
    const { admits, maxToolCalls } = limitsOf(turn);
    const context: ToolContext = {
      workspace: await openWorkspace(turn.session.cwd, { admits }),
      signal: turn.signal,
      showPlan: (entries) => turn.plan(entries),
      ask: (question, options) => turn.ask(question, { options, toolCallId: request.id }),
    };
    // A tool that only shows something is not shown itself.
    if (tool.access === "none") return (await (await call.prepare(context)).run()).text;
    const made = callsOf.get(turn) ?? 0;
    if (made >= maxToolCalls) throw new ToolError(`This turn has reached its limit of ${maxToolCalls} tool calls`);
    callsOf.set(turn, made + 1);
    return await runShown(request, tool, call, context, turn);
  } catch (error) {
    if (turn.signal.aborted) throw error;
    return `Error: ${explain(error)}`;
  }
}

async function runShown(
  { id: toolCallId }: ToolRequest,
  tool: Tool,
  call: OpenCall,
  context: ToolContext,
  turn: AgentTurn,
): Promise<string> {
  const { name, kind, access } = tool;
  const { workspace, signal } = context;
  const locations = (call.view.locations ?? []).map(({ path, line }) => {
    return { path: workspace.absolute(path), ...(line === undefined ? {} : { line }) };
  });
  const action = await attempt(() => (checkMode(tool, turn), call.prepare(context)));
  const contents = action instanceof Error ? undefined : action.preview;
  const view = { name, title: call.view.title, kind, locations, input: call.input, contents };
  const shown = await turn.toolCall({ toolCallId, ...view, status: "pending" });
  try {
    if (action instanceof Error) throw action;
    signal.throwIfAborted();
    if ((needsPermission(access) || limitsOf(turn).asksAlways) && !(await isAllowed(shown, turn))) return REJECTED;
    checkMode(tool, turn); // the user may have changed the mode before answering
    await shown.start();
    const { text, content, failed = false } = await action.run();
    const change = { output: text, ...(content === undefined ? {} : { contents: content }) };
    await (failed ? shown.fail(change) : shown.complete(change));
    return text;
  } catch (error) {
    if (signal.aborted) throw error;
    const text = `Error: ${explain(error)}`;
    await shown.fail({ output: text, contents: [] });
    return text;
  }
}

function checkMode({ name, access }: Tool, { session: { modeId = sessionModes.currentModeId } }: AgentTurn): void {
  if (!modeAllows(modeId, access)) throw new ToolError(`The session's mode "${modeId}" does not allow ${name}`);
}

async function isAllowed(shown: AgentToolCall, turn: AgentTurn): Promise<boolean> {
  const { allowed } = await turn.requestPermission(shown);
  turn.signal.throwIfAborted();
  return allowed;
}

/** The effect of a call, or the reason why it is not possible. */
async function attempt(prepare: () => Promise<Action> | Action): Promise<Action | ToolError> {
  try {
    return await prepare();
  } catch (error) {
    return new ToolError(explain(error), { cause: error });
  }
}

/** The message of an error that a model can do something about. Throws any other. */
function explain(error: unknown): string {
  if (error instanceof ToolError || isSystemError(error)) return error.message;
  throw error;
}
