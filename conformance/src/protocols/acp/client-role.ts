import { isObject } from "@editwire/core";
import type { CaseContext } from "../../core/context.js";
import type { Responder } from "../../core/conversation.js";
import type { Handshake, RoleSuite } from "../../core/protocol.js";
import type { Incoming, Talk } from "../../core/talk.js";

/**
 * What a client can be told to do, through its `Control`:
 * - `new-session {cwd?}` opens a session and gives `{sessionId}`;
 * - `load-session {sessionId, cwd?}` takes one up;
 * - `prompt {sessionId, text}` sends a prompt and gives `{stopReason}` when the turn has ended;
 * - `cancel {sessionId}` ends the turn;
 * - `permission {answer}` answers every permission request from now on by an option's id, with `cancelled`, or holds it (`hold`);
 * - `set-mode {sessionId, modeId}` switches the mode;
 * - `state {sessionId}` gives `{text, toolCalls}`: what the client has understood so far.
 */
export const clientActions = ["new-session", "load-session", "prompt", "cancel", "permission", "set-mode", "state"] as const;
/** A name of `clientActions`. */
export type ClientAction = (typeof clientActions)[number];

/** A prompt that the client sent and that the case has to answer. */
export interface ClientTurn {
  readonly sessionId: string;
  /** The request. */
  readonly ask: Incoming;
  /** Settles when the client has done with the turn: `{stopReason}`. */
  readonly done: Promise<unknown>;
  /** Sends one update of the turn. */
  update(update: Record<string, unknown>): void;
  /** Answers the prompt. */
  end(stopReason?: string): void;
}

/** What cases for clients work with: the suite is the agent. */
export interface ClientContext extends CaseContext {
  /** What the client sent with `initialize`; waits for it first. */
  initialized(): Promise<Record<string, unknown>>;
  /** Has the client open a session and gives its id. */
  session(): Promise<string>;
  /** Has the client send a prompt, and waits for it. */
  prompt(sessionId: string, text: string): Promise<ClientTurn>;
  /** Does one of `clientActions`. */
  act(action: ClientAction, args?: Record<string, unknown>): Promise<unknown>;
}

/** What the suite answers as an agent, in the form that the spec shows. */
export const agentResult = {
  protocolVersion: 1,
  agentInfo: { name: "editwire-conformance", version: "0.1.0" },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { audio: true, image: true, embeddedContext: true },
    mcpCapabilities: { http: false, sse: false },
    sessionCapabilities: {},
  },
  authMethods: [],
};

const modes = {
  currentModeId: "full",
  availableModes: [
    { id: "full", name: "Full Access" },
    { id: "read-only", name: "Read-Only" },
  ],
};

/** How the suite plays the agent: it answers everything but prompts by itself. A case's `t.answer` goes before. */
export const clientRole: RoleSuite = {
  role: "client",
  peer: "agent",
  async handshake(talk: Talk): Promise<ClientHandshake> {
    let sessions = 0;
    const standing: Record<string, Responder> = {
      authenticate: () => ({ result: {} }),
      "session/new": () => ({ result: { sessionId: `suite-session-${++sessions}`, modes } }),
      "session/load": () => ({ result: { modes } }),
      "session/set_mode": () => ({ result: {} }),
    };
    for (const [method, responder] of Object.entries(standing)) talk.conversation.responders.set(method, responder);
    const ask = await talk.expect.request("initialize");
    talk.reply(ask, agentResult);
    const { clientInfo, clientCapabilities } = ask.params;
    return { params: ask.params, capabilities: clientCapabilities, implementation: isObject(clientInfo) ? clientInfo : undefined };
  },
  context: clientContext,
};

interface ClientHandshake extends Handshake {
  readonly params: Record<string, unknown>;
}

function clientContext(base: CaseContext): ClientContext {
  const initialized = async (): Promise<Record<string, unknown>> => ((await base.handshake()) as ClientHandshake).params;
  return {
    ...base,
    initialized,
    async session() {
      await initialized();
      const result = await base.act("new-session");
      const { sessionId } = isObject(result) ? result : {};
      return typeof sessionId === "string" ? sessionId : base.blocked(`new-session gave no sessionId but ${JSON.stringify(result)}`);
    },
    async prompt(sessionId, text) {
      const done = base.act("prompt", { sessionId, text });
      done.catch(() => {});
      const ask = await base.expect.request("session/prompt", { sessionId });
      return {
        sessionId,
        ask,
        done,
        update: (update) => base.send.notify("session/update", { sessionId, update }),
        end: (stopReason = "end_turn") => base.reply(ask, { stopReason }),
      };
    },
  };
}
