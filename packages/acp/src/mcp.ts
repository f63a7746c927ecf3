import { mcpOptionKinds, McpServers } from "@editwire/session/mcp";
import { checkOptions } from "@editwire/session";
import type { AcpAgentSession } from "./agent/session-api.js";
import { type AcpMcpOptions, type AcpMcpSession, addressOf, McpSessionTools } from "./mcp/session.js";

export type { AcpMcpOptions, AcpMcpSession } from "./mcp/session.js";
export { addressOf as mcpServerAddress } from "./mcp/session.js";

/** The MCP servers of an agent's sessions. */
export interface AcpMcp {
  /**
   * The servers that the client asked for in a session (`mcpServers`). They are started by the first call, in the
   * session's folder, and again when the session is loaded with others. Resolves when each runs or has failed: one that
   * does not start is reported to `onError`, as a notice to a client that shows those, and in `servers`. They end with
   * the session.
   */
  open(session: AcpAgentSession): Promise<AcpMcpSession>;
}

/**
 * Starts the MCP servers of sessions through the official SDK: stdio always, `http` and `sse` if the agent declares
 * them in `mcpCapabilities`. Throws a `TypeError` for wrong options.
 */
export function createAcpMcp(options: AcpMcpOptions = {}): AcpMcp {
  checkOptions("createAcpMcp", options, { ...mcpOptionKinds, permission: "function", permissionOptions: "array" });
  const opened = new WeakMap<AcpAgentSession, { key: string; servers: McpServers; session: AcpMcpSession }>();
  return {
    async open(session) {
      const key = JSON.stringify([session.cwd, session.mcpServers]);
      let entry = opened.get(session);
      if (entry?.key !== key) {
        const replaced = entry?.servers;
        entry = { key, ...start(session, options) };
        opened.set(session, entry);
        await replaced?.close();
      }
      await entry.servers.started;
      return entry.session;
    },
  };
}

function start(session: AcpAgentSession, options: AcpMcpOptions): { servers: McpServers; session: AcpMcpSession } {
  session.signal.throwIfAborted();
  const addresses = session.mcpServers.map((server) => addressOf(server, session.cwd));
  const servers = new McpServers(addresses, options, (title) => notify(session, title));
  session.signal.addEventListener("abort", () => void servers.close(), { once: true });
  return { servers, session: new McpSessionTools(servers, options) };
}

/** Tells the user, where the client shows notices; the reason is for the agent's log. */
function notify(session: AcpAgentSession, title: string): void {
  if (session.signal.aborted || session.clientCapabilities.session?.notices === undefined) return;
  void Promise.resolve(session.update({ sessionUpdate: "notice", severity: "warning", title })).catch(() => {});
}
