import type { AcpAgentOptions } from "@editwire/acp";
import { listenAcp, serveAcpStdio } from "@editwire/acp/node";
import { type Agent, toAcp } from "@editwire/agent";
import type { AcpFront, FrontListeners, OpenFront } from "./front.js";

/** Serves the agent over ACP. */
export async function openAcp(agent: Agent, { profile, listen }: AcpFront, report: FrontListeners): Promise<OpenFront> {
  const { log, detail: _, ...listeners } = report;
  const options: AcpAgentOptions = { profile, ...listeners };
  const served = toAcp(agent);
  if (listen === undefined) {
    const connection = serveAcpStdio(served, options);
    return { gone: connection.closed, close: () => connection.close() };
  }
  const { over, ...address } = listen;
  const paths = over === "sse" ? "spec" : undefined;
  const listener = await listenAcp(served, { ...address, ...options, paths });
  log(`serving ACP at ${listener.url}`);
  return listener;
}
