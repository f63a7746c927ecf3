import type { PermissionOption } from "@editwire/acp-schema";
import type {
  McpServerAddress,
  McpServers,
  McpServersOptions,
  McpServerStatus,
  McpServerTool,
} from "@editwire/session/mcp";
import type { AcpToolCall } from "../agent/tool-call.js";
import type { AcpAgentTurn } from "../agent/turn.js";
import { textOfContent, toolCallContent } from "./content.js";
import { type AcpNewMcpServer, mcpServerOf } from "./server-forms.js";

/** The outcome of a tool call. */
export interface McpCallOutcome {
  /** False when the user or the policy did not let the tool run. */
  readonly allowed: boolean;
  /** True when the tool failed or did not run. */
  readonly isError: boolean;
  /** The result as text, for a model. */
  readonly text: string;
  /** The result as an object, where the tool has one. */
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
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

const defaultOptions: readonly PermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "allow_always", name: "Allow always in this session", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** The tools of a session's servers, called in its turns. */
export class McpSessionTools implements AcpMcpSession {
  readonly #servers: McpServers;
  readonly #options: AcpMcpOptions;
  /** The user's lasting answers, by tool. */
  readonly #answers = new Map<string, boolean>();

  constructor(servers: McpServers, options: AcpMcpOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  get servers(): readonly AcpMcpServer[] {
    return this.#servers.servers.map(({ address, status, failure, instructions }) => ({
      name: address.name,
      status,
      failure,
      instructions,
    }));
  }

  get tools(): readonly McpServerTool[] {
    return this.#servers.tools;
  }

  readonly call = async (
    turn: AcpAgentTurn,
    callName: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<McpCallOutcome> => {
    const found = this.#servers.find(callName);
    if (found === undefined) throw new Error(`no MCP server has the tool ${callName}`);
    const { tool, server } = found;
    const title = `${tool.annotations?.title ?? tool.title ?? tool.name} (${server})`;
    const kind = tool.annotations?.readOnlyHint === true ? "read" : "other";
    const call = await turn.toolCall({ title, kind, rawInput: { ...args } });
    if (!(await this.#isAllowed(turn, call, found, args))) {
      turn.signal.throwIfAborted();
      await call.fail({ content: toolCallContent([{ type: "text", text: notAllowed }]) });
      return { allowed: false, isError: true, text: notAllowed };
    }
    try {
      return await this.#run(turn, call, callName, args);
    } catch (error) {
      turn.signal.throwIfAborted();
      const text = error instanceof Error ? error.message : "the tool failed";
      await call.fail({ content: toolCallContent([{ type: "text", text }]) });
      return { allowed: true, isError: true, text };
    }
  };

  async #run(
    { signal }: AcpAgentTurn,
    call: AcpToolCall,
    callName: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<McpCallOutcome> {
    let isReporting = false;
    const result = await this.#servers.call(callName, args, {
      signal,
      onProgress({ progress, total, message }) {
        if (isReporting) return; // a slow client gets the latest progress, not all of it
        isReporting = true;
        const text = message ?? (total === undefined ? `${progress}` : `${progress}/${total}`);
        Promise.resolve(call.update({ content: toolCallContent([{ type: "text", text }]) }))
          .catch(() => {}) // the end of the call reports a lost client
          .finally(() => (isReporting = false));
      },
    });
    const { structuredContent, isError = false } = result;
    const output = structuredContent === undefined ? {} : { rawOutput: structuredContent };
    const change = { content: toolCallContent(result.content), ...output };
    await (isError ? call.fail(change) : call.complete(change));
    return { allowed: true, isError, text: textOfContent(result.content), structuredContent };
  }

  async #isAllowed(
    turn: AcpAgentTurn,
    call: AcpToolCall,
    tool: McpServerTool,
    args: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    const { permission = byHint, permissionOptions = defaultOptions } = this.#options;
    const decision = permission(tool, args);
    if (decision !== "ask") return decision === "allow";
    const remembered = this.#answers.get(tool.callName);
    if (remembered !== undefined) return remembered;
    const answer = await turn.requestPermission(call, permissionOptions);
    if (answer.outcome === "selected" && answer.kind.endsWith("_always"))
      this.#answers.set(tool.callName, answer.allowed);
    return answer.allowed;
  }
}

const notAllowed = "The user did not allow this call.";

/** A tool that only reads may run; the user decides about every other. */
function byHint({ tool }: McpServerTool): "allow" | "ask" {
  return tool.annotations?.readOnlyHint === true ? "allow" : "ask";
}

/** How a server of a session is reached. */
export function addressOf(given: AcpNewMcpServer, cwd: string): McpServerAddress {
  const server = mcpServerOf(given);
  const { name } = server;
  if (server.type !== "stdio") return { type: server.type, name, url: server.url, headers: named(server.headers) };
  return { type: "stdio", name, command: server.command, args: server.args, env: named(server.env), cwd };
}

function named(values: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

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
  /** The choices that the user has. Default: allow once, always in this session, or reject. */
  permissionOptions?: readonly PermissionOption[] | undefined;
}

/** An MCP server of a session. */
export interface AcpMcpServer {
  readonly name: string;
  readonly status: McpServerStatus;
  /** Why it is `failed`. */
  readonly failure: Error | undefined;
  /** The server's instructions for a model. */
  readonly instructions: string | undefined;
}
