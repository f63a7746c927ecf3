import { isObject } from "@editwire/core";
import { fits } from "../../../core/talk/judge.js";
import { encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { accept } from "../accept.js";
import { table } from "../table.js";
import { type Json, type Reader, type Refusal, rightServer } from "./server-behavior.js";

/** How the client takes what it cannot use: it goes on, or it gives up the connection. */
export type Reaction = "survive" | "die";

/** Every content type that the reference client shows or passes over on purpose. */
const known = [
  "text",
  "url",
  "progress",
  "usage",
  "reasonStarted",
  "reasonText",
  "reasonFinished",
  "toolCallPrepare",
  "toolCallRun",
  "toolCalled",
  "toolCallRejected",
];

const toolStates: Readonly<Record<string, string>> = {
  toolCallPrepare: "prepared",
  toolCallRun: "running",
  toolCalled: "called",
  toolCallRejected: "rejected",
};

/** One context of every kind. */
const contexts: readonly Json[] = [
  { type: "repoMap" },
  { type: "file", path: "/tmp/a.ts", linesRange: { start: 1, end: 3 } },
  { type: "directory", path: "/tmp" },
  { type: "web", url: "https://example.org" },
  {
    type: "mcpResource",
    uri: "file:///tmp/a.md",
    name: "a.md",
    description: "A file",
    mimeType: "text/markdown",
    server: "files",
  },
];

/**
 * Every decision of the reference client, as the spec wants it. A mutant replaces one of them; the functions take what
 * they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightClient = {
  reader: (): Reader => new FrameCutter(),
  /** The messages sent for bytes that are not a message. */
  noise: (): readonly Json[] | "die" => rightServer.notJson(),
  outgoing: (message: Json): readonly unknown[] => [message],
  encode: (message: unknown): Uint8Array => encodeFrame(message, "header"),

  initializeParams: (): Json => ({
    processId: null,
    clientInfo: { name: "conformance-reference", version: "1.0.0" },
    initializationOptions: { chatBehavior: "agent" },
    capabilities: { codeAssistant: { chat: true, doc: false, edit: false, fix: false } },
    workspaceFolders: [{ uri: "file:///tmp", name: "tmp" }],
  }),
  /** Messages ahead of the answer to `initialize`, and behind it. */
  early: (): readonly Json[] => [],
  initialized: (): readonly Json[] => [{ jsonrpc: "2.0", method: "initialized", params: {} }],
  /** Whether notifications ahead of the first action are taken in. */
  listensAtOnce: true,
  shutdown: "wait" as "wait" | "exit-at-once" | "exit-first" | "no-exit" | "exit-alone",
  /** Params of shutdown and exit. */
  nothing: (): Json => ({}),
  /** Whether calls fail when the connection is lost. */
  failsAtEnd: true,

  promptParams: (chatId: string | undefined, requestId: number, message: unknown): Json => ({
    ...(chatId !== undefined && { chatId }),
    requestId: String(requestId),
    message,
    model: "test/one",
    behavior: "agent",
    contexts,
  }),
  /** The id of a new chat; `undefined` leaves it to the server. */
  mintedId: (): string | undefined => undefined,
  /** Whether contents of a chat that no answer has named yet are kept for it. */
  keepsEarly: true,
  refusalEnds: true,
  onContent: (_params: Json): Reaction => "survive",
  /** Whether a content ends the turn of its chat. */
  isEnd: ({ type, state }: Json): boolean => type === "progress" && state === "finished",
  secondEnd: (): Reaction => "survive",
  joined: (before: string, text: string): string => before + text,
  /** Whether contents of a type are taken in. */
  shows: (type: unknown): boolean => known.includes(String(type)),
  showsTextOf: (role: unknown): boolean => role === "assistant" || role === "system",
  /** How a tool call is shown after a content; `undefined`: the content is about none. */
  toolState: ({ type }: Json): string | undefined => toolStates[String(type)],
  /** Whether a tool call is shown that begins without toolCallPrepare. */
  showsUnprepared: true,
  toolArguments: (_prepared: string, run: unknown): unknown => run,
  toolError: ({ error }: Json): boolean => error === true,
  toolText: (output: Json): string => String(output["text"] ?? output["content"] ?? ""),
  /** The messages sent for the user's decision. */
  decision: (chatId: string, toolCallId: unknown, approved: boolean): readonly Json[] => [
    {
      jsonrpc: "2.0",
      method: approved ? "chat/toolCallApprove" : "chat/toolCallReject",
      params: { chatId, toolCallId },
    },
  ],
  /** Whether the user is asked about a call. */
  asks: ({ type, manualApproval }: Json): boolean => type === "toolCallRun" && manualApproval === true,
  stopParams: (chatId: string): Json => ({ chatId }),
  deleteParams: (chatId: unknown, _all: readonly unknown[]): Json => ({ chatId }),
  /** Whether the tool calls of a chat are gone when it is emptied. */
  clearsToolCalls: true,
  /** Whether they are emptied when the server has answered, not before. */
  emptiesAfterAnswer: true,
  /** The chats that are emptied when one is deleted. */
  emptied: <Chat>(own: Chat, _all: readonly Chat[]): readonly Chat[] => [own],
  contextQuery: (chatId: string | undefined, query: unknown): Json => ({
    ...(chatId !== undefined && { chatId }),
    query,
    contexts: [],
  }),
  commandQuery: (chatId: string | undefined, query: unknown): Json => ({
    ...(chatId !== undefined && { chatId }),
    query,
  }),
  onFound: (_result: Json): Reaction => "survive",
  /** The part of the results that the user is offered. */
  offered: (found: readonly Json[]): readonly Json[] => found,
  onServer: (_params: Json): Reaction => "survive",
  /** Which status of a server is shown: of the news before, if there were any, or of those that came. */
  serverStatus: (_before: unknown, status: unknown): unknown => status,
  /** The name under which a server is kept. */
  serverName: (name: unknown): unknown => name,
  /** Whether the user is shown a message of the server. */
  showsMessage: (): boolean => true,
  messageType: (type: unknown): unknown => (["error", "warning", "info"].includes(String(type)) ? type : "info"),

  /** The answers to requests of 2026 servers. */
  answers: (_method: string): Json | undefined => undefined,
  /** Whether a notification empties the chat that it names. */
  clears: (_method: string): boolean => false,
  unknownRequest: (method: string): Refusal | undefined => ({ code: -32601, message: `Method not found: ${method}` }),
  unknownNotification: (_method: string): Reaction => "survive",
  /** Which open call an answer is for. */
  match: (id: unknown, open: readonly number[]): number | undefined => open.find((one) => one === id),
  strayAnswer: (): Reaction => "survive",
  /** Why a call fails for its result; null: it never ends. */
  resultProblem: (method: string, result: unknown): string | undefined | null =>
    fits(table, method, "result", accept(method, "result", result)) === false
      ? `the result of ${method} is malformed`
      : undefined,
};

/** The reference client's switches. */
export type ClientBehavior = typeof rightClient;

/** An object, or an empty one. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
