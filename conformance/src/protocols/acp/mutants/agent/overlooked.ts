import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../../core/mutant.js";
import { readerOf } from "../../../../packs/taking.js";
import { agentNotifications } from "../../agent-facts.js";
import { type AgentBehavior, type Json, rightAgent } from "../../reference/agent-behavior.js";
import { v1Agent } from "../../reference/v1.js";
import { patch } from "./patch.js";

const inV1 = (id: string, violates: readonly string[], switches: Partial<AgentBehavior>, more: Partial<Mutant> = {}) =>
  mutant(`acp.agent/${id}`, { violates, ...more, profile: "v1", patch: { ...v1Agent, ...switches } });
const anotherCall: Partial<AgentBehavior> = {
  permissionToolCall: (toolCall) => ({ ...toolCall, toolCallId: "call-77" }),
};
const isAnswer = (message: Json): boolean => !("method" in message);

/** Reads nothing more once a message came. */
function deadAfter(isDeadly: (message: Json) => boolean): Partial<AgentBehavior> {
  let isDead = false;
  return {
    reader: readerOf((message) => {
      isDead ||= isDeadly(message);
      return isDead ? "overlook" : "take";
    }),
  };
}

/** Tells every session of a mode. */
function sharedModes(): Partial<AgentBehavior> {
  const sessions: string[] = [];
  return patch({
    newSessionResult(session, modes) {
      sessions.push(session.id);
      return rightAgent.newSessionResult(session, modes);
    },
    outgoing(message) {
      const params = isObject(message["params"]) ? message["params"] : {};
      const isMode = isObject(params["update"]) && params["update"]["sessionUpdate"] === "current_mode_update";
      return isMode ? sessions.map((sessionId) => ({ ...message, params: { ...params, sessionId } })) : [message];
    },
  });
}

const lenient: readonly Mutant[] = [
  mutant("acp.agent/cancels-all-for-an-unknown-session", {
    violates: ["ACP-CANCEL-003"],
    patch: patch({
      cancel(session, all = []) {
        for (const { turn } of session === undefined ? all : [session]) turn?.abort();
        return [];
      },
    }),
  }),
  mutant("acp.agent/one-mode-for-all-sessions", { violates: ["ACP-MODE-003"], patch: sharedModes }),
  mutant("acp.agent/loads-in-the-first-mode", {
    violates: ["ACP-MODE-008"],
    patch: patch({ loadSessionResult: () => ({ modes: rightAgent.modes("full") }) }),
  }),
  mutant("acp.agent/sets-modes-of-nobody", {
    violates: ["ACP-MODE-009"],
    patch: patch({
      unknownSession: (method) => (method === "session/set_mode" ? undefined : rightAgent.unknownSession(method)),
    }),
  }),
  mutant("acp.agent/asks-for-another-call", {
    violates: ["ACP-PERM-010"],
    patch: patch(anotherCall),
    cases: ["acp.agent.permission.*"],
  }),
  mutant("acp.agent/allows-by-default", {
    violates: ["ACP-PERM-009"],
    patch: patch({ allows: (outcome) => outcome === undefined || rightAgent.allows(outcome) }),
    cases: ["acp.agent.answered.*"],
  }),
  mutant("acp.agent/waits-behind-wrong-answers", {
    violates: ["ACP-ROBUST-010"],
    collateral: ["ACP-PERM-009"],
    patch: patch({
      reader: readerOf((message) => {
        const { outcome } = isObject(message["result"]) ? message["result"] : {};
        return isAnswer(message) && !isObject(outcome) ? "overlook" : "take";
      }),
    }),
    cases: ["acp.agent.answered.malformed.*"],
  }),
  mutant("acp.agent/dies-of-second-answers", {
    violates: ["ACP-ROBUST-011"],
    patch: () => {
      let answers = 0;
      return patch(deadAfter((message) => isAnswer(message) && ++answers > 1));
    },
    cases: ["acp.agent.answered.twice.*"],
  }),
  mutant("acp.agent/dies-of-malformed-cancels", {
    violates: ["ACP-ROBUST-012"],
    patch: () =>
      patch(
        deadAfter(({ method, params }) => method === "session/cancel" && !agentNotifications.isValid(method, params)),
      ),
    cases: ["acp.agent.malformed-notification.*"],
  }),
];

/** Agents that get wrong what no case once looked at. */
export const overlookedMutants: readonly Mutant[] = [
  ...lenient,
  inV1("v1-asks-for-another-call", ["ACP-PERM-010"], anotherCall, { cases: ["acp.agent.permission.*"] }),
  inV1("v1-refuses-meta", ["ACP-META-002"], {
    promptProblem: (params) =>
      params["_meta"] === undefined
        ? rightAgent.promptProblem(params)
        : { code: -32602, message: "unknown field _meta" },
  }),
  inV1("v1-replays-backwards", ["ACP-LOAD-001"], { replay: (history) => [...history].reverse() }),
  inV1("v1-replays-without-tools", ["ACP-LOAD-001"], {
    replay: (history) => history.filter(({ sessionUpdate }) => !String(sessionUpdate).startsWith("tool_call")),
  }),
];
