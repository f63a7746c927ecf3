import { ndjson } from "@editwire/framing";
import { replyForLost } from "@editwire/peer";
import { spawnTransport } from "@editwire/transport/node";
import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

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
 * A server on stdio for the official SDK. Unlike the SDK's own transport, it reads messages behind noise without a line
 * break, fails a call whose answer cannot be read, and ends the whole process group: a server that is started by `npx`
 * or a script ends with what started it.
 */
export function mcpStdio({ command, args, env, cwd, onStderr }: McpCommand): Transport {
  const child = spawnTransport([command, ...args], ndjson(), {
    cwd,
    env: { ...getDefaultEnvironment(), ...env },
    inheritEnv: false,
    onStderr,
    graceMs,
  });
  const transport: Transport = {
    async start() {
      child.start({
        message: (value) => transport.onmessage?.(value as JSONRPCMessage),
        malformed(error, value) {
          const reply = replyForLost(error, value);
          if (reply !== undefined) transport.onmessage?.(reply);
          else transport.onerror?.(error);
        },
        closed(reason) {
          transport.onerror?.(reason);
          transport.onclose?.();
        },
      });
    },
    async send(message) {
      await child.send(JSON.stringify(message));
    },
    close: () => child.close(),
  };
  return transport;
}
