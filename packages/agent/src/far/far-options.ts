import type { ContentBlock, Implementation } from "@editwire/acp";
import { checkOptions, type Listeners, type OptionKinds, shown } from "@editwire/session";
import type { AgentDefinition } from "../api/definition.js";
import { definitionKinds } from "../api/kinds.js";
import type { SessionStart } from "../api/session.js";

/** How a client of one protocol becomes an agent. */
export interface GatewayOptions
  extends Pick<AgentDefinition, "whenBusy" | "maxSessions" | "history" | "cancelGraceMs" | "onDiagnostic" | "onError"> {
  /** Default: the name and version of the far agent; its protocol, where that names no agent. */
  info?: Implementation | undefined;
  /** Milliseconds that the far agent is kept after the last editor has gone. Default 1,000. */
  lingerMs?: number | undefined;
}

const { whenBusy, maxSessions, history, cancelGraceMs, onDiagnostic, onError, info } = definitionKinds;

/** The kind that each option of a gateway must have. */
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

/** Milliseconds that a far agent has to end a cancelled turn: less than the editor in front of the gateway waits. */
export const farCancelGraceMs = 4_000;

/** Reports once, for each kind, what is not carried. */
export class NotCarried {
  readonly #reported = new Set<string>();
  readonly #onDiagnostic: Listeners["onDiagnostic"];

  constructor(onDiagnostic: Listeners["onDiagnostic"]) {
    this.#onDiagnostic = onDiagnostic;
  }

  /** Reports what the far agent has said. */
  report(protocol: string, ...lost: readonly string[]): void {
    for (const what of lost) this.#report(`${protocol}: ${what} of the far agent is not carried`);
  }

  /** Reports the blocks of a prompt that the far agent's protocol has no form for. */
  prompt(protocol: string, blocks: readonly ContentBlock[], isCarried: (block: ContentBlock) => boolean): void {
    for (const block of blocks)
      if (!isCarried(block)) this.#report(`${protocol}: ${block.type} of a prompt is not carried`);
  }

  /** Reports MCP servers of a session, for a protocol that has none. */
  mcpServers(protocol: string, { mcpServers = [] }: Pick<SessionStart, "mcpServers">): void {
    if (mcpServers.length > 0) this.#report(`${protocol}: mcpServers of a session is not carried`);
  }

  #report(message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#onDiagnostic({ id: "agent.not-carried", method: undefined, message });
  }
}
