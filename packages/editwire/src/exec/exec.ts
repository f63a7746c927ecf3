import type { Agent, AgentEvent, AgentPermission, AgentSession, SessionView } from "@editwire/agent";
import { answerOf, type PermissionRules } from "./permission.js";

/** One prompt, and the session that it is for. */
export interface ExecRequest {
  readonly prompt: string;
  /** Absolute path. */
  readonly cwd: string;
  /** The session to go on with. Default: a new one. */
  readonly sessionId?: string | undefined;
  readonly modeId?: string | undefined;
  readonly modelId?: string | undefined;
  readonly permission: PermissionRules;
  /** Aborting it cancels the turn. */
  readonly signal: AbortSignal;
}

/** Shows what happens in a turn. While a promise is pending, the agent waits. */
export interface ExecOutput {
  /** Called once, before the first event. */
  session(session: AgentSession): void | Promise<void>;
  event(event: AgentEvent): void | Promise<void>;
  /** Called for a permission that the rules refused. */
  refused(permission: AgentPermission): void;
}

/**
 * Prompts an agent once. Resolves with the last event. Rejects if there is no session, or no such mode or model, and
 * with the reason of `signal` if that is aborted before the prompt.
 */
export async function exec(agent: Agent, request: ExecRequest, output: ExecOutput): Promise<StopEvent> {
  const { prompt, signal, permission: rules } = request;
  const session = await unlessAborted(signal, sessionOf(agent, request));
  await unlessAborted(signal, choose(session, request));
  await output.session(session);
  const view: SessionView = {
    name: "exec",
    event: (event) => output.event(event),
    async permission(permission) {
      const answer = answerOf(rules, permission);
      if (answer === "reject_once") output.refused(permission);
      return answer;
    },
  };
  return { type: "stop", ...(await session.prompt(prompt, { view, signal, whenBusy: "queue" })) };
}

/** The end of a turn. */
export type StopEvent = Extract<AgentEvent, { type: "stop" }>;

async function sessionOf(agent: Agent, { sessionId, cwd }: ExecRequest): Promise<AgentSession> {
  if (sessionId === undefined) return agent.newSession({ cwd });
  const session = await agent.loadSession(sessionId, { cwd });
  if (session === undefined) throw new TypeError(`--session: the agent has no session ${JSON.stringify(sessionId)}`);
  return session;
}

async function choose(session: AgentSession, { modeId, modelId }: ExecRequest): Promise<void> {
  const modes = session.modes?.availableModes.map(({ id }) => id) ?? [];
  const models = session.models?.availableModels.map((model) => model.id) ?? [];
  if (modeId !== undefined) await session.setMode(offered("--mode", modeId, modes));
  if (modelId !== undefined) await session.setModel(offered("--model", modelId, models));
}

/** A choice that the session offers. Throws a `TypeError` with all of them for another one. */
function offered(option: string, choice: string, choices: readonly string[]): string {
  if (choices.includes(choice)) return choice;
  const what = choices.length === 0 ? "the agent offers none" : `expected one of ${choices.join(", ")}`;
  throw new TypeError(`${option} ${choice}: ${what}`);
}

function unlessAborted<T>(signal: AbortSignal, waiting: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
