import { mutant } from "../../../../core/mutant.js";
import { type AgentBehavior, type Json, type Refusal, rightAgent } from "../../reference/agent-behavior.js";
import { of, rewrite } from "../rewrite.js";
import { patch } from "./patch.js";

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

const initializeMutants = [
  mutant("acp.agent/other-version", {
    violates: ["ACP-INIT-001"],
    collateral: ["ACP-INIT-010", "ACP-INIT-013"],
    patch: initialized((result) => ({ ...result, protocolVersion: 2 })),
  }),
  mutant("acp.agent/version-zero", {
    violates: ["ACP-INIT-001"],
    collateral: ["ACP-INIT-010", "ACP-INIT-013"],
    patch: initialized((result) => ({ ...result, protocolVersion: 0 })),
  }),
  mutant("acp.agent/echoes-version-zero", {
    violates: ["ACP-INIT-013"],
    patch: patch({
      initializeResult: (params) => ({
        ...(rightAgent.initializeResult(params) as Json),
        protocolVersion: params["protocolVersion"] === 0 ? 0 : 1,
      }),
    }),
  }),
  mutant("acp.agent/echoes-the-version", {
    violates: ["ACP-INIT-013"],
    patch: patch({
      initializeResult: (params) => ({
        ...(rightAgent.initializeResult(params) as Json),
        protocolVersion: params["protocolVersion"],
      }),
    }),
  }),
  ...["clientInfo", "clientCapabilities"].map((field) =>
    mutant(`acp.agent/demands-${field.toLowerCase()}`, {
      violates: ["ACP-INIT-010"],
      patch: patch({
        initializeProblem: (params) =>
          absent(params[field]) ? error(-32602, `${field} is required`) : rightAgent.initializeProblem(params),
      }),
    }),
  ),
  mutant("acp.agent/needs-no-version", {
    violates: ["ACP-INIT-002", "ACP-RPC-014"],
    patch: patch({
      initializeProblem: (params) =>
        absent(params["protocolVersion"]) ? undefined : rightAgent.initializeProblem(params),
    }),
  }),
  mutant("acp.agent/other-code-for-no-version", {
    violates: ["ACP-RPC-014"],
    patch: patch({
      initializeProblem: (params) =>
        absent(params["protocolVersion"]) ? error(-32600) : rightAgent.initializeProblem(params),
    }),
  }),
  mutant("acp.agent/version-of-any-type", {
    violates: ["ACP-INIT-002", "ACP-RPC-014"],
    patch: patch({ initializeProblem: ({ protocolVersion }) => (absent(protocolVersion) ? error(-32602) : undefined) }),
  }),
  mutant("acp.agent/no-capabilities", {
    violates: ["ACP-INIT-004", "ACP-INIT-007"],
    patch: initialized((result) => ({ ...result, agentCapabilities: undefined })),
  }),
  mutant("acp.agent/silent-about-loading", {
    violates: ["ACP-INIT-004"],
    patch: capable((all) => ({ ...all, loadSession: undefined })),
  }),
  ...["audio", "image", "embeddedContext"].map((name) =>
    mutant(`acp.agent/silent-about-${name.toLowerCase()}`, {
      violates: ["ACP-INIT-004"],
      patch: capable((all) => ({
        ...all,
        promptCapabilities: { ...(all["promptCapabilities"] as Json), [name]: undefined },
      })),
    }),
  ),
  ...["http", "sse"].map((name) =>
    mutant(`acp.agent/offers-mcp-over-${name}`, {
      violates: ["ACP-INIT-005"],
      patch: capable((all) => ({ ...all, mcpCapabilities: { ...(all["mcpCapabilities"] as Json), [name]: true } })),
    }),
  ),
  mutant("acp.agent/offers-a-login", {
    violates: ["ACP-INIT-006"],
    patch: initialized((result) => ({ ...result, authMethods: [{ id: "token", name: "Token" }] })),
  }),
  mutant("acp.agent/more-session-capabilities", {
    violates: ["ACP-INIT-007"],
    patch: capable((all) => ({ ...all, sessionCapabilities: { list: {} } })),
  }),
  mutant("acp.agent/refuses-authenticate", {
    violates: ["ACP-AUTH-001"],
    patch: patch({ authenticateProblem: (params) => rightAgent.authenticateProblem(params) ?? error(-32601) }),
  }),
  mutant("acp.agent/token-for-authenticate", {
    violates: ["ACP-AUTH-001"],
    patch: patch({ result: (method, result) => (method === "authenticate" ? { token: "t" } : result) }),
  }),
];

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
const anyPathOrNone = {
  cwdProblem: (cwd: unknown) => (cwd === undefined || typeof cwd === "string" ? undefined : error(-32602)),
};
const noServers = {
  mcpServersProblem: (servers: unknown, method: string) =>
    servers === undefined ? undefined : rightAgent.mcpServersProblem(servers, method),
};

const sessionMutants = [
  mutant("acp.agent/opens-no-session", {
    violates: ["ACP-SESSION-001"],
    collateral: ["ACP-MCP-002"],
    patch: patch({
      mcpServersProblem: (servers, method) =>
        rightAgent.mcpServersProblem(servers, method) ??
        (method === "session/new" ? error(-32000, "log in first") : undefined),
    }),
  }),
  mutant("acp.agent/one-session-for-all", {
    violates: ["ACP-SESSION-002"],
    collateral: ["ACP-TURN-010", "ACP-PERM-003"],
    patch: patch({ sessionId: () => "the-session" }),
  }),
  mutant("acp.agent/every-other-session-again", {
    violates: ["ACP-SESSION-002"],
    collateral: ["ACP-TURN-010", "ACP-PERM-003"],
    patch: patch({ sessionId: (count) => `session-${Math.ceil(count / 2)}` }),
  }),
  mutant("acp.agent/new-in-relative-cwd", {
    violates: ["ACP-SESSION-003", "ACP-RPC-013", "ACP-RPC-014"],
    patch: opens("session/new", anyPath),
  }),
  mutant("acp.agent/new-without-cwd", {
    violates: ["ACP-SESSION-003", "ACP-RPC-013", "ACP-RPC-014"],
    patch: opens("session/new", anyPathOrNone),
  }),
  mutant("acp.agent/other-code-for-relative-cwd", {
    violates: ["ACP-RPC-014"],
    patch: patch({
      cwdProblem: (cwd, method) =>
        typeof cwd === "string" && !cwd.startsWith("/") ? error(-32603) : rightAgent.cwdProblem(cwd, method),
    }),
  }),
  mutant("acp.agent/new-without-mcp-servers", {
    violates: ["ACP-SESSION-004", "ACP-RPC-013", "ACP-RPC-014"],
    patch: opens("session/new", noServers),
  }),
  mutant("acp.agent/empty-cwd", {
    violates: ["ACP-SESSION-003"],
    patch: patch({ cwdProblem: (cwd, method) => (cwd === "" ? undefined : rightAgent.cwdProblem(cwd, method)) }),
  }),
  mutant("acp.agent/checks-the-first-server", {
    violates: ["ACP-MCP-001"],
    patch: patch({
      mcpServersProblem: (servers, method) =>
        rightAgent.mcpServersProblem(Array.isArray(servers) ? servers.slice(0, 1) : servers, method),
    }),
  }),
  mutant("acp.agent/loads-with-remote-servers", {
    violates: ["ACP-MCP-001"],
    patch: patch({
      mcpServersProblem: (servers, method) =>
        method === "session/load" && Array.isArray(servers) && (servers as Json[]).some(({ type }) => type !== "stdio")
          ? undefined
          : rightAgent.mcpServersProblem(servers, method),
    }),
  }),
  mutant("acp.agent/loads-nothing", {
    violates: ["ACP-SESSION-005"],
    patch: patch({
      cwdProblem: (cwd, method) => (method === "session/load" ? error(-32602) : rightAgent.cwdProblem(cwd, method)),
    }),
  }),
  mutant("acp.agent/loaded-sessions-are-dead", {
    violates: ["ACP-SESSION-005"],
    patch: patch({
      loadSessionResult(session, modes) {
        session.turn = new AbortController();
        return rightAgent.loadSessionResult(session, modes);
      },
    }),
  }),
  mutant("acp.agent/loads-what-is-not-there", {
    violates: ["ACP-SESSION-006"],
    patch: patch({
      unknownSession: (method) => (method === "session/load" ? undefined : rightAgent.unknownSession(method)),
    }),
  }),
  mutant("acp.agent/loads-in-relative-cwd", {
    violates: ["ACP-SESSION-007", "ACP-RPC-013", "ACP-RPC-014"],
    patch: opens("session/load", anyPath),
  }),
  mutant("acp.agent/loads-without-mcp-servers", {
    violates: ["ACP-SESSION-007", "ACP-RPC-013", "ACP-RPC-014"],
    patch: opens("session/load", noServers),
  }),
  ...["http", "sse"].map((type) =>
    mutant(`acp.agent/takes-mcp-over-${type}`, {
      violates: ["ACP-MCP-001"],
      patch: patch({
        mcpServersProblem: (servers, method) =>
          Array.isArray(servers) && (servers as Json[]).some((server) => server["type"] === type)
            ? undefined
            : rightAgent.mcpServersProblem(servers, method),
      }),
    }),
  ),
  mutant("acp.agent/takes-no-mcp-servers", {
    violates: ["ACP-MCP-002"],
    patch: patch({
      mcpServersProblem: (servers, method) =>
        Array.isArray(servers) && servers.length > 0 ? error(-32603) : rightAgent.mcpServersProblem(servers, method),
    }),
  }),
];

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

const modeMutants = [
  mutant("acp.agent/current-mode-is-not-offered", {
    violates: ["ACP-MODE-001"],
    patch: patch({ modes: (modeId) => ({ ...modesOf(modeId), currentModeId: "auto" }) }),
  }),
  mutant("acp.agent/loads-a-mode-that-it-does-not-offer", {
    violates: ["ACP-MODE-001"],
    cases: ["acp.agent.session.load"],
    patch: patch({
      loadSessionResult: (session) =>
        rightAgent.loadSessionResult(session, { ...modesOf(session.modeId), currentModeId: "auto" }),
    }),
  }),
  mutant("acp.agent/modes-without-names", {
    violates: ["ACP-MODE-001"],
    patch: patch({
      modes: (modeId) => ({
        ...modesOf(modeId),
        availableModes: modesOf(modeId).availableModes.map((mode) => ({ ...mode, name: "" })),
      }),
    }),
  }),
  mutant("acp.agent/refuses-a-mode-that-it-offers", {
    violates: ["ACP-MODE-002"],
    patch: patch({
      setModeProblem: (params) => (params["modeId"] === "sandbox" ? error(-32602) : rightAgent.setModeProblem(params)),
    }),
  }),
  mutant("acp.agent/answers-with-the-mode", {
    violates: ["ACP-MODE-002"],
    patch: patch({ result: (method, result) => (method === "session/set_mode" ? { currentModeId: "full" } : result) }),
  }),
  mutant("acp.agent/silent-about-modes", { violates: ["ACP-MODE-003"], patch: patch({ modeUpdates: () => [] }) }),
  mutant("acp.agent/tells-modes-twice", {
    violates: ["ACP-MODE-003"],
    patch: patch({ modeUpdates: (modeId) => [...rightAgent.modeUpdates(modeId), ...rightAgent.modeUpdates(modeId)] }),
  }),
  mutant("acp.agent/tells-another-mode", {
    violates: ["ACP-MODE-003"],
    patch: patch({ modeUpdates: () => rightAgent.modeUpdates("full") }),
  }),
  mutant("acp.agent/modes-in-any-case", {
    violates: ["ACP-MODE-004"],
    patch: patch({
      setModeProblem: ({ modeId, ...params }) =>
        rightAgent.setModeProblem({ ...params, modeId: typeof modeId === "string" ? modeId.toLowerCase() : modeId }),
    }),
  }),
  mutant("acp.agent/sets-any-mode", {
    violates: ["ACP-MODE-004"],
    patch: patch({ setModeProblem: ({ modeId }) => (typeof modeId === "string" ? undefined : error(-32602)) }),
  }),
  mutant("acp.agent/other-code-for-unknown-modes", {
    violates: [],
    cases: ["acp.agent.mode.*"],
    patch: patch({
      setModeProblem: (params) =>
        params["modeId"] === "no-such-mode" ? error(-32603) : rightAgent.setModeProblem(params),
    }),
  }),
  mutant("acp.agent/tells-of-refused-modes", { violates: ["ACP-MODE-004"], patch: tellsOfRefusedModes }),
  mutant("acp.agent/fewer-modes", {
    violates: ["ACP-MODE-005"],
    patch: patch({
      modes: (modeId) => ({ ...modesOf(modeId), availableModes: modesOf(modeId).availableModes.slice(0, 2) }),
    }),
  }),
  mutant("acp.agent/modes-of-its-own", {
    violates: ["ACP-MODE-005"],
    patch: patch({
      modes: () => ({
        currentModeId: "ask",
        availableModes: [
          { id: "ask", name: "Ask" },
          { id: "code", name: "Code" },
        ],
      }),
      setModeProblem: ({ modeId }) =>
        modeId === "ask" || modeId === "code" || modeId === "full" ? undefined : error(-32602),
    }),
  }),
  mutant("acp.agent/modes-are-silently-lost", {
    violates: ["ACP-MODE-003"],
    patch: rewrite(
      (message) => of("session/update")(message) && JSON.stringify(message).includes("current_mode_update"),
      () => undefined,
    ),
  }),
];

/** What agents get wrong with connections, sessions and modes. */
export const lifeMutants = [...initializeMutants, ...sessionMutants, ...modeMutants];
