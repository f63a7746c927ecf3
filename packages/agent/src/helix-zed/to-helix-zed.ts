import { RemoteError } from "@editwire/acp";
import type { HelixZedAgent, HelixZedAgentTurn, HelixZedNewThread } from "@editwire/helix-zed";
import type { Agent } from "../hub/agent.js";
import {
  checkFront,
  FollowedSessions,
  frontKinds,
  type FrontOptions,
  reportsOf,
  stopReasonOf,
} from "../shared/front.js";
import { helixZedMapping } from "../mapping/helix-zed.js";
import type { MappingReports } from "../mapping/reports.js";
import { shown } from "@editwire/session";
import type { AgentSession } from "../api/session.js";
import { signedIn } from "../shared/sign-in.js";
import { type HelixZedPolicies, HelixZedView } from "./helix-zed-view.js";

/** How an agent is served over Helix-Zed. */
export interface HelixZedFrontOptions extends FrontOptions, HelixZedPolicies {
  /** The folder of all threads, as an absolute path: the protocol does not name one. */
  cwd: string;
}

/** The field of a session's and of a prompt's `meta` that has what the host says besides the message. */
const hostMeta = "editwire/helix-zed";

/**
 * Serves an agent over Helix-Zed: `createHelixZedAgent` and `dialHelixZed` of `@editwire/helix-zed` take the result.
 * Threads are sessions. The protocol cannot ask the user; `permission` and `question` say who answers.
 */
export function toHelixZed(agent: Agent, options: HelixZedFrontOptions): HelixZedAgent {
  if (typeof options?.cwd !== "string")
    throw new TypeError(`toHelixZed: expected { cwd: "/path" }, received ${shown(options)}`);
  const kinds = { ...frontKinds, cwd: "text", permission: "any", question: "function" } as const;
  checkFront("toHelixZed", agent, options, kinds);
  const front = new HelixZedFront(agent, reportsOf(agent, "helix-zed", helixZedMapping, options), options);
  return {
    newThread: (thread) => front.open(thread),
    loadThread: async (threadId) => void (await front.load(threadId)),
    prompt: (turn) => front.prompt(turn),
  };
}

/** The threads of one `toHelixZed`. They have the same ids as the agent's sessions. */
class HelixZedFront {
  readonly #agent: Agent;
  readonly #reports: MappingReports;
  readonly #followed = new FollowedSessions();
  readonly #options: HelixZedFrontOptions;
  readonly #served = new WeakSet<AgentSession>();

  constructor(agent: Agent, reports: MappingReports, options: HelixZedFrontOptions) {
    this.#agent = agent;
    this.#reports = reports;
    this.#options = options;
  }

  async open({ sessionId, agentName }: HelixZedNewThread): Promise<string> {
    const meta = { [hostMeta]: { sessionId, agentName } };
    const open = async (): Promise<string> => (await this.#agent.newSession({ cwd: this.#options.cwd, meta })).id;
    return signedIn(this.#agent.definition, open, async () => {
      this.#reports.report("sign_in", { id: sessionId });
      return undefined;
    });
  }

  async load(threadId: string): Promise<AgentSession> {
    const { cwd } = this.#options;
    const session = this.#agent.session(threadId) ?? (await this.#agent.loadSession(threadId, { cwd }));
    // After this text, hosts begin a new thread with the next message.
    if (session === undefined) throw RemoteError.invalidParams("no such thread", { threadId });
    // Messages of another view; the host has kept those of this one.
    if (session.events.length > 0 && !this.#served.has(session)) this.#reports.report("history", session);
    this.#served.add(session);
    return session;
  }

  async prompt(turn: HelixZedAgentTurn): Promise<void> {
    const session = await this.load(turn.threadId);
    const view = new HelixZedView({ turn, session, reports: this.#reports, policies: this.#options });
    const { sessionId, agentName, interactionId, trackCodeChanges, isContinue, signal } = turn;
    const meta = { [hostMeta]: { sessionId, agentName, interactionId, trackCodeChanges, isContinue } };
    await this.#followed.during(session, view, this.#reports, async () => {
      view.announce();
      stopReasonOf(await session.prompt(turn.promptText, { view, signal, meta, whenBusy: "queue" }));
    });
  }
}
