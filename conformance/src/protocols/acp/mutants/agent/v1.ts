import { mutant, type Mutant } from "../../../../core/mutant.js";
import { type AgentBehavior, type AgentSession, type Json, rightAgent } from "../../reference/agent-behavior.js";
import { configOptions, v1Agent } from "../../reference/v1.js";
import { of, requests, rewrite } from "../rewrite.js";
import { serviceSchemaMutants } from "../services-schema.js";

/** A mutant of the reference in the official dialect. */
const inV1 = (
  id: string,
  violates: readonly string[],
  switches: Partial<AgentBehavior>,
  more: Pick<Mutant, "collateral" | "cases"> = {},
): Mutant => mutant(`acp.agent/${id}`, { violates, ...more, profile: "v1", patch: { ...v1Agent, ...switches } });

const initialized = (change: (result: Json, params: Json) => Json): Partial<AgentBehavior> => ({
  initializeResult: (params) => change(v1Agent.initializeResult(params) as Json, params),
});
const other = (name: string, change: (right: Other, session: AgentSession | undefined) => Other) => ({
  other: ((method, params, session) => {
    if (method !== name) return v1Agent.other(method, params, session);
    return change(v1Agent.other(method, params, session), session);
  }) satisfies AgentBehavior["other"],
});
type Other = ReturnType<AgentBehavior["other"]>;

const isUpdate = of("session/update");
const updateOf = (message: Json): Json => (message["params"] as Json)["update"] as Json;
/** Sends a message behind each update of a text. */
const besideText = (more: (sessionId: unknown) => Json): Partial<AgentBehavior> => ({
  outgoing: (message) =>
    isUpdate(message) && updateOf(message)["sessionUpdate"] === "agent_message_chunk"
      ? [message, { jsonrpc: "2.0", ...more((message["params"] as Json)["sessionId"]) }]
      : [message],
});
const update = (sessionUpdate: string, fields: Json = {}) =>
  besideText((sessionId) => ({
    method: "session/update",
    params: { sessionId, update: { sessionUpdate, ...fields } },
  }));
const cases = ["acp.agent.turn.text"];
const calls = (method: string, params: Json): Partial<AgentBehavior> =>
  besideText((sessionId) => ({ id: `own-${method}`, method, params: { sessionId, ...params } }));

const life: readonly Mutant[] = [
  inV1(
    "v1-other-version",
    ["ACP-INIT-001"],
    initialized((result) => ({ ...result, protocolVersion: 2 })),
    { collateral: ["ACP-INIT-010"] },
  ),
  inV1(
    "v1-echoes-the-version",
    ["ACP-INIT-011"],
    initialized((result, { protocolVersion }) => ({ ...result, protocolVersion })),
  ),
  inV1("v1-refuses-other-versions", ["ACP-INIT-011"], {
    initializeProblem: (params) =>
      params["protocolVersion"] === 1
        ? rightAgent.initializeProblem(params)
        : { code: -32602, message: "unsupported version" },
  }),
  inV1(
    "v1-anonymous",
    ["ACP-INFO-001"],
    initialized((result) => ({ ...result, agentInfo: undefined })),
    {
      cases: ["acp.agent.initialize.version"],
    },
  ),
  inV1(
    "v1-without-its-version",
    ["ACP-INFO-001"],
    initialized((result) => ({ ...result, agentInfo: { name: "nameless" } })),
    { cases: ["acp.agent.initialize.version"] },
  ),
  inV1("v1-loads-in-silence", ["ACP-LOAD-001"], { replay: () => [] }),
  inV1("v1-forgets-the-user", ["ACP-LOAD-001"], {
    replay: (history) => history.filter(({ sessionUpdate }) => sessionUpdate !== "user_message_chunk"),
  }),
  inV1("v1-replays-its-first-word", ["ACP-LOAD-001"], { replay: (history) => history.slice(0, 1) }),
  inV1("v1-answers-with-headers", ["ACP-FRAME-003"], { framing: () => "header" }),
  mutant("acp.agent/v1-answers-before-it-replays", {
    violates: ["ACP-LOAD-001"],
    profile: "v1",
    patch: () => ({ ...v1Agent, ...replaysLate() }),
  }),
  inV1(
    "v1-replays-at-resume",
    ["ACP-RESUME-001"],
    other("session/resume", (right, session) => ({ ...right, updates: session?.history ?? [] })),
  ),
  inV1("v1-closes-without-cancel", ["ACP-CLOSE-001"], {
    other: (method, params, session) =>
      (method === "session/close" ? rightAgent : v1Agent).other(method, params, session),
  }),
  inV1(
    "v1-lists-every-folder",
    ["ACP-LIST-002"],
    other("session/list", (right) => ({ ...right, result: { sessions: [{ sessionId: "session-1", cwd: "/" }] } })),
  ),
  inV1("v1-refuses-to-list-nothing", ["ACP-LIST-002"], {
    otherProblem: (method, params) =>
      method === "session/list" && String(params["cwd"]).endsWith("without-sessions")
        ? { code: -32602, message: "no sessions" }
        : v1Agent.otherProblem(method, params),
  }),
  inV1("v1-takes-any-cursor", ["ACP-LIST-003"], { otherProblem: rightAgent.otherProblem }),
];

const state: readonly Mutant[] = [
  inV1(
    "v1-answers-with-the-option-alone",
    ["ACP-CONFIG-001"],
    other("session/set_config_option", (right, session) => ({
      ...right,
      result: { configOptions: session === undefined ? [] : configOptions(session).slice(0, 1) },
    })),
  ),
  inV1("v1-forgets-the-option", ["ACP-CONFIG-001"], {
    other: (method, params, session) =>
      method === "session/set_config_option"
        ? { updates: [], result: { configOptions: session === undefined ? [] : configOptions(session) } }
        : v1Agent.other(method, params, session),
  }),
  inV1(
    "v1-option-without-a-value",
    ["ACP-CONFIG-002"],
    {
      newSessionResult: (session, modes) => ({
        ...(rightAgent.newSessionResult(session, modes) as Json),
        configOptions: configOptions(session).map((option) => ({ ...option, currentValue: "" })),
      }),
    },
    { cases: ["acp.agent.session.new"] },
  ),
  inV1("v1-plan-in-parts", ["ACP-PLAN-001"], {
    updates: (one) => [
      one["sessionUpdate"] === "plan"
        ? { ...one, entries: (one["entries"] as Json[]).filter(({ status }) => status !== "completed") }
        : one,
    ],
  }),
  inV1("v1-late-after-cancel", ["ACP-CANCEL-012"], lateAfterCancel(), {
    cases: ["acp.agent.cancel.running"],
    collateral: ["ACP-TURN-003"],
  }),
  inV1(
    "v1-field-of-its-own",
    ["ACP-META-001"],
    { result: (method, result) => (method === "session/new" ? { ...(result as Json), vendor: 1 } : result) },
    { cases: ["acp.agent.session.new"] },
  ),
  inV1("v1-field-of-its-own-in-updates", ["ACP-META-001"], { updates: (one) => [{ ...one, vendor: 1 }] }, { cases }),
  inV1(
    "v1-field-of-its-own-in-requests",
    ["ACP-META-001"],
    rewrite(requests, (message) => ({ ...message, params: { ...(message["params"] as Json), vendor: 1 } })),
    { cases: ["acp.agent.permission.allowed"] },
  ),
];

const offers: readonly Mutant[] = [
  inV1("v1-reads-unasked", ["ACP-SERVICE-001"], calls("fs/read_text_file", { path: "/tmp/a" }), { cases }),
  inV1("v1-writes-unasked", ["ACP-SERVICE-001"], calls("fs/write_text_file", { path: "/tmp/a", content: "" }), {
    cases,
  }),
  inV1("v1-terminal-unasked", ["ACP-SERVICE-002"], calls("terminal/create", { command: "true" }), { cases }),
  inV1("v1-notice-unasked", ["ACP-SERVICE-003"], update("notice", { noticeId: "n", message: "m", severity: "info" }), {
    cases,
    collateral: ["ACP-SCHEMA-session/update:params", "ACP-META-001"],
  }),
  inV1(
    "v1-compaction-unasked",
    ["ACP-SERVICE-003"],
    update("compaction_update", { compactionId: "c", status: "completed" }),
    {
      cases,
      collateral: ["ACP-SCHEMA-session/update:params", "ACP-META-001"],
    },
  ),
  inV1(
    "v1-relative-location",
    ["ACP-PATH-001"],
    {
      updates: (one) => [one["sessionUpdate"] === "tool_call" ? { ...one, locations: [{ path: "src/a.ts" }] } : one],
    },
    { cases: ["acp.agent.update.tool-ok"], collateral: ["ACP-SCHEMA-session/update:params"] },
  ),
  inV1(
    "v1-relative-diff",
    ["ACP-PATH-001"],
    {
      updates: (one) => [
        one["sessionUpdate"] === "tool_call_update" && one["content"] !== undefined
          ? { ...one, content: [{ type: "diff", path: "src/a.ts", oldText: "", newText: "a" }] }
          : one,
      ],
    },
    { cases: ["acp.agent.update.tool-ok"], collateral: ["ACP-SCHEMA-session/update:params"] },
  ),
];

const pathless = (method: string) => ({ collateral: [`ACP-SCHEMA-${method}:params`] });
const relative = (method: string, field: string, value: unknown): Partial<AgentBehavior> => ({
  serviceParams: (name, params) => (name === method ? { ...params, [field]: value } : params),
});
const uses = (wanted: RegExp): Partial<AgentBehavior> => ({
  uses: (method, capabilities) => wanted.test(method) || v1Agent.uses(method, capabilities),
});

const services: readonly Mutant[] = [
  inV1(
    "v1-reads-relative-paths",
    ["ACP-FS-007"],
    relative("fs/read_text_file", "path", "notes.txt"),
    pathless("fs/read_text_file"),
  ),
  inV1(
    "v1-writes-relative-paths",
    ["ACP-FS-007"],
    relative("fs/write_text_file", "path", "notes.txt"),
    pathless("fs/write_text_file"),
  ),
  inV1("v1-files-of-no-session", ["ACP-FS-007"], relative("fs/read_text_file", "sessionId", "no-session")),
  inV1("v1-keeps-terminals", ["ACP-TERM-011"], { leaves: (wasKilled) => (wasKilled ? ["terminal/release"] : []) }),
  inV1("v1-keeps-killed-terminals", ["ACP-TERM-011"], {
    leaves: (wasKilled) => (wasKilled ? [] : ["terminal/release"]),
  }),
  inV1("v1-uses-files-that-are-not-offered", ["ACP-SERVICE-001"], uses(/^fs/)),
  inV1("v1-uses-terminals-that-are-not-offered", ["ACP-SERVICE-002"], uses(/^terminal/)),
  inV1(
    "v1-elicits-unasked",
    ["ACP-SERVICE-004"],
    calls("elicitation/create", {
      mode: "form",
      message: "Who?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    }),
    { cases },
  ),
  inV1(
    "v1-signs-in-by-terminal",
    ["ACP-AUTH-006"],
    initialized((result) => ({ ...result, authMethods: [{ id: "tui", name: "Sign in", type: "terminal", args: [] }] })),
    { cases: ["acp.agent.initialize.version"], collateral: ["ACP-INIT-006"] },
  ),
];

/** Says one more word behind the answer of a turn that was cancelled. */
function replaysLate(): Partial<AgentBehavior> {
  let kept: readonly Json[] = [];
  let loaded: string | undefined;
  return {
    replay(history) {
      kept = history;
      return [];
    },
    loadSessionResult(session, modes) {
      loaded = session.id;
      return rightAgent.loadSessionResult(session, modes);
    },
    outgoing(message) {
      if (loaded === undefined) return [message];
      const sessionId = loaded;
      loaded = undefined;
      const late = kept.map((one) => ({
        jsonrpc: "2.0",
        method: "session/update",
        params: { sessionId, update: one },
      }));
      return [message, ...late];
    },
  };
}

function lateAfterCancel(): Partial<AgentBehavior> {
  let sessionId: unknown;
  return {
    outgoing(message) {
      if (isUpdate(message)) sessionId = (message["params"] as Json)["sessionId"];
      const { result } = message;
      const isEnd = typeof result === "object" && result !== null && (result as Json)["stopReason"] === "cancelled";
      const content = { type: "text", text: "late" };
      const late = { sessionId, update: { sessionUpdate: "agent_message_chunk", content } };
      return isEnd ? [message, { jsonrpc: "2.0", method: "session/update", params: late }] : [message];
    },
  };
}

const wire = serviceSchemaMutants({
  role: "agent",
  part: "params",
  collateral: (method) => (method.startsWith("fs/") ? ["ACP-FS-007"] : ["ACP-TERM-011"]),
  seenIn: (method) => `acp.agent.services.${method.startsWith("fs/") ? "files" : "killed-terminal"}`,
  broken: (method, change) => ({
    ...v1Agent,
    serviceParams: (asked: string, params: Json) => (asked === method ? change(params) : params),
  }),
});

/** Agents that break what only the official dialect says, and variants that are as right as the reference. */
export const v1Mutants: readonly Mutant[] = [...life, ...state, ...offers, ...services, ...wire];
