import { ndjson } from "@editwire/framing";
import { spawnTransport, stdioTransport } from "@editwire/transport/node";
import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { sdkTransport } from "./sdk-transport.js";

/** Half a second from the end of stdin to SIGTERM, and from there to SIGKILL: the agent itself has two seconds. */
const graceMs = 500;

/** How the program of an MCP server is started. */
export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment that the official SDK gives a server: `HOME`, `PATH` and their like. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly onStderr: (text: string) => void;
}

/**
 * A server on stdio, for a client of the official SDK. It ends with its whole process group: a server that is started
 * by `npx` or a script ends with what started it.
 */
export function mcpStdio({ command, args, env, cwd, onStderr }: McpCommand): Transport {
  const child = spawnTransport([command, ...args], ndjson(), {
    cwd,
    env: { ...getDefaultEnvironment(), ...env },
    inheritEnv: false,
    onStderr,
    graceMs,
  });
  return sdkTransport(child);
}

/** The stdin and stdout of this process, for a server of the official SDK. It closes at the end of stdin. */
export function mcpServerStdio(): Transport {
  return sdkTransport(stdioTransport(ndjson()));
}
