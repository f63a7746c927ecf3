import { isObject } from "@editwire/core";
import { mutant } from "../../../core/mutant.js";
import { type Json, rightServer, type ServerBehavior } from "../reference/server-behavior.js";
import { answered, content, misnamed, patch, refused, refusal, sent, without } from "./server-patch.js";

const fix = "kaiak/generate_fix";
const text = ["kaiak.server.fix.new-session"];

/** The requirement that has each notification under its name, and the case that waits for it. */
const names: Readonly<Record<string, readonly [req: string, case_: string]>> = {
  progress: ["KAIAK-FIX-003", "kaiak.server.fix.new-session"],
  ai_response: ["KAIAK-FIX-003", "kaiak.server.fix.new-session"],
  tool_call: ["KAIAK-FIX-018", "kaiak.server.fix.tool"],
  user_interaction: ["KAIAK-FIX-009", "kaiak.server.fix.modification"],
  file_modification: ["KAIAK-FIX-009", "kaiak.server.fix.modification"],
  error: ["KAIAK-FIX-017", "kaiak.server.fix.ends-error"],
};

/** Sends what a run sends behind a change that counts, of one server. */
function counting(kind: string, change: (count: number, params: Json) => Json): () => Partial<ServerBehavior> {
  return () => {
    let count = 0;
    return sent(kind, (params) => change(++count, params));
  };
}

const past = "2020-02-29T12:00:00Z";

/** Servers whose clock stands still, in one kind of message each. */
const late = [
  mutant("kaiak.server/configured-long-ago", {
    violates: ["KAIAK-TIME-001"],
    cases: ["kaiak.server.configure.whole"],
    patch: answered("kaiak/configure", (result) => ({ ...result, timestamp: past })),
  }),
  mutant("kaiak.server/completed-long-ago", {
    violates: ["KAIAK-TIME-001"],
    cases: text,
    patch: answered(fix, (result) => ({ ...result, completed_at: past })),
  }),
  mutant("kaiak.server/deleted-long-ago", {
    violates: ["KAIAK-TIME-001"],
    cases: ["kaiak.server.delete.short"],
    patch: answered("kaiak/delete_session", (result) => ({ ...result, deleted_at: past })),
  }),
  mutant("kaiak.server/in-use-long-since", {
    violates: ["KAIAK-TIME-001"],
    cases: ["kaiak.server.session.in-use"],
    patch: patch({ inUse: (session) => rightServer.inUse({ ...session, since: past }) }),
  }),
  mutant("kaiak.server/progressed-long-ago", {
    violates: ["KAIAK-TIME-001"],
    cases: text,
    patch: sent("progress", (params) => ({ ...params, timestamp: past })),
  }),
];

/** What servers get wrong with their configuration and with runs. */
export const runMutants = [
  ...late,
  mutant("kaiak.server/applies-its-own-model", {
    violates: ["KAIAK-CONFIG-001"],
    patch: patch({ applied: (configuration) => rightServer.applied(without(configuration, "model")) }),
  }),
  mutant("kaiak.server/forgets-permissions", {
    violates: ["KAIAK-CONFIG-001"],
    patch: patch({ applied: (configuration) => rightServer.applied(without(configuration, "permissions")) }),
  }),
  mutant("kaiak.server/does-not-say-which-tools", {
    violates: ["KAIAK-CONFIG-001"],
    collateral: ["KAIAK-CONFIG-005"],
    cases: ["kaiak.server.configure.whole"],
    patch: patch({ applied: (configuration) => without(rightServer.applied(configuration), "tools") }),
  }),
  mutant("kaiak.server/default-that-is-no-option", {
    violates: ["KAIAK-ASK-008"],
    cases: ["kaiak.server.ask.waits"],
    patch: content("user_interaction", (one) => ({ ...one, default_response: "another" })),
  }),
  mutant("kaiak.server/modifies-unapproved", {
    violates: ["KAIAK-FIX-009"],
    patch: content("file_modification", (one) => ({ ...one, requires_approval: false })),
  }),
  mutant("kaiak.server/any-directory", {
    violates: ["KAIAK-CONFIG-002"],
    patch: patch({ directoryProblem: () => undefined }),
  }),
  mutant("kaiak.server/names-another-field", {
    violates: ["KAIAK-CONFIG-002"],
    patch: refused(-32014, (error) => ({ ...error, data: { field: "working_dir", details: "no" } })),
  }),
  mutant("kaiak.server/directory-without-details", {
    violates: ["KAIAK-CONFIG-002"],
    patch: refused(-32014, (error) => ({ ...error, data: { field: "workspace.working_dir" } })),
  }),
  mutant("kaiak.server/directories-are-params", {
    violates: ["KAIAK-CONFIG-002"],
    patch: refused(-32014, (error) => ({ ...error, code: -32602 })),
  }),
  mutant("kaiak.server/any-permission", {
    violates: ["KAIAK-CONFIG-003"],
    patch: patch({
      paramsProblem(method, params) {
        const { configuration } = isObject(params) ? params : {};
        if (!isObject(params) || !isObject(configuration)) return rightServer.paramsProblem(method, params);
        return rightServer.paramsProblem(method, { ...params, configuration: without(configuration, "permissions") });
      },
      applied: (configuration) => rightServer.applied(without(configuration, "permissions")),
    }),
  }),
  mutant("kaiak.server/configured-once", {
    violates: ["KAIAK-CONFIG-004"],
    collateral: ["KAIAK-CONFIG-005"],
    patch() {
      let count = 0;
      return patch({ againProblem: () => (count++ > 0 ? refusal(-32603) : undefined) });
    },
  }),
  mutant("kaiak.server/resets-nothing", {
    violates: ["KAIAK-CONFIG-004"],
    patch: patch({ againProblem: (resets) => (resets ? refusal(-32603) : undefined) }),
  }),
  mutant("kaiak.server/merges-configurations", {
    violates: ["KAIAK-CONFIG-006"],
    cases: ["kaiak.server.configure.reset"],
    patch() {
      let before: Json = {};
      return patch({ applied: (configuration) => rightServer.applied((before = { ...before, ...configuration })) });
    },
  }),
  mutant("kaiak.server/applies-what-is-given", {
    violates: ["KAIAK-CONFIG-005"],
    patch: patch({ applied: (configuration) => configuration }),
  }),

  mutant("kaiak.server/sessions-come-first", {
    violates: ["KAIAK-FIX-001"],
    collateral: ["KAIAK-DELETE-001", "KAIAK-FIX-003"],
    cases: text,
    patch: patch({ unknownSession: () => refusal(-32003) }),
  }),
  mutant("kaiak.server/processes-nothing", {
    violates: ["KAIAK-FIX-001"],
    cases: text,
    patch: patch({ status: () => "failed" }),
  }),
  mutant("kaiak.server/session-of-its-own", {
    violates: ["KAIAK-FIX-001"],
    collateral: ["KAIAK-FIX-002"],
    patch: answered(fix, (result) => ({ ...result, session_id: `${String(result["session_id"])}-x` })),
  }),
  mutant("kaiak.server/answers-in-upper-case", {
    violates: ["KAIAK-FIX-001"],
    collateral: ["KAIAK-FIX-002"],
    patch: answered(fix, (result) => ({ ...result, session_id: String(result["session_id"]).toUpperCase() })),
  }),
  mutant("kaiak.server/counts-one-more", {
    violates: ["KAIAK-FIX-001", "KAIAK-FIX-016"],
    patch: answered(fix, (result) => ({ ...result, incident_count: Number(result["incident_count"]) + 1 })),
  }),
  mutant("kaiak.server/counts-one", {
    violates: ["KAIAK-FIX-016"],
    patch: answered(fix, (result) => ({ ...result, incident_count: 1 })),
  }),
  mutant("kaiak.server/fails-the-second-run", { violates: ["KAIAK-FIX-002"], patch: () => failsAgain() }),
  mutant("kaiak.server/no-progress", {
    violates: ["KAIAK-FIX-003"],
    cases: text,
    patch: content("progress", () => undefined),
  }),
  mutant("kaiak.server/says-nothing", {
    violates: ["KAIAK-FIX-003"],
    cases: text,
    patch: content("ai_response", () => undefined),
  }),
  mutant("kaiak.server/tells-at-the-end", {
    violates: ["KAIAK-FIX-003"],
    cases: ["kaiak.server.fix.beside"],
    patch: () => tellingLate(),
  }),
  ...Object.entries(names).map(([kind, [req, one]]) =>
    mutant(`kaiak.server/misnames-${kind.replace("_", "-")}`, {
      violates: [req],
      cases: [one],
      patch: patch({ outgoing: misnamed(`kaiak/stream/${kind}`, `kaiak/${kind}`) }),
    }),
  ),
  mutant("kaiak.server/goes-on-behind-its-answer", {
    violates: ["KAIAK-FIX-004"],
    cases: text,
    patch: patch({ afterwards: (send) => send("system", { message: "late", level: "info", component: "x" }) }),
  }),
  mutant("kaiak.server/notes-of-another-session", {
    violates: ["KAIAK-FIX-005"],
    collateral: ["KAIAK-FIX-006"],
    cases: text,
    patch: sent("system", (params) => ({ ...params, session_id: "another" })),
  }),
  mutant("kaiak.server/request-ids-change", {
    violates: ["KAIAK-FIX-005"],
    collateral: ["KAIAK-FIX-004"],
    cases: text,
    patch: sent("ai_response", (params) => ({ ...params, request_id: `${String(params["request_id"])}-x` })),
  }),
  mutant("kaiak.server/result-with-another-request-id", {
    violates: ["KAIAK-FIX-005"],
    cases: text,
    patch: answered(fix, (result) => ({ ...result, request_id: "req-x" })),
  }),
  mutant("kaiak.server/message-ids-again", {
    violates: ["KAIAK-FIX-006"],
    cases: text,
    patch: sent("progress", (params) => ({ ...params, message_id: "msg-1" })),
  }),
  mutant("kaiak.server/progress-goes-back", {
    violates: ["KAIAK-FIX-007"],
    cases: text,
    patch: counting("progress", (count, { content: one, ...params }) => ({
      ...params,
      content: { ...(one as Json), percentage: count % 2 === 1 ? 50 : 10 },
    })),
  }),
  mutant("kaiak.server/tools-go-back", {
    violates: ["KAIAK-FIX-008"],
    cases: ["kaiak.server.fix.tool"],
    patch: content("tool_call", (one) => {
      const turned: Json = { pending: "executing", executing: "pending" };
      return { ...one, status: turned[String(one["status"])] ?? one["status"] };
    }),
  }),
  mutant("kaiak.server/does-not-ask-for-approval", {
    violates: ["KAIAK-FIX-009"],
    patch: patch({ waits: false, ...content("user_interaction", () => undefined) }),
  }),
  mutant("kaiak.server/asks-for-another-thing", {
    violates: ["KAIAK-FIX-009"],
    patch: content("user_interaction", (one) => ({ ...one, interaction_type: "choice" })),
  }),
  mutant("kaiak.server/goes-on-after-the-end", {
    violates: ["KAIAK-FIX-010"],
    cases: ["kaiak.server.fix.ends-fail"],
    patch: patch({
      notes: (kind, one) =>
        kind === "error" && one["recoverable"] === false
          ? [
              [kind, one],
              ["system", { message: "still here", level: "info", component: "x" }],
            ]
          : [[kind, one]],
    }),
  }),
  mutant("kaiak.server/failures-are-completed", {
    violates: ["KAIAK-FIX-010", "KAIAK-FIX-011"],
    cases: ["kaiak.server.fix.ends-fail"],
    patch: patch({ status: (how) => (how === "failed" ? "completed" : rightServer.status(how)) }),
  }),
  mutant("kaiak.server/fails-silently-as-completed", {
    violates: ["KAIAK-FIX-011"],
    patch: patch({
      status: (how) => (how === "failed" ? "completed" : rightServer.status(how)),
      notes: (kind, one) => (kind === "error" ? [] : [[kind, one]]),
    }),
  }),
  mutant("kaiak.server/any-error-fails", {
    violates: ["KAIAK-FIX-017"],
    patch: () => failing(),
  }),
  mutant("kaiak.server/shuffles", {
    violates: ["KAIAK-FIX-012"],
    patch: content("ai_response", (one) => {
      const turned: Json = { "3 ": "4 ", "4 ": "3 " };
      return { ...one, text: turned[String(one["text"])] ?? one["text"] };
    }),
  }),
  mutant("kaiak.server/takes-no-incidents", {
    violates: ["KAIAK-FIX-013"],
    collateral: ["KAIAK-RPC-011"],
    cases: ["kaiak.server.malformed.kaiak-generate-fix.incidents-array"],
    patch: patch({
      paramsProblem: (method, params) =>
        isObject(params) && Array.isArray(params["incidents"]) && params["incidents"].length === 0
          ? undefined
          : rightServer.paramsProblem(method, params),
    }),
  }),
  mutant("kaiak.server/deaf-in-a-run", {
    violates: ["KAIAK-FIX-014"],
    cases: ["kaiak.server.fix.beside"],
    patch: patch({ responsive: false }),
  }),
  mutant("kaiak.server/one-run-in-all", { violates: ["KAIAK-FIX-015"], patch: patch({ oneRunInAll: true }) }),
  mutant("kaiak.server/tools-never-end", {
    violates: ["KAIAK-FIX-018"],
    patch: content("tool_call", (one) => (one["status"] === "completed" ? undefined : one)),
  }),
  mutant("kaiak.server/tools-without-a-result", {
    violates: ["KAIAK-FIX-018"],
    patch: content("tool_call", (one) => without(one, "result")),
  }),
];

/** The second run of a session fails. */
function failsAgain(): Partial<ServerBehavior> {
  const seen = new Set<unknown>();
  return answered(fix, (result) => {
    const again = seen.size === seen.add(result["session_id"]).size;
    return again ? { ...result, status: "failed" } : result;
  });
}

/** Keeps what a run sends until an answer. */
function tellingLate(): Partial<ServerBehavior> {
  const kept: Json[] = [];
  return {
    outgoing(message) {
      const { method, result } = message;
      if (method === undefined)
        return isObject(result) && "incident_count" in result ? [...kept.splice(0), message] : [message];
      kept.push(message);
      return [];
    },
  };
}

/** A run that reported any error ends as failed. */
function failing(): Partial<ServerBehavior> {
  let isFaulty = false;
  return {
    notes(kind, one) {
      if (kind === "error") isFaulty = true;
      return [[kind, one]];
    },
    status: (how) => (isFaulty ? "failed" : rightServer.status(how)),
  };
}
