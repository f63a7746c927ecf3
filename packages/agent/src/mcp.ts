import { mcpServerAddress } from "@editwire/acp/mcp";
import { checkFunction, checkNumber, safeListeners } from "@editwire/session";
import { McpServers, type McpServerTool } from "@editwire/session/mcp";
import type { AgentSession } from "./session.js";
import { type McpToolsOptions, toolOf } from "./tools/mcp-tools.js";
import type { AgentTool } from "./tools/tool.js";

/** How an agent uses the MCP servers that the editors of its sessions name. */
export interface SessionMcpOptions extends Pick<McpToolsOptions, "trustAnnotations"> {
  /** The name and version by which servers know the agent. Default `editwire-agent`, `1`. */
  clientInfo?: { readonly name: string; readonly version: string } | undefined;
  /** Milliseconds that a server has to start and to list its tools. Default 30,000. */
  startTimeoutMs?: number | undefined;
  /** Milliseconds that a call has, counted again from each report of progress. Default 120,000. */
  callTimeoutMs?: number | undefined;
  /** Tools of one server; more are left out. Default 500. */
  maxTools?: number | undefined;
  /** Called with the failure of a server, whose name is in the text. The user sees the name alone. Default: stderr. */
  onError?: ((error: Error) => void) | undefined;
  /** Called with what a server on stdio writes to stderr. Default: nothing. */
  onStderr?: ((server: string, text: string) => void) | undefined;
}

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
  const name = "createSessionMcp";
  for (const key of ["startTimeoutMs", "callTimeoutMs", "maxTools"] as const) checkNumber(name, key, options[key]);
  for (const key of ["onError", "onStderr"] as const) checkFunction(name, key, options[key]);
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
  const { clientInfo = { name: "editwire-agent", version: "1" }, onStderr = () => {} } = options;
  const report = safeListeners({}).onError;
  const { onError = (error: Error) => report(error, "mcp") } = options;
  const { startTimeoutMs = 30_000, callTimeoutMs = 120_000, maxTools = 500 } = options;
  const addresses = session.mcpServers.map((server) => mcpServerAddress(server, session.cwd));
  return new McpServers(addresses, {
    clientInfo,
    startTimeoutMs,
    callTimeoutMs,
    maxTools,
    onStderr,
    onChange({ address, failure }) {
      if (failure === undefined) return;
      onError(new Error(`The MCP server ${address.name} failed: ${failure.message}`, { cause: failure }));
      const text = `The MCP server ${address.name} is not available`;
      void session.send({ type: "notice", notice: { severity: "warning", text } });
    },
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
