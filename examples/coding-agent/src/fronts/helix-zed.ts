import { resolve } from "node:path";
import { type Agent, type AgentPermission, type AskContext, isWireError, toHelixZed } from "@editwire/agent";
import { dialHelixZed } from "@editwire/helix-zed/node";
import type { FrontListeners, HelixZedFront, OpenFront } from "./front.js";

const policies = { allow: "allow_once", reject: "reject_once", editors: untilAnswered } as const;

/** Gives no answer of its own, and keeps the question open: an editor that opens the session later is asked, too. */
function untilAnswered(_permission: AgentPermission, { signal }: AskContext): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
}

/** Serves the agent to a Helix-Zed host, which it dials again whenever the connection is lost. */
export function openHelixZed(agent: Agent, front: HelixZedFront, report: FrontListeners): OpenFront {
  const { url, session: sessionId, cwd, permission, token, profile } = front;
  const { log, detail, onError, onDiagnostic } = report;
  const served = toHelixZed(agent, { cwd: resolve(cwd), permission: policies[permission] });
  return dialHelixZed(served, {
    ...{ url, sessionId, token, profile },
    onDiagnostic,
    onError(error, method) {
      if (!isWireError(error, "not_connected")) onError(error, method); // onConnection says it in one line
    },
    onConnection(state) {
      if (state.connected) detail(`the host at ${url} is connected`);
      else if (state.retryMs === Infinity) log(state.reason.message);
      else log(`${state.reason.message}; trying again in ${Math.round(state.retryMs)} ms`);
    },
  });
}
