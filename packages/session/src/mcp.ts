export {
  type McpServerAddress,
  McpServerConnection,
  type McpServerOptions,
  type McpServerStatus,
} from "./mcp-server.js";
export type { McpOffer } from "./mcp-offer.js";
export { McpServers, type McpServersOptions, type McpServerTool, namedTools } from "./mcp-servers.js";
export type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
