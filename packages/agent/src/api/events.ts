import type { AvailableCommand, ContentBlock, Meta, SessionConfigOption, SessionModeState } from "@editwire/acp";
import type { AgentToolCallState } from "./tool-call-state.js";

/** Why a turn ended. `error` comes with the error of the `stop` event. */
export type AgentStopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled" | "error";

/** One step of the agent's plan. */
export interface AgentPlanEntry {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
  /** Default `medium`. */
  readonly priority?: "high" | "medium" | "low" | undefined;
}

/** The usage of the model. Every field is optional, because models and protocols report different parts. */
export interface AgentUsage {
  /** Tokens sent in the last answer of the model, including all context. */
  readonly inputTokens?: number | undefined;
  /** Tokens received in the last answer of the model. */
  readonly outputTokens?: number | undefined;
  /** How full the model's context is, in tokens. */
  readonly context?: { readonly used: number; readonly size: number } | undefined;
  /** The cost of the last answer of the model. `currency` is in ISO 4217, such as `USD`. */
  readonly cost?: { readonly amount: number; readonly currency: string } | undefined;
  /**
   * The cost of the session so far. Default: the sum of `cost` since the session was opened, as long as the currency
   * stays the same.
   */
  readonly sessionCost?: { readonly amount: number; readonly currency: string } | undefined;
}

/** Something that the user should know, besides the agent's answer. */
export interface AgentNotice {
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
}

/** One answer that the user can give to a permission request. */
export interface AgentPermissionOption {
  readonly optionId: string;
  /** The name that the user sees. */
  readonly name: string;
  readonly kind: "allow_once" | "allow_always" | "reject_once" | "reject_always";
}

/** Asks the user whether a tool may run. */
export interface AgentPermission {
  readonly permissionId: string;
  readonly toolCall: AgentToolCallState;
  readonly options: readonly AgentPermissionOption[];
  /** The `_meta` of the request, where the editor's protocol has one. It is not in events. */
  readonly meta?: Meta | undefined;
}

/** How the user answered a permission request. */
export type AgentPermissionDecision =
  | {
      readonly outcome: "selected";
      readonly optionId: string;
      readonly kind: AgentPermissionOption["kind"];
      readonly allowed: boolean;
    }
  | { readonly outcome: "cancelled"; readonly allowed: false };

/** One answer to choose from. */
export interface AgentQuestionOption {
  readonly label: string;
  readonly description?: string | undefined;
}

/** Asks the user anything but a permission. */
export interface AgentQuestion {
  readonly questionId: string;
  readonly question: string;
  /** Answers to choose from; empty for none. */
  readonly options: readonly AgentQuestionOption[];
  /** Whether the user may answer in their own words. */
  readonly allowFreeform: boolean;
  /** The tool call that asks. */
  readonly toolCallId?: string | undefined;
}

/** How a turn failed, in words that may reach the user. */
export interface AgentFailure {
  readonly message: string;
  /** The number of the `RemoteError` that the handler threw. */
  readonly code?: number | undefined;
  readonly data?: unknown;
}

/** One thing that happens in a session. Every view receives every event, in order. */
export type AgentEvent =
  /** A prompt, or a message that steers the running turn. */
  | { readonly type: "user"; readonly content: readonly ContentBlock[] }
  /** A piece of the agent's answer, verbatim. */
  | { readonly type: "text"; readonly text: string }
  /** A part of the answer that is not text. */
  | { readonly type: "content"; readonly content: ContentBlock }
  | { readonly type: "thought"; readonly text: string }
  /** The whole plan; it replaces the one before. */
  | { readonly type: "plan"; readonly entries: readonly AgentPlanEntry[] }
  /** A tool call as it is now, merged from all that is known of it. */
  | { readonly type: "tool_call"; readonly toolCall: AgentToolCallState }
  /** A permission request: without a decision when it is asked, and again with the decision. */
  | {
      readonly type: "permission";
      readonly permission: AgentPermission;
      readonly decision?: AgentPermissionDecision | undefined;
    }
  /** A question: without `answered` when it is asked, and again with it. No `answer` then means that there is none. */
  | {
      readonly type: "question";
      readonly question: AgentQuestion;
      readonly answered?: boolean | undefined;
      readonly answer?: string | undefined;
    }
  | { readonly type: "usage"; readonly usage: AgentUsage }
  /** The session is in another mode now. */
  | { readonly type: "mode"; readonly modeId: string }
  /** The modes that the session offers, with the current one. */
  | { readonly type: "modes"; readonly modes: SessionModeState }
  /** The settings that the user can change, all of them. */
  | { readonly type: "config_options"; readonly configOptions: readonly SessionConfigOption[] }
  /** The commands that the user can type, all of them. */
  | { readonly type: "commands"; readonly commands: readonly AvailableCommand[] }
  /** The changed facts about the session. */
  | { readonly type: "info"; readonly title: string | undefined }
  | { readonly type: "notice"; readonly notice: AgentNotice }
  /** The end of a turn. `error` is there when `stopReason` is `error`. */
  | { readonly type: "stop"; readonly stopReason: AgentStopReason; readonly error?: AgentFailure | undefined };
