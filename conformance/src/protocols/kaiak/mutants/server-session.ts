import { without } from "../../../packs/rewrites.js";
import { isObject } from "@editwire/core";
import { type Json, rightServer } from "../reference/server-behavior.js";
import { answered, broken, each, recoded, refusal, refused } from "./server-patch.js";

const remove = "kaiak/delete_session";

/** Requirements that cannot be judged because of an endless run. */
const locks = ["SESSION-003", "FIX-002", "DELETE-001", "DELETE-002", "DELETE-006"];

/** Faults of servers with sessions, their deletion, and questions. */
export const sessionMutants = broken({
  "knows-its-own-client-only": ["SESSION-002", knowsOwnRuns],
  "session-in-use-as-tool-timeout": ["SESSION-001", recoded(-32016, -32013)],
  ...each(["session_id", "in_use_since"], (field) => ({
    [`in-use-without-${field.replaceAll("_", "-")}`]: [
      ["SESSION-001", "SESSION-002"],
      refused(-32016, (error) => ({ ...error, data: without(error["data"] as Json, field) })),
    ],
  })),
  ...each(["completed", "failed"] as const, (end) => ({
    [`keeps-the-lock-when-${end}`]: [
      "SESSION-003",
      { releases: (how) => how !== end },
      { collateral: locks, cases: ["fix.ends-*", "fix.again"] },
    ],
  })),
  "keeps-the-lock-after-a-refusal": [
    "SESSION-003",
    () => {
      let refused = false;
      return {
        inUse(session) {
          refused = true;
          return rightServer.inUse(session);
        },
        releases: () => !refused,
      };
    },
    { collateral: locks, cases: ["session.free-after-refusal"] },
  ],
  "keeps-the-lock-of-invalid-runs": ["SESSION-003", locksInvalidRuns, { cases: ["session.free-after-invalid"] }],
  "keeps-the-lock-when-late": ["SESSION-004", { releases: (how) => how !== "late" }],
  "has-all-the-time": ["SESSION-004", { limit: () => 300_000 }],
  "late-is-completed": ["SESSION-008", { status: (how) => (how === "late" ? "completed" : how) }],
  "keeps-the-lock-of-the-lost": ["SESSION-005", { releases: (how) => how !== "lost" }],
  ...each([0, -1], (index) => ({
    [`cancels-the-${index === 0 ? "first" : "last"}-run`]: [
      "SESSION-006",
      { cancels: (_id, runs) => runs.slice(index).slice(0, 1) },
      { cases: ["two.cancel-one"] },
    ],
  })),
  "cancels-one-run": ["SESSION-007", cancelsOnce],
  "deletes-without-a-summary": [
    "DELETE-001",
    answered(remove, (result) => ({
      ...result,
      cleanup_summary: { ...(result["cleanup_summary"] as Json), session_removed: false },
    })),
  ],
  "deletes-another": ["DELETE-001", answered(remove, (result) => ({ ...result, session_id: "another" }))],
  "deletes-the-unknown": [
    "DELETE-002",
    { deleteProblem: (id, session, force) => session && rightServer.deleteProblem(id, session, force) },
  ],
  "names-no-unknown-session": ["DELETE-002", refused(-32003, (error) => without(error, "data"))],
  "always-forces": [
    "DELETE-003",
    { deleteProblem: (id, session) => rightServer.deleteProblem(id, session, true) },
    { collateral: ["DELETE-004"] },
  ],
  "own-code-for-deletions-in-use": ["DELETE-003", recoded(-32016)],
  "never-forces": ["DELETE-004", { deleteProblem: (id, session) => rightServer.deleteProblem(id, session, false) }],
  "demands-force": [
    "DELETE-005",
    {
      paramsProblem: (method, params) =>
        method === remove && isObject(params) && params["force"] === undefined
          ? refusal(-32602)
          : rightServer.paramsProblem(method, params),
    },
  ],
  "refuses-deleted-ids": ["DELETE-006", remembersDeleted],
  "answers-are-lost": [["ASK-001", "ASK-002", "ASK-005"], { answered: () => "deny" }, { collateral: ["ASK-004"] }],
  "answers-the-oldest-question": ["ASK-001", answersTheOldest, { cases: ["ask.three"] }],
  "knows-no-user-message": ["ASK-002", { userMessage: () => undefined }],
  "unknown-questions-are-fine": [
    "ASK-003",
    { answerProblem: (id, one, answer) => one && rightServer.answerProblem(id, one, answer) },
  ],
  "answers-twice-are-unknown": ["ASK-004", recoded(-32010, -32009)],
  "any-answer": [
    "ASK-005",
    {
      answerProblem: (id, one, answer) =>
        rightServer.answerProblem(id, one, one?.over === false ? one.options[0] : answer),
    },
  ],
  "waits-for-ever": ["ASK-006", { unanswered: () => undefined }, { collateral: ["ASK-004"] }],
  "waits-for-nobody": ["ASK-007", { waits: false }],
  "waits-too-short": ["ASK-007", { patience: () => 1 }],
});

/** Keeps clients from sessions that are in use on their own connection. */
function knowsOwnRuns(): Partial<typeof rightServer> {
  const own = new Set<unknown>();
  return {
    inUse: (session) => (own.has(session.id) ? rightServer.inUse(session) : undefined),
    outgoing(message) {
      if (isObject(message["params"])) own.add(message["params"]["session_id"]);
      return [message];
    },
  };
}

/** Ends the first run that is cancelled, and no other. */
function cancelsOnce(): Partial<typeof rightServer> {
  let isDone = false;
  return {
    cancels(id, runs) {
      if (isDone) return [];
      isDone = true;
      return rightServer.cancels(id, runs);
    },
  };
}

/** Refuses every session that was deleted. */
function remembersDeleted(): Partial<typeof rightServer> {
  const deleted = new Set<string>();
  return {
    deleteProblem(id, session, force) {
      const problem = rightServer.deleteProblem(id, session, force);
      if (problem === undefined) deleted.add(id);
      return problem;
    },
    unknownSession: (id) => (deleted.has(id) ? refusal(-32603) : undefined),
  };
}

/** Keeps the sessions of runs that it has refused for their params. */
function locksInvalidRuns(): Partial<typeof rightServer> {
  const locked = new Set<unknown>();
  return {
    paramsProblem(method, params) {
      const problem = rightServer.paramsProblem(method, params);
      if (problem !== undefined && isObject(params)) locked.add(params["session_id"]);
      return problem;
    },
    unknownSession: (id) => (locked.has(id) ? refusal(-32016) : undefined),
  };
}

/** Takes every answer for one to the question that has been open longest. */
function answersTheOldest(): Partial<typeof rightServer> {
  const open: unknown[] = [];
  return {
    outgoing(message) {
      const { content } = isObject(message["params"]) ? message["params"] : {};
      if (isObject(content) && "interaction_id" in content) open.push(content["interaction_id"]);
      return [message];
    },
    read: (params) =>
      rightServer.read("interaction_id" in params ? { ...params, interaction_id: open.shift() } : params),
  };
}
