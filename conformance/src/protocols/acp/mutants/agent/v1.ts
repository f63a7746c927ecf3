import { isObject } from "@editwire/core";
import type { Mutant } from "../../../../core/mutant.js";
import { type AgentBehavior, type AgentSession, type Json, rightAgent } from "../../reference/agent-behavior.js";
import { configOptions, v1Agent } from "../../reference/v1.js";
import { rewrite } from "../../../../packs/rewrites.js";
import { serviceSchemaMutants } from "../services-schema.js";
import { calls, cases, isUpdate, update } from "./beside-text.js";
import { inV1 } from "./patch.js";
import { v1Updates } from "./v1-updates.js";

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
    "v1-without-its-version": [
      "INFO-001",
      initialized((result) => ({ ...result, agentInfo: { name: "nameless" } })),
      { cases: ["initialize.version"] },
    ],
    "v1-signs-in-without-a-method": ["AUTH-007", { authenticateProblem: () => undefined }],
    "v1-needs-a-type-of-mcp-servers": ["MCP-004", { readServers: rightAgent.readServers }],
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
    "v1-deletes-only-what-exists": [
      "LIST-005",
      {
        otherProblem: (method, params) =>
          method === "session/delete" && params["sessionId"] === "no-such-session"
            ? { code: -32002, message: "no such session" }
            : v1Agent.otherProblem(method, params),
      },
    ],
    "v1-takes-any-cursor": ["LIST-003", { otherProblem: rightAgent.otherProblem }],
  }),
];

/** An option that is on or off. */
const brave = { id: "brave", name: "Brave", type: "boolean", currentValue: true };

const state: readonly Mutant[] = inV1({
  "v1-answers-with-the-option-alone": [
    "CONFIG-001",
    other("session/set_config_option", (right, session) => ({
      ...right,
      result: { configOptions: session === undefined ? [] : configOptions(session).slice(0, 1) },
    })),
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
  "v1-boolean-option-in-an-update": [
    "CONFIG-004",
    update("config_option_update", { configOptions: [brave] }),
    { cases },
  ],
  "v1-forgets-the-second-prompt": [
    "TURN-019",
    {
      outgoing: ({ id, error, ...message }) =>
        typeof id === "number" && isObject(error) && error["code"] === -32600
          ? []
          : [{ ...message, ...(id !== undefined && { id }), ...(error !== undefined && { error }) }],
    },
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
  "v1-field-of-its-own-in-updates": ["META-001", { updates: (one) => [{ ...one, vendor: 1 }] }, { cases }],
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
  "v1-uses-released-terminals": ["TERM-013", { leaves: () => ["terminal/release", "terminal/output"] }],
  "v1-waits-for-canceled-commands": ["CANCEL-013", { commandSignal: () => undefined }],
  "v1-releases-another-terminal": ["TERM-011", relative("terminal/release", "terminalId", "no-terminal")],
  "v1-shows-a-released-terminal": ["TERM-015", showsWhatIsReleased, { cases: ["services.terminal"] }],
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
  "v1-reads-for-writers": ["SERVICE-001", takesFor("fs/read_text_file", ({ fs }) => isObject(fs))],
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
  "v1-signs-in-without-a-name": [
    "AUTH-008",
    initialized((result) => ({ ...result, authMethods: [{ id: "key" }] })),
    { cases: ["initialize.version"], collateral: ["INIT-006"] },
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

/** Keeps back what shows a terminal until that is released. */
function showsWhatIsReleased(): Partial<AgentBehavior> {
  const kept: Json[] = [];
  return {
    outgoing(message) {
      if (message["method"] === "terminal/release") return [message, ...kept.splice(0)];
      if (!isUpdate(message) || !JSON.stringify(message).includes('"terminalId"')) return [message];
      kept.push(message);
      return [];
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
export const v1Mutants: readonly Mutant[] = [...life, ...state, ...v1Updates, ...services, ...wire];
