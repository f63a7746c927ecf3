import { isObject } from "@editwire/core";
import { encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { accept } from "../accept.js";
import { methodsFrom, takesParams } from "../samples.js";

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
}
/** A message with the text of its header, or what stands in its place. */
export type ReaderCut =
  | { readonly ok: true; readonly message: unknown; readonly frame?: { readonly detail?: string | undefined } }
  | { readonly ok: false; readonly problem?: string };
/** A chat of the reference server. */
export interface ServerChat {
  readonly id: string;
  /** Aborted by `chat/promptStop`; there while a turn runs. */
  turn: AbortController | undefined;
  /** Tool calls that wait for the user, by id. */
  readonly waiting: Map<string, (approved: boolean) => void>;
  tools: number;
  /** The user's messages, in order. */
  readonly said: string[];
}

const refuse = (code: number, message: string): Refusal => ({ code, message });
const charset = /charset=([^;\s]+)/i;
const contexts: readonly Json[] = [
  { type: "repoMap" },
  { type: "directory", path: "/project/src" },
  { type: "file", path: "/project/src/a.ts" },
  { type: "web", url: "https://example.org" },
  {
    type: "mcpResource",
    uri: "file:///project/a.md",
    name: "a.md",
    description: "A file",
    mimeType: "text/markdown",
    server: "files",
  },
];
const commands: readonly Json[] = [
  { name: "costs", description: "Costs of the chat", type: "native", arguments: [] },
  {
    name: "files:review",
    description: "Reviews a file",
    type: "mcp-prompt",
    arguments: [{ name: "path", description: "Which", required: true }],
  },
];

const mcpServers: readonly Json[] = ["files", "search"].map((name) => ({ type: "mcp", name, command: name, args: [] }));

/**
 * Every decision of the reference server, as the spec wants it. A mutant replaces one of them; the functions take what
 * they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightServer = {
  /** First chance to change or drop bytes of the client. */
  incoming: (chunk: Uint8Array): Uint8Array => chunk,
  reader: (): Reader => new FrameCutter(),
  /** The fault in the header of a message. */
  headerProblem(header: string): Refusal | undefined {
    const found = charset.exec(header)?.[1];
    return found === undefined || /^utf-?8$/i.test(found)
      ? undefined
      : refuse(-32700, `the charset ${found} is not supported`);
  },
  /** Last chance to change, drop or repeat a message. */
  outgoing: (message: Json): readonly unknown[] => [message],
  encode: (message: unknown): Uint8Array => encodeFrame(message, "header"),
  /** Hands bytes to the wire: when, and in which pieces. */
  write: (bytes: Uint8Array, put: (bytes: Uint8Array) => void): void => put(bytes),
  /** Whether the server ends when its input does, at `exit`, and behind the answer to `shutdown`. */
  endsAt: (what: "input" | "exit" | "shutdown"): boolean => what !== "shutdown",
  /** The process whose end is the server's end. */
  parent: ({ processId }: Json): number | undefined => (typeof processId === "number" ? processId : undefined),

  /** Why a request is refused before `initialize`. */
  early: (_method: string): Refusal | undefined => refuse(-32002, "Server not initialized"),
  initializeProblem: (_params: Json): Refusal | undefined => undefined,
  initializeResult({ initializationOptions }: Json): Json {
    const wanted = isObject(initializationOptions) ? initializationOptions["chatBehavior"] : undefined;
    return {
      models: ["test/one", "test/two"],
      chatDefaultModel: "test/one",
      chatBehaviors: ["agent", "plan"],
      chatDefaultBehavior: wanted === "plan" ? "plan" : "agent",
      chatWelcomeMessage: "Welcome\n",
    };
  },
  /** The messages sent at `initialize`, ahead of its answer. */
  beforeInitialized: (): readonly Json[] => [],
  /** The MCP servers reported at `initialized`. */
  servers: (): readonly Json[] => [
    {
      type: "native",
      name: "ECA",
      status: "running",
      tools: [{ name: "read_file", description: "Reads", parameters: { type: "object" }, disabled: false }],
    },
    ...mcpServers.map((server) => ({ ...server, status: "running", tools: [] })),
  ],
  /** The messages shown to the user at `initialized`. */
  messages: (): readonly Json[] => [{ type: "info", message: "Ready" }],
  /** The messages of a 2026 server at `initialized`. */
  announces: (): readonly Json[] => [],
  /** The messages of a 2026 server when a chat begins to run or becomes idle. */
  chatStatus: (_chatId: string, _status: "running" | "idle"): readonly Json[] => [],
  /** The answers to requests of the 2026 dialect. */
  v2026Result: (_method: string, _params: Json, _chats: ReadonlyMap<string, ServerChat>): Json | undefined => undefined,
  /** Last chance to change the result of a request. */
  result: (_method: string, result: unknown): unknown => result,

  /** The fault in params. */
  paramsProblem(method: string, params: unknown): Refusal | undefined {
    return !methodsFrom("client", "request").includes(method) || takesParams(method, accept(method, "params", params))
      ? undefined
      : refuse(-32602, `${method}: invalid params`);
  },
  /** The params as the server reads them; nulls stand for what is absent. */
  read: (params: Json): Json =>
    Object.fromEntries(Object.entries(params).filter(([key, value]) => value !== null || key === "processId")),
  /** The params to use in place of a value that is not an object; `undefined`: refused. */
  noParams: (params: unknown, _method: string): Json | undefined =>
    params === undefined || params === null || (Array.isArray(params) && params.length === 0) ? {} : undefined,
  chatId: (count: number): string => `chat-${count}`,
  /** The id under which a client's chat is kept, beside those of other chats; `undefined`: it is refused. */
  adopt: (chatId: string, _chats: ReadonlyMap<string, unknown>): string | undefined => chatId,
  promptResult: (chatId: string, { model = "test/one" }: Json): Json => ({ chatId, model, status: "success" }),
  /** Params of a content, from the chat's id, the prompt's params and the content. */
  contentParams: (chatId: string, { requestId }: Json, role: string, content: Json): Json => ({
    chatId,
    role,
    content,
    ...(requestId !== undefined && { requestId }),
  }),
  /** The contents to send in place of one. */
  contents: (role: string, content: Json): readonly { role: string; content: Json }[] => [{ role, content }],
  unknownContext: (_context: Json): "ignore" | "fail" => "ignore",
  /** Whether a turn waits for another one. */
  oneTurnInAll: false,
  /** The id of a chat's n-th tool call. */
  toolId: (chat: ServerChat): string => `${chat.id}-tool-${++chat.tools}`,
  prepares: (text: string): readonly string[] => [text],
  /** Whether a tool waits for the user. */
  waits: (manualApproval: boolean): boolean => manualApproval,
  /** Resolves when a tool that waits runs without the user's word. */
  patience: (): Promise<void> => new Promise(() => {}),
  reject: "user",
  /** Whether a tool runs after the user's word. */
  runs: (approved: boolean): boolean => approved,
  /** The chat in which a call waits for the user's word. */
  chatOf: (chats: ReadonlyMap<string, ServerChat>, { chatId }: Json): ServerChat | undefined =>
    chats.get(String(chatId)),
  /** The reaction to a decision about an unknown call. */
  unknownCall: (): readonly Json[] | "die" => [],
  finished: (_how: "done" | "stopped" | "failed" | "rejected"): readonly Json[] => [
    { type: "progress", state: "finished", text: "" },
  ],
  usage: ({ said }: ServerChat): Json => ({
    type: "usage",
    messageInputTokens: 10,
    messageOutputTokens: 5,
    sessionTokens: 15 * said.length,
    messageCost: "0.01",
    sessionCost: "0.01",
  }),
  /** The user's earlier messages in the chat that a turn remembers. */
  remembers: (said: readonly string[]): readonly string[] => said,
  /** The chats that are forgotten when one is deleted. */
  forgotten: (chatId: string, _all: readonly string[]): readonly string[] => [chatId],
  /** Ends the turn; the messages that are sent for it. */
  stop(chat: ServerChat | undefined, _all: readonly ServerChat[] = []): readonly Json[] {
    chat?.turn?.abort();
    return [];
  },
  /** Whether the model's loop goes on after a call. */
  loopsOn: (aborted: boolean): boolean => !aborted,
  /** Whether calls that wait are rejected when the turn is stopped. */
  rejectsAtStop: true,
  /** Whether requests are answered while a turn runs. */
  responsive: true,

  queryContext({ chatId, query, contexts: given }: Json): Json {
    const known = new Set((Array.isArray(given) ? given : []).map((context) => JSON.stringify(context)));
    const found = contexts.filter(
      (context) => JSON.stringify(context).includes(String(query).trim()) && !known.has(JSON.stringify(context)),
    );
    return { ...(chatId !== undefined && { chatId }), contexts: found };
  },
  queryCommands: ({ chatId, query }: Json): Json => ({
    ...(chatId !== undefined && { chatId }),
    commands: commands.filter(({ name }) => String(name).includes(String(query).trim())),
  }),
  deleteProblem: (_chat: ServerChat | undefined): Refusal | undefined => undefined,
  /** Whether the turn of a chat ends that is deleted. */
  endsDeleted: true,
  /** The servers that are reported at mcp/stopServer and mcp/startServer. */
  mcpUpdates: (name: unknown, status: "stopped" | "running"): readonly Json[] | "die" =>
    mcpServers.filter((server) => server["name"] === name).map((server) => ({ ...server, status })),

  unknownRequest: (method: string): Refusal | undefined => refuse(-32601, `Method not found: ${method}`),
  unknownNotification: (_method: string): readonly Json[] | "die" => [],
  notJson: (_problem?: string): readonly Json[] | "die" => [
    { jsonrpc: "2.0", id: null, error: refuse(-32700, "Parse error") },
  ],
  notRpc: (_message: unknown): readonly Json[] => [
    { jsonrpc: "2.0", id: null, error: refuse(-32600, "Invalid Request") },
  ],
};

/** The reference server's switches. */
export type ServerBehavior = typeof rightServer;
