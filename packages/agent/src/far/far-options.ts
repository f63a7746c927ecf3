import type { Implementation } from "@editwire/acp";
import type { Listeners } from "@editwire/session";
import type { AgentDefinition } from "../definition.js";

/** How a client of one protocol becomes an agent. */
export interface GatewayOptions
  extends Pick<AgentDefinition, "whenBusy" | "maxSessions" | "history" | "cancelGraceMs" | "onDiagnostic" | "onError"> {
  /** Default: the name and version of the far agent. */
  info?: Implementation | undefined;
  /** Milliseconds that the far agent is kept after the last editor has gone. Default 1,000. */
  lingerMs?: number | undefined;
}

/** Milliseconds that a far agent has to end a cancelled turn. */
export const farCancelGraceMs = 10_000;

/** Reports once, for each kind, what is not carried. */
export class NotCarried {
  readonly #reported = new Set<string>();
  readonly #onDiagnostic: Listeners["onDiagnostic"];

  constructor(onDiagnostic: Listeners["onDiagnostic"]) {
    this.#onDiagnostic = onDiagnostic;
  }

  report(protocol: string, what: string): void {
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    const message = `${protocol}: ${what} of the far agent is not carried`;
    this.#onDiagnostic({ id: "agent.not-carried", method: undefined, message });
  }
}
