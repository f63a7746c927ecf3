import { readFile } from "node:fs/promises";
import * as z from "zod";

const Server = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  disabled: z.boolean().optional(),
});
const File = z.looseObject({ mcpServers: z.record(z.string().min(1), Server) });

/** How one MCP server is started. */
export interface McpServerConfig {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Its environment, besides `HOME`, `PATH` and their like. */
  readonly env: Readonly<Record<string, string>>;
  /** It is listed, and not started until the user does. */
  readonly disabled: boolean;
}

/** Reads `{"mcpServers": {name: {command, args, env, disabled}}}`. Throws an error that says what does not fit. */
export async function readMcpConfig(path: string): Promise<McpServerConfig[]> {
  const { success, data, error } = File.safeParse(JSON.parse(await readFile(path, "utf8")));
  if (!success) throw new Error(`${path}: ${z.prettifyError(error)}`);
  return Object.entries(data.mcpServers).map(([name, { command, args = [], env = {}, disabled = false }]) => ({
    name,
    command,
    args,
    env,
    disabled,
  }));
}
