import { basename } from "node:path";
import { type AgentTurn, turnTools } from "@editwire/agent";
import type { SmanBackend, SmanToolInputs, SmanToolName } from "@editwire/sman";
import { isSmanToolName } from "@editwire/sman-schema";
import { type Access, modeAllows, sessionModes } from "../modes.js";
import type { ToolRequest } from "../run-tool.js";
import type { Toolbox } from "../tools/toolbox.js";
import { offeredTools } from "./offered-tools.js";
import { reconnectingIde } from "./reconnecting-ide.js";

/** How tools of IDEs are used. */
export interface IdeToolboxOptions {
  readonly backend: SmanBackend;
  /** Milliseconds to wait for the IDE of a session's project. Default 60,000. */
  readonly waitMs?: number | undefined;
  readonly log: (text: string) => void;
}

/** The tools of the IDE that has the session's folder open: its project has the name of the folder. */
export function ideToolbox({ backend, waitMs = 60_000, log }: IdeToolboxOptions): Toolbox {
  return {
    open() {}, // the IDE may connect later
    offered: (modeId) => offeredTools.filter(({ name }) => modeAllows(modeId, accessOf(name))),
    async run({ name, arguments: json }, turn) {
      if (!isSmanToolName(name)) return `Error: The tool ${name} does not exist.`;
      const { modeId = sessionModes.currentModeId } = turn.session;
      if (!modeAllows(modeId, accessOf(name))) return `Error: The session's mode "${modeId}" does not allow ${name}`;
      const projectKey = basename(turn.session.cwd);
      const onLost = (tool: string): void => log(`calls ${tool} again as soon as an IDE of ${projectKey} is connected`);
      return callTool(name, json, turn, reconnectingIde(backend, { projectKey, waitMs, onLost }));
    },
  };
}

async function callTool(
  name: SmanToolName,
  json: ToolRequest["arguments"],
  turn: AgentTurn,
  ide: ReturnType<typeof reconnectingIde>,
): Promise<string> {
  let params: SmanToolInputs[SmanToolName];
  try {
    params = JSON.parse(json) as SmanToolInputs[SmanToolName];
  } catch (error) {
    return `Error: The arguments are not JSON: ${(error as Error).message}`;
  }
  const { status, text } = await turnTools(turn, ide).call(name, params);
  turn.signal.throwIfAborted();
  return status === "completed" ? text : `Error: ${text}`;
}

function accessOf(tool: string): Access {
  return tool === "apply_change" ? "write" : "read";
}
