import { type AgentTool, callTool } from "@editwire/agent";
import type { SessionMcp } from "@editwire/agent/mcp";
import { modeAllows, sessionModes } from "../modes.js";
import type { Toolbox } from "./toolbox.js";

/**
 * A toolbox with the tools of the MCP servers that the editor of a session named. A server may do anything, so they are
 * there in the mode that may run programs, and the user is asked before each call.
 */
export function withMcp(toolbox: Toolbox, mcp: SessionMcp): Toolbox {
  const toolsOf: (...of: Parameters<Toolbox["offered"]>) => Promise<AgentTool[]> = async (modeId, session) =>
    modeAllows(modeId, "execute") && session.mcpServers.length > 0 ? mcp.tools(session) : [];
  return {
    ...toolbox,
    async offered(modeId, session) {
      const tools = await toolsOf(modeId, session);
      const offered = tools.map(({ name, description, inputSchema }) => {
        return { name, description, parameters: { ...inputSchema } };
      });
      return [...(await toolbox.offered(modeId, session)), ...offered];
    },
    async run(request, turn) {
      const { modeId = sessionModes.currentModeId } = turn.session;
      const tool = (await toolsOf(modeId, turn.session)).find(({ name }) => name === request.name);
      if (tool === undefined) return toolbox.run(request, turn);
      let input: unknown;
      try {
        input = JSON.parse(request.arguments);
      } catch (error) {
        return `Error: The arguments are not JSON: ${(error as Error).message}`;
      }
      const { text, isError = false } = await callTool(turn, tool, input, { toolCallId: request.id });
      turn.signal.throwIfAborted();
      return isError ? `Error: ${text}` : text;
    },
  };
}
