import type { ModelConversation } from "./conversation.js";
import type { Reply } from "./reply.js";

/** An API that the scripted model speaks. */
export type ModelApiName = "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "ollama";

/** A request as an API sees it. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; `undefined` for a GET. */
  readonly body: unknown;
}

/** An answer in pieces of wire text. A connection that breaks off loses `end`. */
export interface ReplyStream {
  readonly type: "text/event-stream" | "application/x-ndjson" | "application/json";
  readonly body: readonly string[];
  readonly end: readonly string[];
}

/** One API: how it is asked, and how it answers. */
export interface ModelApi {
  readonly name: ModelApiName;
  /** Says whether a POST asks for an answer. Paths count by their end, so that any base URL will do. */
  asks(path: string): boolean;
  /** Reads a request. Throws a `ZodError` for an invalid body. */
  read(request: ApiRequest): ModelConversation;
  /** The answer in one piece. */
  whole(reply: Reply): unknown;
  stream(reply: Reply, request: ApiRequest): ReplyStream;
  /** An error in the API's form. */
  error(status: number, message: string): unknown;
  /** Answers other routes, such as a list of models. Returns `undefined` for an unknown route. */
  side(request: ApiRequest): unknown;
}

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}
