import { type AgentBehavior, type Json, type Refusal, rightAgent } from "../../reference/agent-behavior.js";
import { broken, each, patch } from "./patch.js";

const error = (code: number, message = "no"): Refusal => ({ code, message });
const absent = (value: unknown): boolean => value === undefined || value === null;

/** An answer to initialize with other fields. */
const initialized = (change: (result: Json) => Json): Partial<AgentBehavior> =>
  patch({ initializeResult: (params) => change(rightAgent.initializeResult(params) as Json) });

/** An answer to initialize with other capabilities. */
const capable = (change: (capabilities: Json) => Json): Partial<AgentBehavior> =>
  initialized((result) => ({ ...result, agentCapabilities: change(result["agentCapabilities"] as Json) }));

const modesOf = (modeId: string): { currentModeId: string; availableModes: Json[] } =>
  rightAgent.modes(modeId) as { currentModeId: string; availableModes: Json[] };

const initializeMutants = broken({
  "other-version": [
    "INIT-001",
    initialized((result) => ({ ...result, protocolVersion: 2 })),
    { collateral: ["INIT-010", "INIT-013"] },
  ],
  "echoes-the-version": [
    "INIT-013",
    {
      initializeResult: (params) => ({
        ...(rightAgent.initializeResult(params) as Json),
        protocolVersion: params["protocolVersion"],
      }),
    },
  ],
  ...each(["clientInfo", "clientCapabilities"], (field) => ({
    [`demands-${field.toLowerCase()}`]: [
      "INIT-010",
      {
        initializeProblem: (params) =>
          absent(params[field]) ? error(-32602, `${field} is required`) : rightAgent.initializeProblem(params),
      },
    ],
  })),
  "needs-no-version": [
    ["INIT-002", "RPC-014"],
    {
      initializeProblem: (params) =>
        absent(params["protocolVersion"]) ? undefined : rightAgent.initializeProblem(params),
    },
  ],
  "version-of-any-type": [
    ["INIT-002", "RPC-014"],
    { initializeProblem: ({ protocolVersion }) => (absent(protocolVersion) ? error(-32602) : undefined) },
  ],
  "no-capabilities": [["INIT-004", "INIT-007"], initialized((result) => ({ ...result, agentCapabilities: undefined }))],
  "silent-about-loading": ["INIT-004", capable((all) => ({ ...all, loadSession: undefined }))],
  ...each(["audio", "image", "embeddedContext"], (name) => ({
    [`silent-about-${name.toLowerCase()}`]: [
      "INIT-004",
      capable((all) => ({
        ...all,
        promptCapabilities: { ...(all["promptCapabilities"] as Json), [name]: undefined },
      })),
    ],
  })),
  ...each(["http", "sse"], (name) => ({
    [`offers-mcp-over-${name}`]: [
      "INIT-005",
      capable((all) => ({ ...all, mcpCapabilities: { ...(all["mcpCapabilities"] as Json), [name]: true } })),
    ],
  })),
  "offers-a-login": [
    "INIT-006",
    initialized((result) => ({ ...result, authMethods: [{ id: "token", name: "Token" }] })),
  ],
  "more-session-capabilities": ["INIT-007", capable((all) => ({ ...all, sessionCapabilities: { list: {} } }))],
  "refuses-authenticate": [
    "AUTH-001",
    { authenticateProblem: (params) => rightAgent.authenticateProblem(params) ?? error(-32601) },
  ],
  "forgets-sessions-at-authenticate": [
    "AUTH-001",
    () => {
      const open = new Set<unknown>();
      const forgotten = new Set<unknown>();
      return patch({
        newSessionResult(session, modes) {
          open.add(session.id);
          return rightAgent.newSessionResult(session, modes);
        },
        authenticateProblem(params) {
          for (const id of open) forgotten.add(id);
          return rightAgent.authenticateProblem(params);
        },
        promptProblem: (params) =>
          forgotten.has(params["sessionId"]) ? error(-32602, "unknown session") : rightAgent.promptProblem(params),
      });
    },
    { cases: ["authenticate.no-op"] },
  ],
  "token-for-authenticate": [
    "AUTH-001",
    { result: (method, result) => (method === "authenticate" ? { token: "t" } : result) },
  ],
});

const opens = (
  method: string,
  problem: Pick<AgentBehavior, "cwdProblem"> | Pick<AgentBehavior, "mcpServersProblem">,
): Partial<AgentBehavior> => {
  const { cwdProblem, mcpServersProblem } = { ...rightAgent, ...problem };
  return patch({
    cwdProblem: (cwd, of) => (of === method ? cwdProblem : rightAgent.cwdProblem)(cwd, of),
    mcpServersProblem: (servers, of) => (of === method ? mcpServersProblem : rightAgent.mcpServersProblem)(servers, of),
  });
};
const anyPath = { cwdProblem: (cwd: unknown) => (typeof cwd === "string" && cwd !== "" ? undefined : error(-32602)) };

const noServers = {
  mcpServersProblem: (servers: unknown, method: string) =>
    servers === undefined ? undefined : rightAgent.mcpServersProblem(servers, method),
};

const sessionMutants = broken({
  "opens-no-session": [
    "SESSION-001",
    {
      mcpServersProblem: (servers, method) =>
        rightAgent.mcpServersProblem(servers, method) ??
        (method === "session/new" ? error(-32603, "no session") : undefined),
    },
  ],
  "one-session-for-all": ["SESSION-002", { sessionId: () => "the-session" }, { collateral: ["TURN-010", "PERM-003"] }],
  "new-without-mcp-servers": [["SESSION-004", "RPC-013", "RPC-014"], opens("session/new", noServers)],
  "empty-cwd": [
    "SESSION-003",
    { cwdProblem: (cwd, method) => (cwd === "" ? undefined : rightAgent.cwdProblem(cwd, method)) },
  ],
  "loads-nothing": [
    "SESSION-005",
    { cwdProblem: (cwd, method) => (method === "session/load" ? error(-32602) : rightAgent.cwdProblem(cwd, method)) },
  ],
  "forgets-every-turn": ["SESSION-013", { recalls: () => [] }, { collateral: ["SESSION-014", "RESUME-002"] }],
  "one-memory-for-all": ["SESSION-013", { recalls: (_own, all) => all.flatMap(({ past }) => past) }],
  "forgets-what-it-loads": [
    "SESSION-014",
    {
      loadSessionResult(session, modes) {
        session.past.length = 0;
        return rightAgent.loadSessionResult(session, modes);
      },
    },
  ],
  "loaded-sessions-are-dead": [
    "SESSION-005",
    {
      loadSessionResult(session, modes) {
        session.turn = new AbortController();
        return rightAgent.loadSessionResult(session, modes);
      },
    },
  ],
  "loads-what-is-not-there": [
    "SESSION-006",
    { unknownSession: (method) => (method === "session/load" ? undefined : rightAgent.unknownSession(method)) },
  ],
  "loads-in-relative-cwd": [["SESSION-007", "RPC-014"], opens("session/load", anyPath)],
  "loads-without-mcp-servers": [["SESSION-007", "RPC-013", "RPC-014"], opens("session/load", noServers)],
  ...each(["http", "sse"], (type) => ({
    [`takes-mcp-over-${type}`]: [
      "MCP-001",
      {
        mcpServersProblem: (servers, method) =>
          Array.isArray(servers) && (servers as Json[]).some((server) => server["type"] === type)
            ? undefined
            : rightAgent.mcpServersProblem(servers, method),
      },
    ],
  })),
  "takes-no-mcp-servers": [
    "MCP-002",
    {
      mcpServersProblem: (servers, method) =>
        Array.isArray(servers) && servers.length > 0 ? error(-32603) : rightAgent.mcpServersProblem(servers, method),
    },
  ],
});

/** Tells of a mode that was refused: behind the refusal, or before it. */
function tellsOfRefusedModes(): Partial<AgentBehavior> {
  let sessionId: unknown;
  return patch({
    newSessionResult(session, modes) {
      sessionId = session.id;
      return rightAgent.newSessionResult(session, modes);
    },
    outgoing(message) {
      if ((message["error"] as Json | undefined)?.["message"] !== "unsupported mode") return [message];
      return [
        {
          jsonrpc: "2.0",
          method: "session/update",
          params: { sessionId, update: { sessionUpdate: "current_mode_update", currentModeId: "full" } },
        },
        message,
      ];
    },
  });
}

const modeMutants = broken({
  "current-mode-is-not-offered": ["MODE-001", { modes: (modeId) => ({ ...modesOf(modeId), currentModeId: "auto" }) }],
  "loads-a-mode-that-it-does-not-offer": [
    "MODE-001",
    {
      loadSessionResult: (session) =>
        rightAgent.loadSessionResult(session, { ...modesOf(session.modeId), currentModeId: "auto" }),
    },
    { cases: ["session.load"] },
  ],
  "modes-without-names": [
    "MODE-001",
    {
      modes: (modeId) => ({
        ...modesOf(modeId),
        availableModes: modesOf(modeId).availableModes.map((mode) => ({ ...mode, name: "" })),
      }),
    },
  ],
  "refuses-a-mode-that-it-offers": [
    "MODE-002",
    {
      setModeProblem: (params) => (params["modeId"] === "sandbox" ? error(-32602) : rightAgent.setModeProblem(params)),
    },
  ],
  "answers-with-the-mode": [
    "MODE-002",
    { result: (method, result) => (method === "session/set_mode" ? { currentModeId: "full" } : result) },
  ],
  "tells-another-mode": ["MODE-003", { modeUpdates: () => rightAgent.modeUpdates("full") }],
  "other-code-for-unknown-modes": [
    [],
    {
      setModeProblem: (params) =>
        params["modeId"] === "no-such-mode" ? error(-32603) : rightAgent.setModeProblem(params),
    },
    { cases: ["mode.*"] },
  ],
  "tells-of-refused-modes": ["MODE-004", tellsOfRefusedModes],
  "fewer-modes": [
    "MODE-005",
    { modes: (modeId) => ({ ...modesOf(modeId), availableModes: modesOf(modeId).availableModes.slice(0, 2) }) },
  ],
  "modes-by-other-names": [
    "MODE-005",
    {
      modes: (modeId) => ({
        ...modesOf(modeId),
        availableModes: modesOf(modeId).availableModes.map((mode) => ({ ...mode, name: mode["id"] })),
      }),
    },
  ],
});

/** Faults of agents with connections, sessions and modes. */
export const lifeMutants = [...initializeMutants, ...sessionMutants, ...modeMutants];
