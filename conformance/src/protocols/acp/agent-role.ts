import { isObject } from "@editwire/core";
import { isAlive } from "../../core/talk/alive.js";
import type { CaseContext } from "../../core/run/context.js";
import type { Handshake, RoleSuite } from "../../core/protocol.js";
import { makeWorkspace, workspace } from "../../core/run/workspace.js";
import { agentDialect, recordedDialect } from "./dialect.js";
import { loginIn, openSession, withoutModel } from "./opening.js";
import { type PermissionAnswer, permissionResult } from "./answers.js";
import type { Call } from "../../core/talk/call.js";
import { casesOf } from "../../core/run/case.js";
import type { Incoming, Talk } from "../../core/talk/talk.js";

/** A session that a case opened. */
export interface TestSession {
  readonly id: string;
  /** The `modes` of the answer, if there were any. */
  readonly modes: Record<string, unknown> | undefined;
}

/** A prompt that a case sent. */
export interface TestTurn extends Call {
  /** Every `session/update` of the session since the prompt that the case has not consumed. */
  updates(): Incoming[];
}

/** The tools of cases for agents. */
export interface AgentContext extends CaseContext {
  /** Returns the result of `initialize`; makes the handshake first. */
  initialized(): Promise<Record<string, unknown>>;
  /** Initializes as a client with these capabilities; only on a connection of the case's own. */
  initialize(clientCapabilities: Record<string, unknown>): Promise<void>;
  /** Opens a session of the case's own; initializes first if nobody did. */
  session(params?: Record<string, unknown>): Promise<TestSession>;
  /** Sends a prompt: a text or content blocks. Does not wait. */
  prompt(session: TestSession, prompt: string | readonly Record<string, unknown>[]): TestTurn;
  /** Answers permission requests from now to the end of the case, with an option of the kind that was offered. */
  permit(answer: PermissionAnswer): void;
  /** Answers one permission request, with an option of the kind that was offered. */
  decide(ask: Incoming, answer: PermissionAnswer): void;
  /** Makes sure that the agent still answers; an expectation like any other. */
  alive(): Promise<void>;
}

const permission = "session/request_permission";

/** The directory that sessions are opened in. */
export const cwd = workspace;

/** Declares cases for agents. */
export const defineCases = casesOf<AgentContext>("acp.agent");

/** How the suite plays the client. */
export const agentRole: RoleSuite = {
  role: "agent",
  peer: "client",
  dialectOf: agentDialect,
  recordedDialect,
  handshake: (talk) => shake(talk, {}),
  context: agentContext,
  excuse: loginIn,
};

interface AcpHandshake extends Handshake {
  readonly result: Record<string, unknown>;
}

async function shake(talk: Talk, clientCapabilities: Record<string, unknown>): Promise<AcpHandshake> {
  makeWorkspace();
  const params = {
    protocolVersion: 1,
    clientInfo: { name: "editwire-conformance", version: "0.1.0" },
    clientCapabilities,
  };
  const result = await talk.send.request("initialize", params).result();
  const { agentInfo, agentCapabilities } = result;
  return { result, capabilities: agentCapabilities, implementation: isObject(agentInfo) ? agentInfo : undefined };
}

function agentContext(base: CaseContext): AgentContext {
  const initialized = async (): Promise<Record<string, unknown>> => ((await base.handshake()) as AcpHandshake).result;
  /** The case has a behavior that asks for permission, and answers it. */
  let asks = false;
  /** Requests are answered because no case has said how. */
  let isDefault = false;
  const permit = (answer: PermissionAnswer): void => {
    isDefault = false;
    base.answer(permission, (params) => ({ result: permissionResult(params, answer) }));
  };
  return {
    ...base,
    initialized,
    async initialize(clientCapabilities) {
      base.conversation.handshake = await shake(base, clientCapabilities);
    },
    async session(params = {}) {
      await initialized();
      // An agent may ask in any turn. A case that is not about that lets it go on.
      if (!asks && !base.conversation.responders.has(permission)) {
        permit(base.plain ? "reject_once" : "allow_once");
        isDefault = true;
      }
      const result = await openSession(base, { cwd, mcpServers: [], ...params });
      return { id: String(result["sessionId"]), modes: isObject(result["modes"]) ? result["modes"] : undefined };
    },
    prompt({ id }, prompt) {
      const blocks = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
      const sent = base.send.request("session/prompt", { sessionId: id, prompt: blocks });
      const call = base.plain ? withoutModel(base, sent) : sent;
      return { ...call, updates: () => base.rest("session/update", { sessionId: id }) };
    },
    say(behavior, args) {
      asks ||= behavior === "ask-permission";
      if (asks && isDefault) base.answer(permission, () => undefined);
      if (asks) isDefault = false;
      return base.say(behavior, args);
    },
    answer(method, responder) {
      if (method === permission) isDefault = false;
      base.answer(method, responder);
    },
    permit,
    decide: (ask, answer) => base.reply(ask, permissionResult(ask.params, answer)),
    alive: () => isAlive(base, () => base.send.request("session/new", { cwd, mcpServers: [] })),
  };
}
