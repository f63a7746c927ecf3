import type { AgentSession, AgentTurn } from "@editwire/agent";
import type { OfferedTool } from "../model.js";
import type { ToolRequest } from "../run-tool.js";

/** The tools of the agent, wherever they run. */
export interface Toolbox {
  /** Prepares a folder for a session. Throws a `ToolError` for one in which the tools cannot work. */
  open(cwd: string): void | Promise<void>;
  /** The tools that a session mode offers to the model. */
  offered(modeId: string, session: AgentSession): readonly OfferedTool[] | Promise<readonly OfferedTool[]>;
  /**
   * Reads a file that the user attached. Throws a `ToolError` when it cannot. Default: attached files are only named.
   */
  readonly read?: ((path: string, cwd: string) => Promise<string>) | undefined;
  /**
   * Runs one tool call: shows it, asks where that is due, and gives the text for the model, which also receives every
   * error and refusal. Throws only when the turn is cancelled, or for a bug.
   */
  run(request: ToolRequest, turn: AgentTurn): Promise<string>;
}
