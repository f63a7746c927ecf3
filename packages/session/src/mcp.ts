export type { McpServerAddress, McpServerStatus } from "./mcp/server.js";
export { mcpServerStdio } from "./mcp/stdio.js";
export { mcpOptionKinds, McpServers, type McpServersOptions, type McpServerTool } from "./mcp/servers.js";
export type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
