import { casesOf } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import type { RoleSuite } from "../../core/protocol.js";
import type { WsExtras } from "../../wire/ws-link.js";
import { asHost, type AsHost } from "./as-host.js";
import { socketOf } from "../../packs/socket.js";

/** The tools of cases for agents: the suite is the host, and the agent has dialed it. */
export interface AgentContext extends CaseContext, Omit<AsHost, "reconnect"> {
  /** The operations that only a WebSocket has. */
  readonly socket: WsExtras;
  /** Drops the connection, refuses some dials, and waits until the agent is back. */
  reconnect(refusals?: number): Promise<void>;
  /** Shows that the agent works on: a whole turn in a new session. */
  works(): Promise<void>;
  /** The words for a turn that outlasts the loss of its connection: longer than the last turn of the agent took. */
  lasting(): Promise<string>;
  /**
   * Ends the case as not applicable unless the agent speaks the 2026 dialect: it sent agent_ready or thread_created.
   */
  needsV2026(): Promise<void>;
}

/** Declares cases for agents. */
export const defineCases = casesOf<AgentContext>("helix-zed.agent");

/** How the suite plays the host. The agent dials, and nothing is sent before the first message of a user. */
export const agentRole: RoleSuite = {
  role: "agent",
  peer: "host",
  socket: "dials",
  handshake: () => Promise.resolve({}),
  context: agentContext,
};

function agentContext(base: CaseContext): AgentContext {
  const host = asHost(base);
  const { chat, session } = host;
  const works = async (): Promise<void> => void (await chat(session(), "Do you still work?").completed());
  return {
    ...base,
    ...host,
    socket: socketOf(base),
    works,
    async lasting() {
      const start = performance.now();
      await works();
      return base.say("slow", { ms: 300 + Math.ceil(4 * (performance.now() - start)) });
    },
    async reconnect(refusals) {
      if (!(await host.reconnect(refusals))) base.blocked("this connection cannot be made again");
    },
    async needsV2026() {
      await works();
      const names = ["agent_ready", "thread_created"];
      const isV2026 = base.conversation.received.some(
        ({ is }) => is.kind === "notification" && names.includes(is.method),
      );
      base.needs(isV2026, "the agent does not speak the 2026 dialect");
    },
  };
}
