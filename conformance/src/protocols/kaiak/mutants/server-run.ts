import { without } from "../../../packs/rewrites.js";
import { isObject } from "@editwire/core";
import { type Json, rightServer, type ServerBehavior } from "../reference/server-behavior.js";
import { answered, broken, each, content, misnamed, patch, refusal, refused, sent } from "./server-patch.js";

const fix = "kaiak/generate_fix";
const text = ["fix.new-session"];

/** The requirement that has each notification under its name, and the case that waits for it. */
const names: Readonly<Record<string, readonly [req: string, case_: string]>> = {
  progress: ["FIX-003", "fix.new-session"],
  ai_response: ["FIX-003", "fix.new-session"],
  tool_call: ["FIX-018", "fix.tool"],
  user_interaction: ["FIX-009", "fix.modification"],
  file_modification: ["FIX-009", "fix.modification"],
  error: ["FIX-017", "fix.ends-error"],
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
const late = broken({
  "configured-long-ago": [
    "TIME-001",
    answered("kaiak/configure", (result) => ({ ...result, timestamp: past })),
    { cases: ["configure.whole"] },
  ],
  "completed-long-ago": ["TIME-001", answered(fix, (result) => ({ ...result, completed_at: past })), { cases: text }],
  "deleted-long-ago": [
    "TIME-001",
    answered("kaiak/delete_session", (result) => ({ ...result, deleted_at: past })),
    { cases: ["delete.short"] },
  ],
  "in-use-long-since": [
    "TIME-001",
    { inUse: (session) => rightServer.inUse({ ...session, since: past }) },
    { cases: ["session.in-use"] },
  ],
  "ended-before-it-began": [
    "TIME-002",
    content("tool_call", (one) =>
      isObject(one["result"]) ? { ...one, result: { ...one["result"], execution_time: -1 } } : one,
    ),
    { cases: ["fix.tool"] },
  ],
  "waits-for-less-than-nothing": [
    "TIME-002",
    content("user_interaction", (one) => ({ ...one, timeout: -30 })),
    { cases: ["ask.waits"] },
  ],
  "progressed-long-ago": ["TIME-001", sent("progress", (params) => ({ ...params, timestamp: past })), { cases: text }],
});

/** Faults of servers with their configuration and with runs. */
export const runMutants = [
  ...late,
  ...broken({
    "forgets-permissions": [
      "CONFIG-001",
      { applied: (configuration) => rightServer.applied(without(configuration, "permissions")) },
    ],
    "does-not-say-which-tools": [
      "CONFIG-001",
      { applied: (configuration) => without(rightServer.applied(configuration), "tools") },
      { collateral: ["CONFIG-005"] },
    ],
    ...each(
      [
        ["configures-without-a-message", (result: Json) => without(result, "message")],
        ["null-for-no-warnings", (result: Json) => ({ ...result, warnings: null })],
      ] as const,
      ([name, change]) => ({
        [name]: ["CONFIG-007", answered("kaiak/configure", change), { cases: ["configure.whole"] }],
      }),
    ),
    "one-id-for-all-questions": [
      "ASK-009",
      { questionId: () => "interaction-1" },
      { collateral: ["ASK-001"], cases: ["ask.three"] },
    ],
    "default-that-is-no-option": [
      "ASK-008",
      content("user_interaction", (one) => ({ ...one, default_response: "another" })),
      { cases: ["ask.waits"] },
    ],
    "directory-without-details": [
      "CONFIG-002",
      refused(-32014, (error) => ({ ...error, data: { field: "workspace.working_dir" } })),
    ],
    "directories-are-params": ["CONFIG-002", refused(-32014, (error) => ({ ...error, code: -32602 }))],
    "any-permission": [
      "CONFIG-003",
      {
        paramsProblem(method, params) {
          const { configuration } = isObject(params) ? params : {};
          if (!isObject(params) || !isObject(configuration)) return rightServer.paramsProblem(method, params);
          return rightServer.paramsProblem(method, { ...params, configuration: without(configuration, "permissions") });
        },
        applied: (configuration) => rightServer.applied(without(configuration, "permissions")),
      },
    ],
    "configured-once": [
      "CONFIG-004",
      () => {
        let count = 0;
        return patch({ againProblem: () => (count++ > 0 ? refusal(-32603) : undefined) });
      },
      { collateral: ["CONFIG-005"] },
    ],
    "merges-configurations": [
      "CONFIG-006",
      () => {
        let before: Json = {};
        return patch({ applied: (configuration) => rightServer.applied((before = { ...before, ...configuration })) });
      },
    ],
    "applies-what-is-given": ["CONFIG-005", { applied: (configuration) => configuration }],
    "sessions-come-first": [
      "FIX-001",
      { unknownSession: () => refusal(-32003) },
      { collateral: ["DELETE-001", "FIX-003"], cases: text },
    ],
    "processes-nothing": ["FIX-001", { status: () => "failed" }, { cases: text }],
    "session-of-its-own": [
      "FIX-001",
      answered(fix, (result) => ({ ...result, session_id: `${String(result["session_id"])}-x` })),
      { collateral: ["FIX-002"] },
    ],
    "counts-one-more": [
      ["FIX-001", "FIX-016"],
      answered(fix, (result) => ({ ...result, incident_count: Number(result["incident_count"]) + 1 })),
    ],
    ...each(["auto_apply_safe_fixes", "parallel_processing"], (option) => ({
      [`refuses-${option.replaceAll("_", "-")}`]: [
        "FIX-016",
        {
          paramsProblem: (method, params) =>
            isObject(params) && isObject(params["options"]) && params["options"][option] === true
              ? refusal(-32602)
              : rightServer.paramsProblem(method, params),
        },
      ],
    })),
    "counts-one": ["FIX-016", answered(fix, (result) => ({ ...result, incident_count: 1 }))],
    "fails-the-second-run": ["FIX-002", failsAgain],
    "no-progress": ["FIX-003", content("progress", () => undefined), { cases: text }],
    "says-nothing": ["FIX-003", content("ai_response", () => undefined), { cases: text }],
    "tells-at-the-end": ["FIX-003", tellingLate],
    ...each(Object.entries(names), ([kind, [req, one]]) => ({
      [`misnames-${kind.replace("_", "-")}`]: [
        req,
        { outgoing: misnamed(`kaiak/stream/${kind}`, `kaiak/${kind}`) },
        { cases: [one] },
      ],
    })),
    "goes-on-behind-its-answer": [
      "FIX-004",
      { afterwards: (send) => send("system", { message: "late", level: "info", component: "x" }) },
      { cases: text },
    ],
    "notes-of-another-session": [
      "FIX-005",
      sent("system", (params) => ({ ...params, session_id: "another" })),
      { collateral: ["FIX-006"], cases: text },
    ],
    "request-ids-change": [
      "FIX-005",
      sent("ai_response", (params) => ({ ...params, request_id: `${String(params["request_id"])}-x` })),
      { collateral: ["FIX-004"], cases: text },
    ],
    "result-with-another-request-id": [
      "FIX-005",
      answered(fix, (result) => ({ ...result, request_id: "req-x" })),
      { cases: text },
    ],
    "message-ids-again": [
      "FIX-006",
      sent("progress", (params) => ({ ...params, message_id: "msg-1" })),
      { cases: text },
    ],
    "progress-goes-back": [
      "FIX-007",
      counting("progress", (count, { content: one, ...params }) => ({
        ...params,
        content: { ...(one as Json), percentage: count % 2 === 1 ? 50 : 10 },
      })),
      { cases: text },
    ],
    "tools-go-back": [
      "FIX-008",
      content("tool_call", (one) => {
        const turned: Json = { pending: "executing", executing: "pending" };
        return { ...one, status: turned[String(one["status"])] ?? one["status"] };
      }),
      { cases: ["fix.tool"] },
    ],
    "does-not-ask-for-approval": ["FIX-009", { waits: false, ...content("user_interaction", () => undefined) }],
    "asks-for-another-thing": [
      "FIX-009",
      content("user_interaction", (one) => ({ ...one, interaction_type: "choice" })),
    ],
    "goes-on-after-the-end": [
      "FIX-010",
      {
        notes: (kind, one) =>
          kind === "error" && one["recoverable"] === false
            ? [
                [kind, one],
                ["system", { message: "still here", level: "info", component: "x" }],
              ]
            : [[kind, one]],
      },
      { cases: ["fix.ends-fail"] },
    ],
    "fails-silently-as-completed": [
      "FIX-011",
      {
        status: (how) => (how === "failed" ? "completed" : rightServer.status(how)),
        notes: (kind, one) => (kind === "error" ? [] : [[kind, one]]),
      },
    ],
    "any-error-fails": ["FIX-017", failing],
    shuffles: [
      "FIX-012",
      content("ai_response", (one) => {
        const turned: Json = { "3 ": "4 ", "4 ": "3 " };
        return { ...one, text: turned[String(one["text"])] ?? one["text"] };
      }),
    ],
    "takes-no-incidents": [
      "FIX-013",
      {
        paramsProblem: (method, params) =>
          isObject(params) && Array.isArray(params["incidents"]) && params["incidents"].length === 0
            ? undefined
            : rightServer.paramsProblem(method, params),
      },
    ],
    "deaf-in-a-run": ["FIX-014", { responsive: false }],
    "one-run-in-all": ["FIX-015", { oneRunInAll: true }],
    "tools-never-end": ["FIX-018", content("tool_call", (one) => (one["status"] === "completed" ? undefined : one))],
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
