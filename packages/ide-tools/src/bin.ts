#!/usr/bin/env node
import { mcpServerStdio } from "@editwire/session/mcp";
import { Command } from "commander";
import { isSystemError, ToolError } from "./errors.js";
import { mcpServer } from "./mcp.js";
import { openIdeTools } from "./tools.js";

const program = new Command("ide-tools").description("The tools that an IDE offers to a coding agent, on a folder.");
program
  .command("mcp")
  .description("serves the tools to an MCP client on stdin and stdout")
  .argument("<folder>", "the folder to work in; nothing outside of it is read or written")
  .option("--fallback-encoding <name>", "encoding of files that are not UTF-8, such as gb18030")
  .action(serve);
program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof ToolError || isSystemError(error) ? error.message : error);
  process.exitCode = 1;
});

async function serve(folder: string, { fallbackEncoding }: { fallbackEncoding?: string }): Promise<void> {
  const tools = await openIdeTools(folder, { fallbackEncoding });
  const server = mcpServer(tools, { onError: (error) => console.error(error) });
  server.onclose = () => void tools.close();
  server.onerror = ({ message }) => console.error(message);
  await server.connect(mcpServerStdio());
}
