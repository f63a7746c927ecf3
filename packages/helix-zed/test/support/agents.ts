import { onTestFinished } from "vitest";
import type { HelixZedAgentConnection, HelixZedAgent } from "../../src/index.js";
import { type HelixZedDialOptions, dialHelixZed } from "../../src/node.js";
import { type Frame, RawListener, type RawSocket } from "../../../transport/test/raw-socket.js";

/** An agent that is connected to a host on the raw wire. */
export interface StartedAgent {
  readonly raw: RawListener;
  readonly host: RawSocket;
  readonly agent: HelixZedAgentConnection;
  readonly errors: unknown[];
  readonly oddities: string[];
}

/** Starts an agent, and waits until it is connected. */
export async function start(
  handlers: HelixZedAgent,
  options: Partial<HelixZedDialOptions> = {},
): Promise<StartedAgent> {
  const raw = await RawListener.start();
  const errors: unknown[] = [];
  const oddities: string[] = [];
  const agent = dialHelixZed(handlers, {
    url: raw.url,
    sessionId: "ses_1",
    flushMs: 0,
    reconnect: { minMs: 5, maxMs: 20 },
    onError: (error) => void errors.push(error),
    onDiagnostic: ({ id }) => void oddities.push(id),
    ...options,
  });
  onTestFinished(() => agent.close());
  return { raw, host: await raw.accept(), agent, errors, oddities };
}

/** Sends a request and gives the frames up to its completion. */
export async function turnOf(host: RawSocket, request: Frame): Promise<Frame[]> {
  const from = host.frames.length;
  host.send(request);
  await host.next("message_completed");
  return host.frames.slice(from);
}
