import type { PermissionOption } from "@editwire/acp-schema";
import {
  mcpOptionKinds,
  McpServers,
  type McpServersOptions,
  type McpServerStatus,
  type McpServerTool,
} from "@editwire/session/mcp";
import { checkOptions } from "@editwire/session";
import type { AcpAgentSession } from "./agent-session.js";
import type { AcpAgentTurn } from "./agent-turn.js";
import { addressOf, type McpCallOutcome, McpSessionTools } from "./mcp-session.js";

export type { McpServerStatus, McpServerTool } from "@editwire/session/mcp";
export type { McpCallOutcome } from "./mcp-session.js";
export { addressOf as mcpServerAddress } from "./mcp-session.js";
export { contentBlock, textOfContent, toolCallContent } from "./mcp-content.js";

/** Whether a tool may run: at once, when the user agrees, or not at all. */
export type McpToolDecision = "allow" | "ask" | "reject";

/** How an agent uses the MCP servers of its sessions. */
export interface AcpMcpOptions extends McpServersOptions {
  /**
   * Decides about a call. Default: a tool that only reads, by its `readOnlyHint`, is allowed, and the user is asked
   * about every other. The hint is what the server says about itself: decide otherwise for servers
   * that are not trusted.
   */
  permission?: ((tool: McpServerTool, args: Readonly<Record<string, unknown>>) => McpToolDecision) | undefined;
  /** What the user is asked. Default: allow once, always in this session, or reject. */
  permissionOptions?: readonly PermissionOption[] | undefined;
}

/** An MCP server of a session. */
export interface AcpMcpServer {
  readonly name: string;
  readonly status: McpServerStatus;
  /** Why it is `failed`. */
  readonly failure: Error | undefined;
  /** What the server tells a model about its use. */
  readonly instructions: string | undefined;
}

/** The MCP servers of a session. */
export interface AcpMcpSession {
  readonly servers: readonly AcpMcpServer[];
  /** The tools of the servers that run, as they are now: a server may change them. */
  readonly tools: readonly McpServerTool[];
  /**
   * Calls a tool in a turn, by its `callName`: announces the tool call, asks the user where that is due, reports the
   * progress, and sends the result. Resolves with what to tell the model, also when the tool fails or may not run.
   * Rejects for a name that no running server has, and when the turn is cancelled.
   */
  readonly call: (
    turn: AcpAgentTurn,
    callName: string,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<McpCallOutcome>;
}

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
