import type {
  ErrorContent,
  FileModificationContent,
  InteractionType,
  KaiakParams,
  ProgressContent,
  SystemContent,
  ToolResult,
} from "@editwire/kaiak-schema";
import { charsOf } from "@editwire/peer";
import { RecentCalls } from "@editwire/session";

/** How far a tool call is, in the words that all bindings share. */
export type KaiakToolCallStatus = "pending" | "in_progress" | "completed" | "failed" | "rejected";

/** A tool call, merged from its notifications. */
export interface KaiakToolCallState {
  /**
   * The server's in `v2026`. The specification has none; there, it is made here, and notifications of the same tool,
   * operation and parameters belong together until the call ends.
   */
  readonly toolCallId: string;
  /** The text to show: the operation, or the name if the server sent none. */
  readonly title: string;
  readonly name: string;
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: KaiakToolCallStatus;
  readonly result?: ToolResult | undefined;
}

/** A question of the server to the user. */
export interface KaiakQuestion {
  readonly questionId: string;
  readonly type: InteractionType;
  readonly prompt: string;
  /** The answers to choose from; empty for one in the user's own words. */
  readonly options: readonly string[];
  /** The answer that the server uses when none arrives in time. */
  readonly defaultResponse: string | undefined;
  /** Milliseconds that the server waits; undefined when it does not say. */
  readonly timeoutMs: number | undefined;
  /** The JSON Schema of the answer, in `v2026`. An answer of several fields is the JSON text of an object. */
  readonly schema: unknown;
}

/** One event of a turn. `stop` is the last one. */
export type KaiakUpdateEvent =
  | { readonly type: "progress"; readonly progress: ProgressContent }
  | { readonly type: "text"; readonly text: string; readonly partial: boolean }
  | { readonly type: "thought"; readonly text: string }
  | { readonly type: "tool_call"; readonly toolCall: KaiakToolCallState }
  /** The server waits for an answer. `respond` sends it, once; it rejects with the server's error. */
  | { readonly type: "question"; readonly question: KaiakQuestion; respond(answer: string): Promise<void> }
  | { readonly type: "file_modification"; readonly modification: FileModificationContent }
  | { readonly type: "error"; readonly error: ErrorContent }
  | { readonly type: "system"; readonly system: SystemContent };

/** How a turn ended: `completed`, `cancelled` or `failed` on the wire. */
export type KaiakStopReason = "end_turn" | "cancelled" | "error";

/** The events of a turn, with its end. */
export type KaiakTurnEvent = KaiakUpdateEvent | { readonly type: "stop"; readonly stopReason: KaiakStopReason };

type ToolContent = KaiakParams<"kaiak/stream/tool_call">["content"];

/** The tool calls of one turn that have not ended. */
export class ClientToolCalls {
  readonly #open = new RecentCalls<KaiakToolCallState>(() => false);
  #last = 0;

  /** The call that a notification of `chars` characters belongs to, as it is now. */
  receive(content: ToolContent, chars = charsOf(content)): KaiakToolCallState {
    const { tool_call_id, tool_name, operation, parameters, status, result } = content;
    const key = tool_call_id ?? JSON.stringify([tool_name, operation, parameters]);
    const before = this.#open.get(key);
    const state = statuses[status] ?? "in_progress";
    // In `v2026`, only the first notification of a call names its tool.
    const named = { name: tool_name || (before?.name ?? ""), operation: operation || (before?.operation ?? "") };
    const call: KaiakToolCallState = {
      toolCallId: tool_call_id ?? before?.toolCallId ?? `call_${++this.#last}`,
      title: named.operation || named.name,
      ...named,
      arguments: tool_name === "" && before !== undefined ? before.arguments : parameters,
      status: state,
      ...(result === undefined || result === null ? {} : { result }),
    };
    if (state === "pending" || state === "in_progress") this.#open.set(key, call, chars);
    else this.#open.delete(key);
    return call;
  }
}

const statuses: Readonly<Record<string, KaiakToolCallStatus>> = {
  pending: "pending",
  approved: "pending",
  executing: "in_progress",
  completed: "completed",
  failed: "failed",
  timeout: "failed",
  denied: "rejected",
};

/** A question as its notification asks it. */
export function questionIn({
  interaction_id,
  interaction_type,
  prompt,
  options,
  default_response,
  timeout,
  requested_schema: schema,
}: KaiakParams<"kaiak/stream/user_interaction">["content"]): KaiakQuestion {
  return {
    questionId: interaction_id,
    type: interaction_type,
    prompt,
    options: options ?? [],
    defaultResponse: default_response ?? undefined,
    timeoutMs: timeout === undefined || timeout === null ? undefined : timeout * 1_000,
    schema,
  };
}
