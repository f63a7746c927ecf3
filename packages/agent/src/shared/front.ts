import { type Diagnostic, RemoteError, ErrorCode } from "@editwire/core";
import { checkOptions, type OptionKinds, shown } from "@editwire/session";
import type { Agent } from "../hub/agent.js";
import type { ProtocolMapping } from "../mapping/facts.js";
import { MappingReports } from "../mapping/reports.js";
import type { AgentSession, SessionStart, SessionView, TurnEnd } from "../api/session.js";
import type { AgentEvent, AgentStopReason } from "../api/events.js";

/** How an agent is turned into what a binding serves. */
export interface FrontOptions {
  /** Called for what the protocol does not say, or not exactly. Default: that of the agent. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** The kind that each option of a front must have. */
export const frontKinds: OptionKinds<FrontOptions> = { onDiagnostic: "function" };

/** Throws a `TypeError` for what is not an agent, and for wrong options. `name` is the function that got them. */
export function checkFront<Options extends object>(
  name: string,
  agent: unknown,
  options: Options,
  kinds: OptionKinds<Options>,
): void {
  if (typeof agent !== "object" || agent === null || !("connected" in agent))
    throw new TypeError(`${name}: expected an agent, such as createAgent returns, received ${shown(agent)}`);
  checkOptions(name, options, kinds);
}

/** The reports of one front. */
export function reportsOf(
  agent: Agent,
  protocol: string,
  mapping: ProtocolMapping,
  { onDiagnostic }: FrontOptions,
): MappingReports {
  return new MappingReports(protocol, mapping, onDiagnostic ?? agent.onDiagnostic);
}

/** The sessions that a protocol without messages outside of its own turns has seen, up to its last turn. */
export class FollowedSessions {
  readonly #last = new WeakMap<AgentSession, AgentEvent | undefined>();

  /** Shows the session to `view` during `turn`, and reports the events in it since the last one. */
  async during<T>(
    session: AgentSession,
    view: SessionView,
    reports: MappingReports,
    turn: () => Promise<T>,
  ): Promise<T> {
    const hasMissed = this.#last.has(session) && this.#last.get(session) !== session.events.at(-1);
    if (hasMissed) reports.report("foreign_turn", session);
    const detach = session.attach(view);
    try {
      return await turn();
    } finally {
      detach();
      this.#last.set(session, session.events.at(-1));
    }
  }
}

/**
 * The session of an id that may be new: one that the agent has or lists, else a new one. An agent that has a list is
 * not asked to load what is not in it: some write the failure to their stderr, which users see.
 */
export async function openSession(
  agent: Agent,
  sessionId: string,
  start: Omit<SessionStart, "sessionId">,
): Promise<AgentSession> {
  const isNew = agent.session(sessionId) === undefined && (await isUnlisted(agent, sessionId));
  const known = isNew ? undefined : await agent.loadSession(sessionId, { ...start, sessionId });
  return known ?? agent.newSession({ ...start, sessionId });
}

async function isUnlisted(agent: Agent, sessionId: string): Promise<boolean> {
  if (agent.definition.listSessions === undefined) return false;
  return !(await agent.listSessions()).some((one) => one.sessionId === sessionId);
}

/** The stop reason of a turn. Throws the `RemoteError` of a turn that failed. */
export function stopReasonOf({ stopReason, error }: TurnEnd): Exclude<AgentStopReason, "error"> {
  if (stopReason !== "error") return stopReason;
  throw new RemoteError(error?.code ?? ErrorCode.InternalError, error?.message ?? "Internal error", error?.data);
}
