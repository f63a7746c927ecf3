import { isAuthRequired } from "@editwire/acp";
import { isRemoteError, ErrorCode } from "@editwire/core";
import { type KaiakServer, type KaiakServerSession, type KaiakServerTurn, kaiakError } from "@editwire/kaiak";
import type { Agent } from "../hub/agent.js";
import {
  checkFront,
  FollowedSessions,
  frontKinds,
  type FrontOptions,
  openSession,
  reportsOf,
} from "../shared/front.js";
import { kaiakMapping } from "../mapping/kaiak.js";
import type { MappingReports } from "../mapping/reports.js";
import type { AgentSession, ChooseSignIn } from "../api/session.js";
import { nameOfMethod, signedIn } from "../shared/sign-in.js";
import { KaiakView } from "./kaiak-view.js";
import { promptOf } from "./prompt.js";

/** How an agent is served over Kaiak. */
export interface KaiakFrontOptions extends FrontOptions {
  /** Milliseconds that the user has to answer; a permission is denied then. Default 300,000. */
  answerTimeoutMs?: number | undefined;
}

/**
 * Serves an agent over Kaiak: every function of `@editwire/kaiak` that serves takes the result. A run becomes a turn,
 * whose prompt has the incidents and the migration context as text and, under `editwire/kaiak` of its `meta`, as data.
 */
export function toKaiak(agent: Agent, options: KaiakFrontOptions = {}): KaiakServer {
  checkFront("toKaiak", agent, options, { ...frontKinds, answerTimeoutMs: "number" });
  const front = new KaiakFront(agent, reportsOf(agent, "kaiak", kaiakMapping, options), options);
  const { info } = agent.definition;
  return {
    ...(info?.name !== undefined && { info: { name: info.name, version: info.version } }),
    newSession: (session) => front.begin(session),
    prompt: (turn) => front.run(turn),
    deleteSession: (session) => agent.deleteSession(session.id),
  };
}

/** The sessions of one `toKaiak`. They have the same ids as the agent's. */
class KaiakFront {
  readonly #agent: Agent;
  readonly #reports: MappingReports;
  readonly #followed = new FollowedSessions();
  readonly #options: KaiakFrontOptions;
  readonly #served = new WeakSet<AgentSession>();

  constructor(agent: Agent, reports: MappingReports, options: KaiakFrontOptions) {
    this.#agent = agent;
    this.#reports = reports;
    this.#options = options;
  }

  /** Opens the session, unless the user has to sign in first: in a run, the user can be asked. */
  async begin(session: KaiakServerSession): Promise<void> {
    try {
      await this.open(session);
    } catch (error) {
      if (!isAuthRequired(error)) throw error;
    }
  }

  /** The agent's session of this id, made if there is none. */
  async open({ id: sessionId, configuration }: KaiakServerSession): Promise<AgentSession> {
    const { working_dir: cwd } = configuration.workspace;
    const session = this.#agent.session(sessionId) ?? (await openSession(this.#agent, sessionId, { cwd }));
    if (!this.#served.has(session)) this.#begun(session);
    return session;
  }

  /** Reports what clients are not told of a session that is new here, but perhaps not to the agent. */
  #begun(session: AgentSession): void {
    this.#served.add(session);
    if (session.modes !== undefined) this.#reports.report("mode", session);
    if (session.configOptions.length > 0) this.#reports.report("config_options", session);
    if (session.commands.length > 0) this.#reports.report("commands", session);
    if (session.title !== undefined) this.#reports.report("info", session);
    if (session.events.length > 0) this.#reports.report("history", session);
  }

  async run(turn: KaiakServerTurn): Promise<"completed" | "failed" | "cancelled"> {
    const { answerTimeoutMs } = this.#options;
    const signIn: ChooseSignIn = async (methods) => {
      this.#reports.report("sign_in", turn.session);
      const options = methods.map(nameOfMethod);
      const answer = await turn.ask({ prompt: "Sign in to the agent by", options, timeoutMs: answerTimeoutMs });
      const method = methods.find((one) => nameOfMethod(one) === answer);
      return method && { method };
    };
    const session = await signedIn(this.#agent.definition, () => this.open(turn.session), signIn);
    const view = new KaiakView({ turn, session, reports: this.#reports, answerTimeoutMs, signIn });
    const { accepts = [] } = this.#agent.definition;
    const { prompt, meta } = promptOf(turn, accepts.includes("resource"));
    const { signal } = turn;
    try {
      const { stopReason } = await this.#followed.during(session, view, this.#reports, () =>
        session.prompt(prompt, { view, signal, meta, whenBusy: "reject" }),
      );
      if (stopReason === "end_turn") return "completed";
      return stopReason === "cancelled" ? stopReason : "failed";
    } catch (error) {
      if (!isRemoteError(error) || error.code !== ErrorCode.InvalidRequest) throw error;
      this.#reports.report("foreign_turn", session);
      throw kaiakError("SessionInUse", { session_id: session.id });
    }
  }
}
