export {
  type McpServerAddress,
  McpServerConnection,
  type McpServerOptions,
  type McpServerStatus,
} from "./mcp-server.js";
export { McpServers, type McpServersOptions, type McpServerTool } from "./mcp-servers.js";
export type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
