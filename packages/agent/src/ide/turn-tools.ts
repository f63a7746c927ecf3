import { isRemoteError, isWireError } from "@editwire/core";
import { checkOptions } from "@editwire/session";
import type { SmanIde, SmanToolInputs, SmanToolName } from "@editwire/sman";
import type { AgentToolCall } from "../api/tool-call.js";
import type { AgentTurn } from "../api/session.js";
import { shownAs } from "./shown-as.js";

type Tools = {
  readonly [Name in SmanToolName]: (
    params: SmanToolInputs[Name],
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<string>;
};

/** The tools of a folder in this process, such as those of `openIdeTools` of `@editwire/ide-tools`. */
export interface IdeToolset extends Tools {
  /** The folder, as an absolute path. Default: that of the session. */
  readonly root?: string | undefined;
}

/** An IDE that a sman backend is connected to, or the tools themselves. */
export type TurnToolsSource = Pick<SmanIde, "call" | "projectPath"> | IdeToolset;

/** How a call of a tool ended. */
export interface TurnToolResult {
  readonly status: "completed" | "failed" | "rejected" | "cancelled";
  /** For the model: the tool's report, or why there is none. */
  readonly text: string;
}

/** How tools are used in a turn. */
export interface TurnToolsOptions {
  /** The tools that need the user's permission for each call. Default `["apply_change"]`. */
  asks?: readonly SmanToolName[] | undefined;
  /** Milliseconds that a tool has. Default: that of the backend; none for tools of this process. */
  timeoutMs?: number | undefined;
}

/**
 * Calls tools of an IDE. Each call is shown in the editor from its announcement to its end, and aborts when the turn is
 * cancelled. The methods never reject for what happens to the tool: the model gets the text of a failure, too. They
 * throw `WireError("closed")` after the turn.
 */
export interface TurnTools {
  /** Calls a tool by its name in the protocol. */
  call<Name extends SmanToolName>(name: Name, params: SmanToolInputs[Name]): Promise<TurnToolResult>;
  grepFile(params: SmanToolInputs["grep_file"]): Promise<TurnToolResult>;
  readFile(params: SmanToolInputs["read_file"]): Promise<TurnToolResult>;
  callChain(params: SmanToolInputs["call_chain"]): Promise<TurnToolResult>;
  applyChange(params: SmanToolInputs["apply_change"]): Promise<TurnToolResult>;
}

/** The tools of an IDE for one turn. Without a path of its project, paths are shown below the session's folder. */
export function turnTools(turn: AgentTurn, source: TurnToolsSource, options: TurnToolsOptions = {}): TurnTools {
  checkOptions("turnTools", options, { asks: "array", timeoutMs: "number" });
  const call: TurnTools["call"] = (name, params) => callTool(turn, source, name, params, options);
  return {
    call,
    grepFile: (params) => call("grep_file", params),
    readFile: (params) => call("read_file", params),
    callChain: (params) => call("call_chain", params),
    applyChange: (params) => call("apply_change", params),
  };
}

async function callTool<Name extends SmanToolName>(
  turn: AgentTurn,
  source: TurnToolsSource,
  name: Name,
  params: SmanToolInputs[Name],
  { asks = ["apply_change"], timeoutMs }: TurnToolsOptions,
): Promise<TurnToolResult> {
  const folder = ("call" in source ? source.projectPath : source.root) ?? turn.session.cwd;
  const call = await turn.toolCall({ ...shownAs(folder, name, params), name, input: params });
  if (asks.includes(name)) {
    const { allowed, outcome } = await turn.requestPermission(call);
    if (outcome === "cancelled") return cancelled;
    if (!allowed) return { status: "rejected", text: "The user rejected this call." };
  }
  await call.start();
  try {
    const text = await run(source, name, params, { signal: turn.signal, timeoutMs });
    if (turn.signal.aborted) return cancelled;
    await call.complete({ output: text });
    return { status: "completed", text };
  } catch (error) {
    return failed(turn, call, name, error);
  }
}

const cancelled: TurnToolResult = { status: "cancelled", text: "The turn was cancelled." };

async function run<Name extends SmanToolName>(
  source: TurnToolsSource,
  name: Name,
  params: SmanToolInputs[Name],
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number | undefined },
): Promise<string> {
  if ("call" in source)
    return (await source.call(name, params, { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) })).result;
  const limited = timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const tools: Tools = source;
  return tools[name](params, { signal: limited });
}

/** Ends a call that failed. An error that is neither of the tool nor of its connection is a bug, and passes through. */
async function failed(turn: AgentTurn, call: AgentToolCall, name: string, error: unknown): Promise<TurnToolResult> {
  if (turn.signal.aborted) return cancelled;
  const text = textOf(error);
  if (text === undefined) {
    await call.fail({ output: "Internal error" });
    throw error;
  }
  const isLost = isWireError(error, "timeout") || isWireError(error, "closed") || isTimeout(error);
  const output = isLost && name === "apply_change" ? `${text} The change may still have been applied.` : text;
  await call.fail({ output });
  return { status: "failed", text: output };
}

/** The text of an error that the model may read: a tool's report, or this library's text about the connection. */
function textOf(error: unknown): string | undefined {
  if (isTimeout(error)) return "The tool took too long.";
  const isOfTool = isRemoteError(error) || isWireError(error) || (error instanceof Error && error.name === "ToolError");
  return isOfTool ? error.message : undefined;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
