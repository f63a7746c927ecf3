import { randomUUID } from "node:crypto";
import { isObject } from "@editwire/core";
import type { Outcome } from "../backend-role.js";
import { chatPath, tools, type ToolName } from "../samples.js";
import type { Json } from "./tool-failure.js";

/** A plugin that is connected. */
export interface BackendSite {
  /** The `sessionId` under which it dialed. */
  readonly session: string;
  readonly projectKey: string;
  /** The backend's own id of the connection. */
  readonly id: string;
}

/** A call that waits for its result. */
export interface PendingCall {
  readonly id: string;
  readonly tool: string;
  readonly site: BackendSite;
}

/** The fields of a result, and the id that it is for. */
export interface BackendResult {
  readonly id: unknown;
  readonly fields: Json;
}

/** A backend's reaction to an oddity: ignore it, or end the connection. */
export type BackendReaction = "drop" | "die";

/** An oddity that a plugin may send and a backend must survive. */
export type BackendOddity = "frame" | "binary" | "type" | "data" | "id";

/** A backend's answer to a message that is not a result. */
export interface BackendWords {
  readonly messages: readonly Json[];
  /** A file that is read by a call before it says the rest. */
  readonly reads?: string | undefined;
  readonly afterwards?: readonly Json[] | undefined;
}

let calls = 0;
const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Every decision of the reference backend, as the specification wants it. A mutant replaces one of them; the functions
 * take what they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightBackend = {
  /** The status with which an upgrade is refused; `undefined` if it is taken. */
  refuses: ({ pathname }: URL, origin: string | undefined): number | undefined =>
    pathname !== chatPath ? 404 : origin !== undefined && !loopback.test(origin) ? 403 : undefined,
  /** The reason for which a connection is closed at once; `undefined` if it stays. */
  rejects: (query: URLSearchParams): string | undefined => {
    if (!query.get("sessionId")) return "INVALID_SESSION: sessionId is missing";
    return query.get("projectKey") ? undefined : "INVALID_PARAMS: projectKey is missing";
  },
  /** The data of the pong that answers a ping; `undefined`: none. */
  pong: (data: Buffer): Buffer | undefined => data,
  /** Bytes of a message that it takes. */
  maxBytes: 10 * 1024 * 1024,
  /** The id of a connection. */
  siteId: (): string => randomUUID(),
  /** The param that a call lacks; `undefined` if it may be sent. */
  missing: (tool: string, params: Json): string | undefined =>
    tools[tool as ToolName].required.find((name) => params[name] === undefined || params[name] === null),
  /** The id of a call. */
  callId: (tool: string, site: BackendSite): string => `${tool}-${site.id.slice(0, 8)}-${Date.now()}-${++calls}`,
  /** The message of a call. */
  call: (id: string, tool: string, params: Json, { id: webSocketSessionId, projectKey }: BackendSite): Json => ({
    type: "TOOL_CALL",
    toolCallId: id,
    toolName: tool,
    params: { ...params, projectKey, webSocketSessionId },
    webSocketSessionId,
  }),
  /** Last chance to change, drop or repeat a message. */
  outgoing: (message: Json): readonly unknown[] => [message],
  encode: (message: unknown): string | Uint8Array => JSON.stringify(message),
  /** The messages sent on a new connection. The specification has none. */
  greeting: (_site: BackendSite): readonly Json[] => [],
  /** The answer to a message that is not a result, or to bytes that are not a message. */
  words: (_what: BackendOddity, _message: Json, _site: BackendSite): BackendWords => ({ messages: [] }),
  /** Whether messages are left unread while a file is read for a chat. */
  isDeafInChats: false,
  /** Milliseconds that a plugin has. */
  timeoutMs: (asked: number | undefined): number => asked ?? 30_000,

  /** The reaction to a message that is not a result. */
  odd: (_what: BackendOddity, _text: string): BackendReaction => "drop",
  /** Reads a result; `undefined` if there is none. */
  result({ data }: Json): BackendResult | undefined {
    if (!isObject(data)) return undefined;
    const { toolCallId: id, ...fields } = data;
    return { id, fields };
  },
  /** The call that a result settles. */
  match: ({ id }: BackendResult, site: BackendSite, pending: readonly PendingCall[]): PendingCall | undefined =>
    pending.find((one) => one.id === id && one.site === site),
  /** Whether a message of this type is a result. */
  isResult: (type: unknown): boolean => type === "TOOL_RESULT",
  /** Why a call fails for its result. */
  problem: (_fields: Json): string | undefined => undefined,
  /** The outcome, as the caller sees it. */
  outcome({ success, result, error }: Json): Outcome {
    const text = typeof result === "string" || result === undefined ? (result ?? "") : JSON.stringify(result);
    if (success === true) return { success, result: text };
    return { success: false, error: typeof error === "string" && error !== "" ? error : text || "未知错误" };
  },
  /** The messages sent for a result that settles no call. */
  strayReply: (_id: unknown): readonly Json[] => [],
  /** The lines that are logged about it. */
  strayLog: (id: unknown): readonly string[] => [`⚠️ 未找到对应的工具调用: toolCallId=${String(id ?? "")}`],
  /** The calls that fail when a connection is lost. */
  lost: (site: BackendSite, pending: readonly PendingCall[]): readonly PendingCall[] =>
    pending.filter((one) => one.site === site),
};

/** The reference backend's switches. */
export type BackendBehavior = typeof rightBackend;
