import { type Agent, toEca } from "@editwire/agent";
import { listenEca, serveEcaStdio } from "@editwire/eca/node";
import { withFileContexts } from "./eca-contexts.js";
import type { EcaFront, FrontListeners, OpenFront } from "./front.js";

/** Serves the agent over ECA. Every connection of a socket has a server of its own, and all share the agent. */
export async function openEca(agent: Agent, front: EcaFront, report: FrontListeners): Promise<OpenFront> {
  const { profile, socket, watchParent } = front;
  const { log, ...listeners } = report;
  if (socket === undefined) {
    const connection = serveEcaStdio(withFileContexts(toEca(agent)), { profile, watchParent, ...listeners });
    return { gone: connection.ended, close: () => connection.close() };
  }
  const make = () => withFileContexts(toEca(agent));
  const listener = await listenEca(make, { path: socket, profile, ...listeners });
  log(`serving ECA at ${socket}`);
  return listener;
}
