import type { ToolCallContent } from "@editwire/acp-schema";
import { isSystemError, ToolError } from "@editwire/ide-tools";
import { modeAllows, needsPermission } from "./modes.js";
import { askPermission } from "./permissions.js";
import type { CodingSession } from "./session.js";
import { toolNamed } from "./tools/registry.js";
import { type OpenCall, textContent, type Tool, type ToolContext } from "./tools/tool.js";
import type { TurnClient } from "./turn.js";

/** A tool call as the model wrote it. */
export interface ToolRequest {
  readonly id: string;
  readonly name: string;
  /** JSON, and not yet known to be so. */
  readonly arguments: string;
}

/**
 * Runs one tool call: shows it, asks where that is due, and gives the text for the model, which is also told of every
 * error and refusal. Throws only when the turn is cancelled, or for a bug.
 */
export async function runTool(request: ToolRequest, session: CodingSession, turn: TurnClient): Promise<string> {
  const tool = toolNamed(request.name);
  if (tool === undefined) return `Error: There is no tool ${request.name}.`;
  let call: OpenCall;
  try {
    call = tool.open(request.arguments);
  } catch (error) {
    return `Error: ${explain(error)}`;
  }
  const context = {
    workspace: session.workspace,
    signal: turn.signal,
    showPlan: (entries) => turn.plan(entries),
  } satisfies ToolContext;
  return tool.access === "none" ? runSilently(call, context) : runShown(tool, call, context, session, turn);
}

/** A tool that only shows something needs no showing of itself. */
async function runSilently(call: OpenCall, context: ToolContext): Promise<string> {
  return (await (await call.prepare(context)).run()).text;
}

async function runShown(
  tool: Tool,
  call: OpenCall,
  context: ToolContext,
  session: CodingSession,
  turn: TurnClient,
): Promise<string> {
  const locations = (call.view.locations ?? []).map(({ path, line }) => ({
    path: session.workspace.absolute(path),
    ...(line === undefined ? {} : { line }),
  }));
  const view = { title: call.view.title, kind: tool.kind, locations, rawInput: call.input };
  const shown = await turn.toolCall(view);
  const checkMode = (): void => {
    const { modeId } = session;
    if (!modeAllows(modeId, tool.access))
      throw new ToolError(`The session's mode "${modeId}" does not allow ${tool.name}`);
  };
  const refuse = async (text: string, content?: ToolCallContent[]): Promise<string> => {
    await shown.fail({ content: content ?? textContent(text), rawOutput: text });
    return text;
  };
  try {
    checkMode();
    const { preview, run } = await call.prepare(context);
    turn.signal.throwIfAborted();
    if (needsPermission(tool.access)) {
      if (preview !== undefined) await shown.update({ content: preview });
      const allowed = await askPermission(turn, shown, preview === undefined ? view : { ...view, content: preview });
      if (!allowed)
        return await refuse("The user rejected this call. Do not try it again unless the user asks for it.", preview);
      checkMode(); // the user may have changed the mode before answering
    }
    const { text, content = textContent(text), raw = { text }, failed = false } = await run();
    await (failed ? shown.fail({ content, rawOutput: raw }) : shown.complete({ content, rawOutput: raw }));
    return text;
  } catch (error) {
    if (turn.signal.aborted) throw error;
    return refuse(`Error: ${explain(error)}`);
  }
}

/** The message of an error that a model can do something about. Throws any other. */
function explain(error: unknown): string {
  if (error instanceof ToolError || isSystemError(error)) return error.message;
  throw error;
}
