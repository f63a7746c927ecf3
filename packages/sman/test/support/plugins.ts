import type { Diagnostic } from "@editwire/core";
import { onTestFinished } from "vitest";
import { type Frame, RawListener, type RawSocket } from "../../../transport/test/raw-socket.js";
import type { SmanPluginConnection, SmanToolHandlers } from "../../src/index.js";
import type { SmanConnectionState } from "../../src/plugin/api.js";
import { dialSman, type SmanDialOptions } from "../../src/node.js";

/** A plugin that is connected to a backend on the raw wire. */
export interface StartedPlugin {
  readonly raw: RawListener;
  readonly backend: RawSocket;
  readonly plugin: SmanPluginConnection;
  readonly diagnostics: Diagnostic[];
  readonly errors: unknown[];
  readonly states: SmanConnectionState[];
}

/** Starts a plugin, and waits until it is connected. */
export async function startPlugin(
  tools: SmanToolHandlers,
  options: Partial<SmanDialOptions> = {},
): Promise<StartedPlugin> {
  const raw = await RawListener.start();
  const diagnostics: Diagnostic[] = [];
  const errors: unknown[] = [];
  const states: SmanConnectionState[] = [];
  const plugin = dialSman(
    { tools },
    {
      url: raw.url,
      sessionId: "test-123",
      projectKey: "autoloop",
      reconnect: { minMs: 1, maxMs: 5 },
      onError: (error) => void errors.push(error),
      onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
      onConnection: (state) => void states.push(state),
      ...options,
    },
  );
  onTestFinished(() => plugin.close());
  return { raw, backend: await raw.accept(), plugin, diagnostics, errors, states };
}

const ws = "83742e07-6a1b-4c5e-9d2f-0a1b2c3d4e5f";

/** A call as the specification shows it. */
export function call(toolCallId: unknown, toolName: string, params: object): unknown {
  return {
    type: "TOOL_CALL",
    toolCallId,
    toolName,
    params: { ...params, projectKey: "autoloop", webSocketSessionId: ws },
    webSocketSessionId: ws,
  };
}

/** Sends a message, and gives the data of the next result. */
export async function ask(backend: RawSocket, message: unknown): Promise<Frame["data"]> {
  backend.send(message);
  const { data } = await backend.next("TOOL_RESULT");
  return data;
}
