import { createRequire } from "node:module";
import type { McpServerConfig } from "../../src/mcp/config.js";

const require = createRequire(import.meta.url);

/** The reference server that has everything: tools, prompts and resources. */
export const everything: McpServerConfig = {
  name: "everything",
  command: process.execPath,
  args: [require.resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
  env: {},
  disabled: false,
};

/** A second real server, which keeps its memory in a file. */
export const memoryServer = (file: string): McpServerConfig => ({
  name: "memory",
  command: process.execPath,
  args: [require.resolve("@modelcontextprotocol/server-memory/dist/index.js")],
  env: { MEMORY_FILE_PATH: file },
  disabled: false,
});
