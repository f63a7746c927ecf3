import { isObject } from "@editwire/core";
import { mutant } from "../../../core/mutant.js";
import { type Json, rightServer } from "../reference/server-behavior.js";
import { answered, patch, recoded, refusal, refused, without } from "./server-patch.js";

const remove = "kaiak/delete_session";
const inUse = ["kaiak.server.session.in-use"];
/** What an endless run keeps other cases from. */
const locks = ["KAIAK-SESSION-003", "KAIAK-FIX-002", "KAIAK-DELETE-001", "KAIAK-DELETE-002", "KAIAK-DELETE-006"];

/** What servers get wrong with sessions, their deletion, and questions. */
export const sessionMutants = [
  mutant("kaiak.server/two-runs-in-one-session", {
    violates: ["KAIAK-SESSION-001", "KAIAK-SESSION-002"],
    collateral: ["KAIAK-FIX-005"],
    patch: patch({ inUse: () => undefined }),
  }),
  mutant("kaiak.server/knows-its-own-client-only", {
    violates: ["KAIAK-SESSION-002"],
    cases: ["kaiak.server.session.in-use-elsewhere"],
    patch: () => knowsOwnRuns(),
  }),
  mutant("kaiak.server/session-in-use-as-tool-timeout", {
    violates: ["KAIAK-SESSION-001"],
    cases: inUse,
    patch: recoded(-32016, -32013),
  }),
  ...["session_id", "in_use_since"].map((field) =>
    mutant(`kaiak.server/in-use-without-${field.replaceAll("_", "-")}`, {
      violates: ["KAIAK-SESSION-001", "KAIAK-SESSION-002"],
      patch: refused(-32016, (error) => ({ ...error, data: without(error["data"] as Json, field) })),
    }),
  ),
  mutant("kaiak.server/second-run-ends-the-first", {
    violates: ["KAIAK-SESSION-001"],
    cases: inUse,
    patch: patch({
      inUse(session) {
        session.run?.abort.abort("cancelled");
        return rightServer.inUse(session);
      },
    }),
  }),
  ...(["completed", "failed"] as const).map((end) =>
    mutant(`kaiak.server/keeps-the-lock-when-${end}`, {
      violates: ["KAIAK-SESSION-003"],
      collateral: locks,
      cases: ["kaiak.server.fix.ends-*", "kaiak.server.fix.again"],
      patch: patch({ releases: (how) => how !== end }),
    }),
  ),
  mutant("kaiak.server/keeps-the-lock-when-late", {
    violates: ["KAIAK-SESSION-004"],
    patch: patch({ releases: (how) => how !== "late" }),
  }),
  mutant("kaiak.server/has-all-the-time", { violates: ["KAIAK-SESSION-004"], patch: patch({ limit: () => 300_000 }) }),
  mutant("kaiak.server/late-is-completed", {
    violates: ["KAIAK-SESSION-008"],
    patch: patch({ status: (how) => (how === "late" ? "completed" : how) }),
  }),
  mutant("kaiak.server/keeps-the-lock-of-the-lost", {
    violates: ["KAIAK-SESSION-005"],
    patch: patch({ releases: (how) => how !== "lost" }),
  }),
  mutant("kaiak.server/dies-with-its-client", {
    violates: ["KAIAK-SESSION-005"],
    cases: ["kaiak.server.session.client-gone"],
    // Every other client has lost its server, too.
    collateral: [...locks, "KAIAK-FIX-001", "KAIAK-FIX-003", "KAIAK-FIX-018", "KAIAK-CONFIG-005"],
    patch: patch({ survivesLoss: false }),
  }),
  mutant("kaiak.server/cancels-nothing", {
    violates: ["KAIAK-SESSION-006", "KAIAK-SESSION-007"],
    cases: ["kaiak.server.two.*"],
    patch: patch({ cancels: () => [] }),
  }),
  mutant("kaiak.server/cancels-everything", {
    violates: ["KAIAK-SESSION-006"],
    cases: ["kaiak.server.two.cancel-one"],
    patch: patch({ cancels: (_id, runs) => runs }),
  }),
  mutant("kaiak.server/cancelled-is-failed", {
    violates: ["KAIAK-SESSION-006", "KAIAK-SESSION-007"],
    collateral: ["KAIAK-DELETE-004"],
    cases: ["kaiak.server.two.*"],
    patch: patch({ status: (how) => (how === "cancelled" ? "failed" : rightServer.status(how)) }),
  }),
  mutant("kaiak.server/cancels-one-run", { violates: ["KAIAK-SESSION-007"], patch: () => cancelsOnce() }),
  mutant("kaiak.server/keeps-the-lock-when-cancelled", {
    violates: ["KAIAK-SESSION-007"],
    cases: ["kaiak.server.two.cancel-again"],
    patch: patch({ releases: (how) => how !== "cancelled" }),
  }),

  mutant("kaiak.server/deletes-without-a-summary", {
    violates: ["KAIAK-DELETE-001"],
    patch: answered(remove, (result) => ({
      ...result,
      cleanup_summary: { ...(result["cleanup_summary"] as Json), session_removed: false },
    })),
  }),
  mutant("kaiak.server/deletes-another", {
    violates: ["KAIAK-DELETE-001"],
    patch: answered(remove, (result) => ({ ...result, session_id: "another" })),
  }),
  mutant("kaiak.server/deletes-nothing", { violates: ["KAIAK-DELETE-002"], patch: patch({ forgets: false }) }),
  mutant("kaiak.server/deletes-the-unknown", {
    violates: ["KAIAK-DELETE-002"],
    patch: patch({
      deleteProblem: (id, session, force) => session && rightServer.deleteProblem(id, session, force),
    }),
  }),
  mutant("kaiak.server/deletes-the-unknown-by-force", {
    violates: ["KAIAK-DELETE-002"],
    patch: patch({
      deleteProblem: (id, session, force) => (force ? undefined : rightServer.deleteProblem(id, session, force)),
    }),
  }),
  mutant("kaiak.server/names-no-unknown-session", {
    violates: ["KAIAK-DELETE-002"],
    patch: refused(-32003, (error) => without(error, "data")),
  }),
  mutant("kaiak.server/always-forces", {
    violates: ["KAIAK-DELETE-003"],
    collateral: ["KAIAK-DELETE-004"],
    patch: patch({ deleteProblem: (id, session) => rightServer.deleteProblem(id, session, true) }),
  }),
  mutant("kaiak.server/own-code-for-deletions-in-use", {
    violates: ["KAIAK-DELETE-003"],
    cases: ["kaiak.server.delete.in-use"],
    patch: recoded(-32016),
  }),
  mutant("kaiak.server/never-forces", {
    violates: ["KAIAK-DELETE-004"],
    cases: ["kaiak.server.delete.in-use"],
    patch: patch({ deleteProblem: (id, session) => rightServer.deleteProblem(id, session, false) }),
  }),
  mutant("kaiak.server/deletes-below-a-run", {
    violates: ["KAIAK-DELETE-004"],
    patch: patch({ cancelsAtDelete: false }),
  }),
  mutant("kaiak.server/failed-by-force", {
    violates: ["KAIAK-DELETE-004"],
    patch: patch({ status: (how) => (how === "cancelled" ? "failed" : rightServer.status(how)) }),
  }),
  mutant("kaiak.server/demands-force", {
    violates: ["KAIAK-DELETE-005"],
    cases: ["kaiak.server.delete.short"],
    patch: patch({
      paramsProblem: (method, params) =>
        method === remove && isObject(params) && params["force"] === undefined
          ? refusal(-32602)
          : rightServer.paramsProblem(method, params),
    }),
  }),
  mutant("kaiak.server/refuses-deleted-ids", { violates: ["KAIAK-DELETE-006"], patch: () => remembersDeleted() }),

  mutant("kaiak.server/answers-are-lost", {
    violates: ["KAIAK-ASK-001", "KAIAK-ASK-002", "KAIAK-ASK-005"],
    cases: ["kaiak.server.ask.*"],
    collateral: ["KAIAK-ASK-004"],
    patch: patch({ answered: () => "deny" }),
  }),
  mutant("kaiak.server/knows-no-respond", {
    violates: ["KAIAK-ASK-001"],
    cases: ["kaiak.server.ask.respond"],
    patch: patch({
      paramsProblem: (method, params) =>
        method === "kaiak/interaction/respond" ? refusal(-32601) : rightServer.paramsProblem(method, params),
    }),
  }),
  mutant("kaiak.server/knows-no-user-message", {
    violates: ["KAIAK-ASK-002"],
    patch: patch({ userMessage: () => undefined }),
  }),
  mutant("kaiak.server/unknown-questions-are-fine", {
    violates: ["KAIAK-ASK-003"],
    patch: patch({ answerProblem: (id, one, answer) => one && rightServer.answerProblem(id, one, answer) }),
  }),
  mutant("kaiak.server/answers-twice-are-unknown", { violates: ["KAIAK-ASK-004"], patch: recoded(-32010, -32009) }),
  mutant("kaiak.server/any-answer", {
    violates: ["KAIAK-ASK-005"],
    patch: patch({
      answerProblem: (id, one, answer) =>
        rightServer.answerProblem(id, one, one?.over === false ? one.options[0] : answer),
    }),
  }),
  mutant("kaiak.server/wrong-answers-close", {
    violates: ["KAIAK-ASK-005"],
    patch: patch({
      answerProblem(id, one, answer) {
        const problem = rightServer.answerProblem(id, one, answer);
        if (problem?.code === -32011) one?.settle("deny");
        return problem;
      },
      notes: (kind, content) => [[kind, content]],
    }),
  }),
  mutant("kaiak.server/waits-for-ever", {
    violates: ["KAIAK-ASK-006"],
    collateral: ["KAIAK-ASK-004"],
    patch: patch({ unanswered: () => undefined }),
  }),
  mutant("kaiak.server/takes-the-first-option", {
    violates: ["KAIAK-ASK-006"],
    patch: patch({ unanswered: () => "approve" }),
  }),
  mutant("kaiak.server/waits-for-nobody", {
    violates: ["KAIAK-ASK-007"],
    cases: ["kaiak.server.ask.waits"],
    patch: patch({ waits: false }),
  }),
  mutant("kaiak.server/waits-too-short", {
    violates: ["KAIAK-ASK-007"],
    cases: ["kaiak.server.ask.waits"],
    patch: patch({ patience: () => 1 }),
  }),
];

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
