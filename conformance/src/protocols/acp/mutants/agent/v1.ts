import { isObject } from "@editwire/core";
import type { Mutant } from "../../../../core/mutant.js";
import { type AgentBehavior, type AgentSession, type Json, rightAgent } from "../../reference/agent-behavior.js";
import { configOptions, v1Agent } from "../../reference/v1.js";
import { of, isRequest, rewrite } from "../../../../packs/rewrites.js";
import { serviceSchemaMutants } from "../services-schema.js";
import { inV1 } from "./patch.js";

const initialized = (change: (result: Json, params: Json) => Json): Partial<AgentBehavior> => ({
  initializeResult: (params) => change(v1Agent.initializeResult(params) as Json, params),
});
const other = (name: string, change: (right: Other, session: AgentSession | undefined) => Other) => ({
  other: ((method, params, session, sessions) => {
    if (method !== name) return v1Agent.other(method, params, session, sessions);
    return change(v1Agent.other(method, params, session, sessions), session);
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
const cases = ["turn.text"];
const calls = (method: string, params: Json): Partial<AgentBehavior> =>
  besideText((sessionId) => ({ id: `own-${method}`, method, params: { sessionId, ...params } }));

/** Takes a method for offered by capabilities of its own. */
const takesFor = (name: string, by: (capabilities: Json) => boolean): Partial<AgentBehavior> => ({
  uses: (method, capabilities) => (method === name && by(capabilities)) || v1Agent.uses(method, capabilities),
});

const life: readonly Mutant[] = [
  ...inV1({
    "v1-other-version": [
      "INIT-001",
      initialized((result) => ({ ...result, protocolVersion: 2 })),
      { collateral: ["INIT-010"] },
    ],
    "v1-echoes-the-version": [
      "INIT-011",
      initialized((result, { protocolVersion }) => ({ ...result, protocolVersion })),
    ],
    "v1-refuses-other-versions": [
      "INIT-011",
      {
        initializeProblem: (params) =>
          params["protocolVersion"] === 1
            ? rightAgent.initializeProblem(params)
            : { code: -32602, message: "unsupported version" },
      },
    ],
    "v1-anonymous": [
      "INFO-001",
      initialized((result) => ({ ...result, agentInfo: undefined })),
      { cases: ["initialize.version"] },
    ],
    "v1-without-its-version": [
      "INFO-001",
      initialized((result) => ({ ...result, agentInfo: { name: "nameless" } })),
      { cases: ["initialize.version"] },
    ],
    "v1-signs-in-without-a-method": ["AUTH-007", { authenticateProblem: () => undefined }],
    "v1-needs-a-type-of-mcp-servers": ["MCP-004", { readServers: rightAgent.readServers }],
    "v1-loads-in-silence": ["LOAD-001", { replay: () => [] }],
    "v1-forgets-the-user": [
      "LOAD-001",
      { replay: (history) => history.filter(({ sessionUpdate }) => sessionUpdate !== "user_message_chunk") },
    ],
    "v1-replays-its-first-word": ["LOAD-001", { replay: (history) => history.slice(0, 1) }],
    "v1-replays-twice": ["LOAD-001", { replay: (history) => [...history, ...history] }],
    "v1-answers-with-headers": ["FRAME-003", { framing: () => "header" }],
    "v1-answers-before-it-replays": ["LOAD-001", replaysLate],
    "v1-forgets-what-it-resumes": [
      "RESUME-002",
      other("session/resume", (right, session) => {
        session?.past.splice(0);
        return right;
      }),
    ],
    "v1-resumes-in-the-first-mode": [
      "MODE-008",
      other("session/resume", (right) => ({ ...right, result: { modes: rightAgent.modes("full") } })),
    ],
    "v1-replays-at-resume": [
      "RESUME-001",
      other("session/resume", (right, session) => ({ ...right, updates: session?.history ?? [] })),
    ],
    "v1-closes-without-cancel": [
      "CLOSE-001",
      {
        other: (method, ...rest) => (method === "session/close" ? rightAgent : v1Agent).other(method, ...rest),
      },
    ],
    "v1-works-on-when-closed": [
      "CLOSE-003",
      {
        other(method, params, session, sessions) {
          const done = v1Agent.other(method, params, session, sessions);
          if (session !== undefined) session.isClosed = false;
          return done;
        },
      },
    ],
    "v1-closes-every-session": [
      "CLOSE-002",
      {
        other(method, params, session, sessions) {
          if (method === "session/close") for (const { turn } of sessions.values()) turn?.abort();
          return v1Agent.other(method, params, session, sessions);
        },
      },
    ],
    "v1-lists-folders-below": [
      "LIST-002",
      {
        other(method, params, session, sessions) {
          const right = v1Agent.other(method, params, session, sessions);
          if (method !== "session/list") return right;
          const found = [...sessions.values()].filter(({ cwd }) => cwd.startsWith(String(params["cwd"] ?? "")));
          return { ...right, result: { sessions: found.map(({ id, cwd }) => ({ sessionId: id, cwd })) } };
        },
      },
    ],
    "v1-lists-every-folder": [
      "LIST-002",
      other("session/list", (right) => ({ ...right, result: { sessions: [{ sessionId: "session-1", cwd: "/" }] } })),
    ],
    "v1-refuses-to-list-nothing": [
      "LIST-002",
      {
        otherProblem: (method, params) =>
          method === "session/list" && String(params["cwd"]).endsWith("without-sessions")
            ? { code: -32602, message: "no sessions" }
            : v1Agent.otherProblem(method, params),
      },
    ],
    "v1-deletes-nothing": [
      "LIST-004",
      {
        other: (method, ...rest) => (method === "session/delete" ? rightAgent : v1Agent).other(method, ...rest),
      },
    ],
    "v1-takes-any-cursor": ["LIST-003", { otherProblem: rightAgent.otherProblem }],
  }),
];

const state: readonly Mutant[] = inV1({
  "v1-answers-with-the-option-alone": [
    "CONFIG-001",
    other("session/set_config_option", (right, session) => ({
      ...right,
      result: { configOptions: session === undefined ? [] : configOptions(session).slice(0, 1) },
    })),
  ],
  "v1-forgets-the-option": [
    "CONFIG-001",
    {
      other: (method, params, session, sessions) =>
        method === "session/set_config_option"
          ? { updates: [], result: { configOptions: session === undefined ? [] : configOptions(session) } }
          : v1Agent.other(method, params, session, sessions),
    },
  ],
  "v1-options-of-every-session": [
    "CONFIG-003",
    {
      other(method, params, session, sessions) {
        const right = v1Agent.other(method, params, session, sessions);
        if (method === "session/set_config_option")
          for (const each of sessions.values()) v1Agent.other(method, params, each, sessions);
        return right;
      },
    },
  ],
  "v1-option-without-a-value": [
    "CONFIG-002",
    {
      newSessionResult: (session, modes) => ({
        ...(rightAgent.newSessionResult(session, modes) as Json),
        configOptions: configOptions(session).map((option) => ({ ...option, currentValue: "" })),
      }),
    },
    { cases: ["session.new"] },
  ],
  "v1-plan-in-parts": [
    "PLAN-001",
    {
      updates: (one) => [
        one["sessionUpdate"] === "plan"
          ? { ...one, entries: (one["entries"] as Json[]).filter(({ status }) => status !== "completed") }
          : one,
      ],
    },
  ],
  "v1-late-after-cancel": ["CANCEL-012", lateAfterCancel, { cases: ["cancel.running"], collateral: ["TURN-003"] }],
  "v1-field-of-its-own": [
    "META-001",
    { result: (method, result) => (method === "session/new" ? { ...(result as Json), vendor: 1 } : result) },
    { cases: ["session.new"] },
  ],
  "v1-field-of-its-own-in-updates": ["META-001", { updates: (one) => [{ ...one, vendor: 1 }] }, { cases }],
  "v1-field-of-its-own-in-requests": [
    "META-001",
    rewrite(isRequest, (message) => ({ ...message, params: { ...(message["params"] as Json), vendor: 1 } })),
    { cases: ["permission.allowed"] },
  ],
});

const offers: readonly Mutant[] = inV1({
  "v1-reads-unasked": ["SERVICE-001", calls("fs/read_text_file", { path: "/tmp/a" }), { cases }],
  "v1-writes-unasked": ["SERVICE-001", calls("fs/write_text_file", { path: "/tmp/a", content: "" }), { cases }],
  "v1-terminal-unasked": ["SERVICE-002", calls("terminal/create", { command: "true" }), { cases }],
  "v1-notice-unasked": [
    "SERVICE-003",
    update("notice", { noticeId: "n", message: "m", severity: "info" }),
    { cases, collateral: ["SCHEMA-session/update:params", "META-001"] },
  ],
  "v1-compaction-unasked": [
    "SERVICE-003",
    update("compaction_update", { compactionId: "c", status: "completed" }),
    { cases, collateral: ["SCHEMA-session/update:params", "META-001"] },
  ],
  "v1-relative-location": [
    "PATH-001",
    { updates: (one) => [one["sessionUpdate"] === "tool_call" ? { ...one, locations: [{ path: "src/a.ts" }] } : one] },
    { cases: ["update.tool-ok"], collateral: ["SCHEMA-session/update:params"] },
  ],
  "v1-tools-of-a-kind-of-their-own": [
    "UPDATE-022",
    { updates: (one) => [one["sessionUpdate"] === "tool_call" ? { ...one, kind: "shell" } : one] },
    { cases: ["update.tool-ok"] },
  ],
  "v1-commands-without-description": [
    "UPDATE-022",
    update("available_commands_update", { availableCommands: [{ name: "review" }] }),
    { cases },
  ],
  "v1-relative-diff": [
    "PATH-001",
    {
      updates: (one) => [
        one["sessionUpdate"] === "tool_call_update" && one["content"] !== undefined
          ? { ...one, content: [{ type: "diff", path: "src/a.ts", oldText: "", newText: "a" }] }
          : one,
      ],
    },
    { cases: ["update.tool-ok"], collateral: ["SCHEMA-session/update:params"] },
  ],
});

const pathless = (method: string) => ({ collateral: [`SCHEMA-${method}:params`] });
const relative = (method: string, field: string, value: unknown): Partial<AgentBehavior> => ({
  serviceParams: (name, params) => (name === method ? { ...params, [field]: value } : params),
});
const uses = (wanted: RegExp): Partial<AgentBehavior> => ({
  uses: (method, capabilities) => wanted.test(method) || v1Agent.uses(method, capabilities),
});

const services: readonly Mutant[] = inV1({
  "v1-reads-relative-paths": [
    "FS-007",
    relative("fs/read_text_file", "path", "notes.txt"),
    pathless("fs/read_text_file"),
  ],
  "v1-writes-relative-paths": [
    "FS-007",
    relative("fs/write_text_file", "path", "notes.txt"),
    pathless("fs/write_text_file"),
  ],
  "v1-files-of-no-session": ["FS-007", relative("fs/read_text_file", "sessionId", "no-session")],
  "v1-keeps-terminals": ["TERM-011", { leaves: (wasKilled) => (wasKilled ? ["terminal/release"] : []) }],
  "v1-uses-released-terminals": [
    "TERM-013",
    { leaves: () => ["terminal/release", "terminal/output"] },
    { cases: ["services.terminal"] },
  ],
  "v1-waits-for-canceled-commands": ["CANCEL-013", { commandSignal: () => undefined }],
  "v1-keeps-killed-terminals": ["TERM-011", { leaves: (wasKilled) => (wasKilled ? [] : ["terminal/release"]) }],
  "v1-shows-another-terminal": [
    "TERM-012",
    rewrite(isUpdate, ({ params, ...message }) => ({
      ...message,
      params: JSON.parse(JSON.stringify(params).replaceAll('"terminal-', '"no-terminal-')),
    })),
    { cases: ["services.terminal"] },
  ],
  "v1-uses-files-that-are-not-offered": ["SERVICE-001", uses(/^fs/)],
  "v1-writes-for-readers": ["SERVICE-001", takesFor("fs/write_text_file", ({ fs }) => isObject(fs))],
  "v1-reads-for-writers": ["SERVICE-001", takesFor("fs/read_text_file", ({ fs }) => isObject(fs))],
  "v1-terminals-when-declined": ["SERVICE-002", takesFor("terminal/create", ({ terminal }) => terminal !== undefined)],
  "v1-uses-terminals-that-are-not-offered": ["SERVICE-002", uses(/^terminal/)],
  "v1-elicits-unasked": [
    "SERVICE-004",
    calls("elicitation/create", {
      mode: "form",
      message: "Who?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    }),
    { cases },
  ],
  "v1-signs-in-by-terminal": [
    "AUTH-006",
    initialized((result) => ({ ...result, authMethods: [{ id: "tui", name: "Sign in", type: "terminal", args: [] }] })),
    { cases: ["initialize.version"], collateral: ["INIT-006"] },
  ],
});

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
  dialect: v1Agent,
  broken: (method, change) => ({
    serviceParams: (asked: string, params: Json) => (asked === method ? change(params) : params),
  }),
});

/** Agents that break what only the official dialect says, and variants that are as right as the reference. */
export const v1Mutants: readonly Mutant[] = [...life, ...state, ...offers, ...services, ...wire];
