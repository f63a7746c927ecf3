import { shown } from "@editwire/session";
import type { AgentPermissionOption } from "../api/events.js";
import type { AgentSession, AgentTurn } from "../api/session.js";
import type { AgentToolCall } from "../api/tool-call.js";
import type { AgentNewToolCall, AgentToolCallContent } from "../api/tool-call-state.js";

/** The context of a tool call. */
export interface ToolContext {
  readonly turn: AgentTurn;
  /** The announced call, for what changes while the tool runs. */
  readonly call: AgentToolCall;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
}

/** The result of a tool. */
export interface AgentToolResult {
  /** The text for the model. */
  readonly text: string;
  /** True when the tool could not do what it was called for; `text` says why. Default false. */
  readonly isError?: boolean | undefined;
  /** The contents that the user sees. Default: the text. */
  readonly contents?: readonly AgentToolCallContent[] | undefined;
}

/** A tool that a model can call, wherever it runs: a function, a tool of an MCP server, or one in an IDE. */
export interface AgentTool {
  /** The tool's name for the model. */
  readonly name: string;
  /** The description that the model reads. */
  readonly description: string;
  /** The JSON Schema of its input: an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Such as `read`, `edit`, `execute`. Default `other`. */
  readonly kind?: string | undefined;
  /** Whether the user is asked before each call. Default true. An answer "always" counts for the session. */
  readonly asks?: boolean | undefined;
  /** Describes one call for the user. Default: the name as its title. */
  describe?(input: unknown): Partial<Omit<AgentNewToolCall, "toolCallId" | "status">>;
  /** Runs it. An error that it throws reaches the model and the user as a failure without its text. */
  run(input: unknown, context: ToolContext): Promise<AgentToolResult> | AgentToolResult;
}

const options: readonly AgentPermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow in this session", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** The tools that the user allowed for a session. */
const allowed = new WeakMap<AgentSession, Set<string>>();

/**
 * Calls a tool as a part of a turn: announces the call, asks the user where the tool demands it, runs it, and shows how
 * it ended. An error of the tool becomes a result with `isError`, and the agent's `onError` gets it; when the turn was
 * cancelled, the call ends with the turn. Rejects with `WireError("closed")` after the turn.
 */
export async function callTool(
  turn: AgentTurn,
  tool: AgentTool,
  input: unknown,
  { toolCallId }: CallToolOptions = {},
): Promise<AgentToolResult> {
  const { name, kind = "other" } = tool;
  const call = await turn.toolCall({ title: name, ...tool.describe?.(input), name, kind, input, toolCallId });
  if (tool.asks !== false && !(await isAllowed(turn, tool, call))) return notAllowed;
  try {
    await call.start();
    const result = await tool.run(input, { turn, call, signal: turn.signal });
    if (typeof result?.text !== "string")
      throw new TypeError(`${name}: expected run to return { text: "…" }, received ${shown(result)}`);
    const { text: output, contents } = result;
    const change = { output, ...(contents === undefined ? {} : { contents }) };
    await (result.isError === true ? call.fail(change) : call.complete(change));
    return result;
  } catch (error) {
    if (turn.signal.aborted) return cancelled;
    turn.report(error);
    await call.fail();
    return failed;
  }
}

/** How a tool is called. */
export interface CallToolOptions {
  /** The model's id of the call. Default: a new UUID. */
  toolCallId?: string | undefined;
}

const notAllowed: AgentToolResult = { text: "The user did not allow this tool call.", isError: true };
const cancelled: AgentToolResult = { text: "The turn was cancelled.", isError: true };
const failed: AgentToolResult = { text: "The tool failed.", isError: true };

async function isAllowed(turn: AgentTurn, { name }: AgentTool, call: AgentToolCall): Promise<boolean> {
  const known = allowed.get(turn.session) ?? new Set();
  if (known.has(name)) return true;
  const decision = await turn.requestPermission(call, options);
  if (decision.outcome === "selected" && decision.kind === "allow_always") allowed.set(turn.session, known.add(name));
  return decision.allowed;
}
