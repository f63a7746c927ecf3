import { type Agent, toKaiak } from "@editwire/agent";
import { listenKaiak, serveKaiakStdio } from "@editwire/kaiak/node";
import type { FrontListeners, KaiakFront, OpenFront } from "./front.js";

/** Serves the agent over Kaiak. */
export async function openKaiak(agent: Agent, { socket }: KaiakFront, report: FrontListeners): Promise<OpenFront> {
  const { log, ...listeners } = report;
  const served = toKaiak(agent);
  if (socket === undefined) {
    const connection = serveKaiakStdio(served, listeners);
    return { gone: connection.closed, close: () => connection.close() };
  }
  const listener = await listenKaiak(served, { path: socket, ...listeners });
  log(`serving Kaiak at ${socket}`);
  return listener;
}
