import type { McpServer, Meta } from "@editwire/acp-schema";
import { isObject } from "@editwire/core";

/** A variable of the environment, or a header. */
interface NewNameValue extends Marked {
  readonly name: string;
  readonly value: string;
}

interface Marked {
  readonly _meta?: Meta | null | undefined;
}

/** An MCP server on stdio, as the official dialect writes it: without a type. */
export interface AcpNewStdioServer extends Marked {
  readonly type?: "stdio" | undefined;
  readonly name: string;
  /** Path of the executable. */
  readonly command: string;
  /** Default none. */
  readonly args?: readonly string[] | undefined;
  /** Default none. */
  readonly env?: readonly NewNameValue[] | undefined;
}

/** An MCP server over the network. */
export interface AcpNewRemoteServer extends Marked {
  readonly type: "http" | "sse";
  readonly name: string;
  readonly url: string;
  /** Default none. */
  readonly headers?: readonly NewNameValue[] | undefined;
}

/** An MCP server to ask for, also with the types of the official SDK. One without a type is on stdio. */
export type AcpNewMcpServer = McpServer | AcpNewStdioServer | AcpNewRemoteServer;

/**
 * A server with the fields that may be left out. A value that is not a server stays unchanged, and is refused when it
 * is sent.
 */
export function mcpServerOf(given: AcpNewMcpServer): McpServer {
  if (!isObject(given)) return given as McpServer;
  const { type = "stdio", ...server } = withoutNullMeta(given);
  if (type === "stdio")
    return { ...server, type, args: listOf(server["args"]), env: listOf(server["env"]) } as McpServer;
  const isRemote = type === "http" || type === "sse";
  return { ...server, type, ...(isRemote ? { headers: listOf(server["headers"]) } : {}) } as McpServer;
}

/** A copy of a list, empty for none. */
function listOf(items: unknown = []): unknown {
  return Array.isArray(items) ? items.map((item) => (isObject(item) ? withoutNullMeta(item) : item)) : items;
}

function withoutNullMeta({ _meta, ...others }: Record<string, unknown>): Record<string, unknown> {
  return _meta === undefined || _meta === null ? others : { ...others, _meta };
}
