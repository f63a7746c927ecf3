import { mcpServerAddress } from "@editwire/acp/mcp";
import { checkOptions } from "@editwire/session";
import { mcpOptionKinds, McpServers, type McpServersOptions, type McpServerTool } from "@editwire/session/mcp";
import type { AgentSession } from "./api/session.js";
import { type McpToolsOptions, toolOf } from "./tools/mcp-tool.js";
import type { AgentTool } from "./tools/tool.js";

/** How an agent uses the MCP servers that the editors of its sessions name. */
export interface SessionMcpOptions extends McpServersOptions, Pick<McpToolsOptions, "trustAnnotations"> {}

/** The MCP servers of an agent's sessions. */
export interface SessionMcp {
  /**
   * The tools of the session's servers that run, for `callTool`. The servers are started when they are asked for first,
   * and again when an editor has loaded the session with others. A server that cannot be started has no tools.
   */
  tools(session: AgentSession): Promise<AgentTool[]>;
  /** Ends the servers of a session: `released` of the agent calls it. */
  release(session: AgentSession): Promise<void>;
}

/**
 * Starts the MCP servers of sessions through the official SDK: those on stdio always, `http` and `sse` if the agent
 * declares them in `mcpTypes`. Only ACP names servers. Throws a `TypeError` for wrong options.
 */
export function createSessionMcp(options: SessionMcpOptions = {}): SessionMcp {
  checkOptions("createSessionMcp", options, { ...mcpOptionKinds, trustAnnotations: "boolean" });
  const opened = new WeakMap<AgentSession, { readonly key: string; readonly servers: McpServers }>();
  const release = async (session: AgentSession): Promise<void> => {
    const entry = opened.get(session);
    opened.delete(session);
    await entry?.servers.close();
  };
  return {
    release,
    async tools(session) {
      const key = JSON.stringify([session.cwd, session.mcpServers]);
      if (opened.get(session)?.key !== key) await release(session);
      const { servers } = opened.get(session) ?? { servers: start(session, options) };
      opened.set(session, { key, servers });
      await servers.started;
      return servers.tools.map((tool) => agentTool(servers, tool, options));
    },
  };
}

function start(session: AgentSession, options: SessionMcpOptions): McpServers {
  const addresses = session.mcpServers.map((server) => mcpServerAddress(server, session.cwd));
  return new McpServers(addresses, options, (text) => {
    void session.send({ type: "notice", notice: { severity: "warning", text } });
  });
}

/** A tool under the name that is unique among the servers of its session; the user reads its title. */
function agentTool(
  servers: McpServers,
  { callName, server, tool }: McpServerTool,
  options: SessionMcpOptions,
): AgentTool {
  const { description, inputSchema, annotations } = tool;
  const title = `${tool.title ?? annotations?.title ?? tool.name} (${server})`;
  const client: Parameters<typeof toolOf>[0] = {
    callTool: ({ arguments: input = {} }, _, { signal = new AbortController().signal } = {}) =>
      servers.call(callName, input, { signal }),
  };
  return toolOf(client, { name: callName, title, description, inputSchema, annotations }, options);
}
