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

/** Asks a session no more once it was allowed something. */
function allowsForAll(): Partial<AgentBehavior> {
  const allowed = new Map<unknown, Json>();
  let asked: unknown;
  return patch({
    outgoing(message) {
      if (message["method"] !== "session/request_permission") return [message];
      asked = (message["params"] as Json)["sessionId"];
      return allowed.has(asked) ? [] : [message];
    },
    patience(answer) {
      const session = asked;
      const known = allowed.get(session);
      if (known !== undefined) return Promise.resolve(known);
      return answer.then((outcome) => {
        if (outcome?.["optionId"] === "allow_once") allowed.set(session, outcome);
        return outcome;
      });
    },
  });
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

/** Tells the one of two sessions of what happens in the other, too. */
function tellsOneOfTwo(): Partial<AgentBehavior> {
  let sessions: readonly AgentSession[] = [];
  return patch({
    busy(session, all) {
      sessions = all;
      return rightAgent.busy(session, all);
    },
    outgoing(message) {
      const [first, second] = sessions.filter(({ turn }) => turn !== undefined);
      if (message["method"] !== "session/update" || first === undefined || second === undefined) return [message];
      return [{ ...message, params: { ...(message["params"] as Json), sessionId: first.id } }];
    },
  });
}

/** Runs the tool of a turn that was canceled while its user was asked. */
function runsWhatWasCancelled(): Partial<AgentBehavior> {
  let asked: Json | undefined;
  return patch({
    outgoing(message) {
      if (message["method"] === "session/request_permission") asked = message["params"] as Json;
      const { stopReason } = isObject(message["result"]) ? message["result"] : {};
      if (asked === undefined || stopReason !== "cancelled") return [message];
      const { sessionId, toolCall } = asked;
      const { toolCallId } = toolCall as Json;
      const update = { sessionUpdate: "tool_call_update", toolCallId, status: "completed" };
      asked = undefined;
      return [{ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }, message];
    },
  });
}

/** The patch for loading sessions. */
const loading = (then: (loaded: Set<string>) => Partial<AgentBehavior>) => (): Partial<AgentBehavior> => {
  const loaded = new Set<string>();
  return {
    ...patch({
      loadSessionResult(session, modes) {
        loaded.add(session.id);
        return rightAgent.loadSessionResult(session, modes);
      },
    }),
    ...then(loaded),
  };
};

const lenient: readonly Mutant[] = broken({
  "tells-one-session-of-two-turns": ["UPDATE-006", tellsOneOfTwo],
  "repeats-tool-ids": ["UPDATE-021", { toolCallId: () => "call-1" }, { cases: ["update.tool-ok"] }],
  "runs-what-was-cancelled-with-its-turn": ["PERM-004", runsWhatWasCancelled, { cases: ["cancel.permission-late"] }],
  "deaf-to-cancel-after-a-load": [
    "CANCEL-001",
    loading((loaded) => ({
      cancel: (session) => (session !== undefined && loaded.has(session.id) ? [] : rightAgent.cancel(session)),
    })),
  ],
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
  "tells-the-newest-session-of-modes": ["MODE-003", modesOf((all) => all.slice(-1))],
  "sets-no-mode-during-a-turn": ["MODE-010", inTurns(() => ({ code: -32600, message: "a turn runs" }))],
  "loads-in-the-first-mode": ["MODE-008", { loadSessionResult: () => ({ modes: rightAgent.modes("full") }) }],
  "busy-after-invalid-prompts": [
    "TURN-008",
    () => {
      const refused = new Set<unknown>();
      return patch({
        promptProblem(params) {
          const problem = rightAgent.promptProblem(params);
          if (problem !== undefined) refused.add(params["sessionId"]);
          return problem;
        },
        busy: (session, all) =>
          refused.has(session.id) ? { code: -32600, message: "busy" } : rightAgent.busy(session, all),
      });
    },
    { cases: ["turn.after-refusal"] },
  ],
  "allows-once-for-all": ["PERM-002", allowsForAll],
  "sets-modes-of-nobody": [
    "MODE-009",
    { unknownSession: (method) => (method === "session/set_mode" ? undefined : rightAgent.unknownSession(method)) },
  ],
  "asks-for-another-call": ["PERM-010", patch(anotherCall), { cases: ["permission.*"] }],
  "allows-by-default": ["PERM-009", { allows: (outcome) => outcome === undefined || rightAgent.allows(outcome) }],
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
      const answered = new Set<unknown>();
      return patch(deadAfter((message) => isAnswer(message) && answered.size === answered.add(message["id"]).size));
    },
  ],
  "dies-of-malformed-cancels": [
    "ROBUST-012",
    () =>
      patch(
        deadAfter(({ method, params }) => method === "session/cancel" && !agentNotifications.isValid(method, params)),
      ),
  ],
});

/** Agents that get wrong what no case once looked at. */
export const overlookedMutants: readonly Mutant[] = [
  ...lenient,
  ...inV1({
    "v1-asks-for-another-call": ["PERM-010", anotherCall, { cases: ["permission.*"] }],
    "v1-overlooks-cancels-with-meta": [
      "META-002",
      {
        reader: readerOf(({ method, params }) =>
          method === "session/cancel" && isObject(params) && params["_meta"] !== undefined ? "overlook" : "take",
        ),
      },
    ],
    "v1-replays-backwards": ["LOAD-001", { replay: (history) => [...history].reverse() }],
  }),
];
