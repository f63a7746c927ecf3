import { isAnswer } from "../../../../packs/rewrites.js";
import { isObject } from "@editwire/core";
import type { Mutant } from "../../../../core/mutant.js";
import { readerOf } from "../../../../packs/taking.js";
import { agentNotifications } from "../../agent-facts.js";
import {
  type AgentBehavior,
  type AgentSession,
  type Json,
  type Refusal,
  rightAgent,
} from "../../reference/agent-behavior.js";
import { broken, inV1, patch } from "./patch.js";

const anotherCall: Partial<AgentBehavior> = {
  permissionToolCall: (toolCall) => ({ ...toolCall, toolCallId: "call-77" }),
};

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

/** Tells other sessions of a mode, of all sessions so far. */
const modesOf = (told: (sessions: readonly string[]) => readonly string[]) => (): Partial<AgentBehavior> => {
  const sessions: string[] = [];
  return patch({
    newSessionResult(session, modes) {
      sessions.push(session.id);
      return rightAgent.newSessionResult(session, modes);
    },
    outgoing(message) {
      const params = isObject(message["params"]) ? message["params"] : {};
      const isMode = isObject(params["update"]) && params["update"]["sessionUpdate"] === "current_mode_update";
      return isMode ? told(sessions).map((sessionId) => ({ ...message, params: { ...params, sessionId } })) : [message];
    },
  });
};

/** Does something about modes that are set during a turn. */
const inTurns = (then: (session: AgentSession) => Refusal | undefined) => (): Partial<AgentBehavior> => {
  const running = new Map<unknown, AgentSession>();
  return patch({
    busy(session, all) {
      running.set(session.id, session);
      return rightAgent.busy(session, all);
    },
    endTurn(session) {
      running.delete(session.id);
      rightAgent.endTurn(session);
    },
    setModeProblem(params) {
      const session = running.get(params["sessionId"]);
      return (session && then(session)) ?? rightAgent.setModeProblem(params);
    },
  });
};

const lenient: readonly Mutant[] = broken({
  "cancels-all-for-an-unknown-session": [
    "CANCEL-003",
    {
      cancel(session, all = []) {
        for (const { turn } of session === undefined ? all : [session]) turn?.abort();
        return [];
      },
    },
  ],
  "refuses-folders-with-blanks": [
    "SESSION-001",
    {
      cwdProblem: (cwd, method) =>
        String(cwd).includes(" ") ? { code: -32602, message: "no blanks" } : rightAgent.cwdProblem(cwd, method),
    },
  ],
  "says-all-twice-after-a-load": [
    "SESSION-005",
    () => {
      let isLoaded = false;
      return {
        loadSessionResult(session, modes) {
          isLoaded = true;
          return rightAgent.loadSessionResult(session, modes);
        },
        updates: (update) => (isLoaded ? [update, update] : [update]),
      };
    },
    { cases: ["session.load"] },
  ],
  "one-mode-for-all-sessions": ["MODE-003", modesOf((all) => all)],
  "tells-the-newest-session-of-modes": ["MODE-003", modesOf((all) => all.slice(-1))],
  "sets-no-mode-during-a-turn": ["MODE-010", inTurns(() => ({ code: -32600, message: "a turn runs" }))],
  "a-mode-ends-the-turn": [
    "MODE-010",
    inTurns((session) => {
      session.turn?.abort();
      return undefined;
    }),
  ],
  "loads-in-the-first-mode": ["MODE-008", { loadSessionResult: () => ({ modes: rightAgent.modes("full") }) }],
  "sets-modes-of-nobody": [
    "MODE-009",
    { unknownSession: (method) => (method === "session/set_mode" ? undefined : rightAgent.unknownSession(method)) },
  ],
  "asks-for-another-call": ["PERM-010", patch(anotherCall), { cases: ["permission.*"] }],
  "allows-by-default": [
    "PERM-009",
    { allows: (outcome) => outcome === undefined || rightAgent.allows(outcome) },
    { cases: ["answered.*"] },
  ],
  "waits-behind-wrong-answers": [
    "ROBUST-010",
    {
      reader: readerOf((message) => {
        const { outcome } = isObject(message["result"]) ? message["result"] : {};
        return isAnswer(message) && !isObject(outcome) ? "overlook" : "take";
      }),
    },
    { collateral: ["PERM-009"], cases: ["answered.malformed.*"] },
  ],
  "dies-of-second-answers": [
    "ROBUST-011",
    () => {
      let answers = 0;
      return patch(deadAfter((message) => isAnswer(message) && ++answers > 1));
    },
    { cases: ["answered.twice.*"] },
  ],
  "dies-of-malformed-cancels": [
    "ROBUST-012",
    () =>
      patch(
        deadAfter(({ method, params }) => method === "session/cancel" && !agentNotifications.isValid(method, params)),
      ),
    { cases: ["malformed-notification.*"] },
  ],
});

/** Agents that get wrong what no case once looked at. */
export const overlookedMutants: readonly Mutant[] = [
  ...lenient,
  ...inV1({
    "v1-asks-for-another-call": ["PERM-010", anotherCall, { cases: ["permission.*"] }],
    "v1-refuses-meta": [
      "META-002",
      {
        promptProblem: (params) =>
          params["_meta"] === undefined
            ? rightAgent.promptProblem(params)
            : { code: -32602, message: "unknown field _meta" },
      },
    ],
    "v1-replays-backwards": ["LOAD-001", { replay: (history) => [...history].reverse() }],
    "v1-replays-without-tools": [
      "LOAD-001",
      { replay: (history) => history.filter(({ sessionUpdate }) => !String(sessionUpdate).startsWith("tool_call")) },
    ],
  }),
];
