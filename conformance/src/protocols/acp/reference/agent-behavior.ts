import { ContentBlock, McpServer } from "@editwire/acp-schema";
import { isObject, methodOf, validatorOf } from "@editwire/core";
import { agentResult, modes, permissionOptions } from "../as-agent.js";
import { table } from "../table.js";
import { sampleResult, takesParams } from "../samples.js";
import { encodeFrame, FrameCutter } from "../../../wire/framing.js";

/** How a message is framed. */
export type Framing = "line" | "header";
/** A JSON object. */
export type Json = Record<string, unknown>;
/** The error of a refused request. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}
/** Reads bytes: returns the messages, and errors for bytes that are not a message. */
export interface Reader {
  push(chunk: Uint8Array): readonly ReaderCut[];
  /** Called at the end of the bytes; returns the rest. */
  end?(): readonly unknown[];
}
/** A message, with its framing where the reader tells, or what stands in its place. */
export type ReaderCut =
  | { readonly ok: true; readonly message: unknown; readonly frame?: { readonly framing?: string | undefined } }
  | { readonly ok: false; readonly problem?: string };
/** A session of the reference agent. */
export interface AgentSession {
  readonly id: string;
  readonly cwd: string;
  modeId: string;
  /** Aborted by `session/cancel`; there while a turn runs. */
  turn: AbortController | undefined;
  /** True from `session/close` until the session is loaded or resumed. */
  isClosed: boolean;
  /** The messages of the session, which a load may replay. */
  readonly history: Json[];
  /** The user's messages in the session. */
  readonly past: string[];
}

/** The effects of a request that only the method table describes. */
export interface Other {
  readonly updates: readonly Json[];
  readonly result: unknown;
}

const isAbsolute = (path: unknown): boolean => typeof path === "string" && path.startsWith("/");
const refuse = (code: number, message: string): Refusal => ({ code, message });

/** The modes of the spec, section 9. */
const availableModes = [
  ...modes.availableModes,
  { id: "safe", name: "Safe Mode", description: "Excludes potentially dangerous tools" },
  { id: "sandbox", name: "Sandbox Mode", description: "Disable local file/shell tools; use sandbox_* tools instead" },
];

/**
 * Every decision of the reference agent, as the spec wants it. A mutant replaces one of them; the functions take what
 * they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightAgent = {
  /** First chance to change or drop bytes of the client. */
  incoming: (chunk: Uint8Array): Uint8Array => chunk,
  /** How bytes are read; one reader for each connection. */
  reader: (): Reader => new FrameCutter(),
  /** Whether the output ends when the input does; `broken`: within a message. */
  endsWithInput: (_broken: boolean): boolean => true,
  /** Last chance to change, drop or repeat a message. */
  outgoing: (message: Json): readonly unknown[] => [message],
  /** The bytes of one message. */
  encode: (message: unknown, framing: Framing): Uint8Array => encodeFrame(message, framing),
  /** Hands bytes to the wire: when, and in which pieces. */
  write: (bytes: Uint8Array, put: (bytes: Uint8Array) => void): void => put(bytes),
  /** Framing of the output: that of the client's first message. */
  framing: (first: Framing, _latest: Framing): Framing => first,

  /** Last chance to change a result. */
  result: (_method: string, result: unknown): unknown => result,
  initializeProblem: ({ protocolVersion }: Json): Refusal | undefined =>
    Number.isInteger(protocolVersion) ? undefined : refuse(-32602, "protocolVersion is required"),
  initializeResult: (_params: Json): unknown => ({
    ...agentResult,
    agentInfo: { name: "conformance-reference", title: "Reference agent", version: "1.0.0" },
  }),
  authenticateProblem: ({ methodId }: Json): Refusal | undefined =>
    typeof methodId === "string" ? undefined : refuse(-32602, "methodId is required"),

  /** The fault in the `cwd` of a session/new or session/load. */
  cwdProblem: (cwd: unknown, _method: string): Refusal | undefined =>
    typeof cwd !== "string" || cwd === ""
      ? refuse(-32602, "cwd is required")
      : isAbsolute(cwd)
        ? undefined
        : refuse(-32602, "cwd must be an absolute path"),
  /** Reads what another dialect writes. */
  readServers: (servers: unknown): unknown => servers,
  mcpServersProblem(servers: unknown, _method: string): Refusal | undefined {
    if (!Array.isArray(servers)) return refuse(-32602, "mcpServers is required");
    for (const server of servers as unknown[]) {
      if (!isObject(server)) return refuse(-32602, "an MCP server is an object");
      if (server["type"] !== "stdio")
        return {
          code: -32603,
          message: "failed to configure MCP servers",
          data: `unsupported type ${String(server["type"])}`,
        };
      if (!validatorOf(McpServer).fits(server))
        return refuse(-32602, "an MCP server needs name, command, args and env");
    }
    return undefined;
  },
  sessionId: (count: number): string => `session-${count}`,
  modes: (modeId: string): unknown => ({ currentModeId: modeId, availableModes }),
  newSessionResult: (session: AgentSession, modes: unknown): unknown => ({ sessionId: session.id, modes }),
  unknownSession: (_method: string): Refusal | undefined => refuse(-32602, "session not found"),
  /** The user's messages that a turn remembers. */
  recalls: (session: AgentSession, _all: readonly AgentSession[]): readonly string[] => session.past,
  /** The updates that report a session's history when it is loaded. */
  replay: (_history: readonly Json[]): readonly Json[] => [],
  loadSessionResult: (_session: AgentSession, modes: unknown): unknown => ({ modes }),

  promptProblem: ({ prompt }: Json): Refusal | undefined => {
    if (!Array.isArray(prompt)) return refuse(-32602, "prompt must be an array");
    // They are sent back as they came, so each has to be whole.
    const ok = prompt.every((block: unknown) => validatorOf(ContentBlock).fits(block));
    return ok ? undefined : refuse(-32602, "prompt must be an array of content blocks");
  },
  /** Why a prompt cannot be run now. */
  busy: (session: AgentSession, _all: readonly AgentSession[]): Refusal | undefined =>
    session.turn === undefined ? undefined : refuse(-32600, "prompt already running"),
  /** Called when a turn is over. */
  endTurn: (session: AgentSession, _failed?: boolean): void => void (session.turn = undefined),
  stopReason: (reason: string): unknown => reason,
  promptResult: (stopReason: unknown): unknown => ({ stopReason }),
  /** Ends the turn at `session/cancel`; the messages that are sent for it. */
  cancel(session: AgentSession | undefined, _all: readonly AgentSession[] = []): readonly Json[] {
    session?.turn?.abort();
    return [];
  },
  /** The updates that are sent for one update. */
  updates: (update: Json): readonly Json[] => [update],

  setModeProblem: ({ modeId }: Json): Refusal | undefined =>
    availableModes.some(({ id }) => id === modeId) ? undefined : refuse(-32602, "unsupported mode"),
  modeUpdates: (modeId: string): readonly Json[] => [{ sessionUpdate: "current_mode_update", currentModeId: modeId }],

  permissionOptions: (): unknown => permissionOptions,
  permissionToolCall: (toolCall: Json): unknown => toolCall,
  /** The id of the tool call of the agent's n-th turn. */
  toolCallId: (count: number): string => `call-${count}`,
  /** The id of the agent's n-th request. */
  requestId: (count: number): unknown => count,
  /** Which of the open requests an answer is for, by its place among them. */
  answered: (id: unknown, open: readonly unknown[]): number => open.indexOf(id),
  /** Waits for the answer to a permission request. */
  patience: (answer: Promise<Json | undefined>): Promise<Json | undefined> => answer,
  /** Whether a canceled turn ends before its permission request is answered. */
  cancelsRequests: (): boolean => true,
  /** Whether a client's answer lets the tool run. */
  allows: (outcome: Json | undefined): boolean =>
    outcome?.["outcome"] === "selected" && outcome["optionId"] === "allow_once",

  /** Whether it uses a method of a client with these capabilities. */
  uses: (method: string, capabilities: Json): boolean => {
    const found = (methodOf(table, method)?.capability ?? "")
      .split(".")
      .reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), capabilities);
    return found === true || isObject(found);
  },
  /** Last chance to change what it asks the client for. */
  serviceParams: (_method: string, params: Json): Json => params,
  commandSignal: (turn: AbortSignal): AbortSignal | undefined => turn,
  /** The requests that follow when a terminal is no longer needed. */
  leaves: (_wasKilled: boolean): readonly string[] => ["terminal/release"],

  /** Base URL of the language model behind the agent, if it has one. */
  model: undefined as string | undefined,
  /** The signal that ends a question to the model, made from the one that ends the turn. */
  modelSignal: (turn: AbortSignal): AbortSignal | undefined => turn,
  /** Further questions to the model once it has answered or was given up. */
  furtherPrompts: (_prompt: string): readonly string[] => [],

  /** The fault in a request that only the method table describes. */
  otherProblem: (method: string, params: Json): Refusal | undefined =>
    takesParams(method, params) ? undefined : refuse(-32602, `invalid params of ${method}`),
  /** Requests that it answers although the method table here lacks them. */
  more: [] as readonly string[],
  /** The effects of such a request: the updates that are sent, and the result. */
  other: (
    method: string,
    _params: Json,
    _session: AgentSession | undefined,
    _sessions: Map<string, AgentSession>,
  ): Other => ({
    updates: [],
    result: sampleResult(method),
  }),
  unknownRequest: (method: string): Refusal | undefined => refuse(-32601, `unknown method: ${method}`),
  /** The messages sent for a notification of an unknown method. */
  unknownNotification: (_method: string): readonly Json[] => [],
  /** The messages sent for bytes that are not JSON. */
  notJson: (_problem: string): readonly Json[] => [{ jsonrpc: "2.0", id: null, error: refuse(-32700, "Parse error") }],
  /** The messages sent for JSON that is not a JSON-RPC message. */
  notRpc: (_message: unknown): readonly Json[] => [
    { jsonrpc: "2.0", id: null, error: refuse(-32600, "Invalid Request") },
  ],
};

/** The reference agent's switches. */
export type AgentBehavior = typeof rightAgent;
