import type { Implementation } from "@editwire/acp";
import { checkOptions, type Listeners, type OptionKinds, shown } from "@editwire/session";
import type { AgentDefinition } from "../definition.js";
import { definitionKinds } from "../definition-kinds.js";

/** How a client of one protocol becomes an agent. */
export interface GatewayOptions
  extends Pick<AgentDefinition, "whenBusy" | "maxSessions" | "history" | "cancelGraceMs" | "onDiagnostic" | "onError"> {
  /** Default: the name and version of the far agent; its protocol, where that names no agent. */
  info?: Implementation | undefined;
  /** Milliseconds that the far agent is kept after the last editor has gone. Default 1,000. */
  lingerMs?: number | undefined;
}

const { whenBusy, maxSessions, history, cancelGraceMs, onDiagnostic, onError, info } = definitionKinds;

/** What each option of a gateway must be. */
export const gatewayKinds: OptionKinds<GatewayOptions> = {
  ...{ whenBusy, maxSessions, history, cancelGraceMs, onDiagnostic, onError, info },
  lingerMs: "number",
};

/** Throws a `TypeError` for what cannot open a client, and for wrong options. `name` is the function that got them. */
export function checkGateway<Options extends object>(
  name: string,
  open: unknown,
  options: Options,
  kinds: OptionKinds<Options>,
): void {
  if (typeof open !== "function")
    throw new TypeError(`${name}: expected a function that opens a client, received ${shown(open)}`);
  checkOptions(name, options, kinds);
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
