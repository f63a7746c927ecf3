import type { HandlerContext } from "@editwire/core";
import {
  isSmanToolName,
  type SmanParams,
  type SmanToolContext,
  type SmanToolHandlers,
  type SmanToolOutcome,
  type ToolResult,
  type ToolSite,
} from "@editwire/sman-schema";
import type { SplitOptions } from "@editwire/session";
import { AnsweredCalls } from "../backend/answered-calls.js";
import { Changes } from "./changes.js";
import { failureTexts } from "../shared/failure-text.js";
import type { SmanToolOptions } from "./api.js";
import { runTool } from "./tool-run.js";

type Tool = (params: unknown, context: SmanToolContext) => SmanToolOutcome | Promise<SmanToolOutcome>;

/** Executes the calls of a plugin. */
export class ToolCalls {
  readonly #tools: SmanToolHandlers;
  readonly #options: SmanToolOptions;
  readonly #split: SplitOptions;
  readonly #changes = new Changes();

  constructor(tools: SmanToolHandlers, options: SmanToolOptions, split: SplitOptions) {
    this.#tools = tools;
    this.#options = options;
    this.#split = split;
  }

  /** The handler of one connection's calls. The ids of its calls do not outlive it. */
  onConnection(): (call: SmanParams<"TOOL_CALL">, context: HandlerContext) => Promise<ToolResult> {
    const answered = new AnsweredCalls();
    return async (call, context) => {
      const { id = "" } = context;
      const same = answered.result(id, call);
      if (same !== undefined) return this.#again(id, same);
      if (answered.has(id)) return failure(failureTexts.duplicate(String(id)));
      const result = await this.#execute(call, context);
      answered.add(id, call, result, context.length);
      return result;
    };
  }

  #again(id: string | number, result: ToolResult): ToolResult {
    const message = `the call ${id} came again; its result was sent again`;
    this.#split.onDiagnostic({ id: "duplicate-call", method: "TOOL_CALL", message });
    return result;
  }

  async #execute(call: SmanParams<"TOOL_CALL">, context: HandlerContext): Promise<ToolResult> {
    const { toolName } = call;
    const tool = isSmanToolName(toolName) ? (this.#tools[toolName] as Tool | undefined) : undefined;
    if (tool === undefined) return failure(failureTexts.unknownTool(toolName));
    const params = this.#paramsOf(call);
    if (typeof params === "string") return failure(params);
    const { toolTimeoutMs: timeoutMs = 25_000, maxResultBytes: maxBytes = 8 * 1024 * 1024 } = this.#options;
    const report = (error: unknown): void => this.#split.onError(error, toolName);
    const start = () =>
      runTool((given) => tool.call(this.#tools, params, given), {
        tool: toolName,
        timeoutMs,
        maxBytes,
        connection: context,
        report,
      });
    if (toolName !== "apply_change") return start().answer;
    return this.#changes.run(context.id ?? "", call, start);
  }

  /** The params for a tool, or the text of a failure. Fields that would name another folder are left out. */
  #paramsOf({ params, webSocketSessionId }: SmanParams<"TOOL_CALL">): object | string {
    const { projectKey: own } = this.#options;
    const given: Record<string, unknown> = { ...(params as ToolSite), projectKey: own, webSocketSessionId };
    for (const name of ["projectRoot", "project_root", "projectPath"]) if (name in given) delete given[name];
    const { projectKey, webSocketSessionId: inside } = params as ToolSite;
    if (projectKey !== "" && projectKey !== own) return failureTexts.otherProject(projectKey);
    if (inside !== webSocketSessionId)
      this.#split.onDiagnostic({
        id: "two-sessions",
        method: "TOOL_CALL",
        message: "webSocketSessionId differs at the root, which counts, and in params",
      });
    return given;
  }
}

function failure(error: string): ToolResult {
  return { success: false, error, executionTime: 0 };
}
