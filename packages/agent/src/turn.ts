import type { ContentBlock, Meta } from "@editwire/acp";
import { shown } from "@editwire/session";
import type { AgentEditor } from "./editor.js";
import type {
  AgentEvent,
  AgentNotice,
  AgentPermissionDecision,
  AgentPermissionOption,
  AgentPlanEntry,
  AgentQuestionOption,
  AgentStopReason,
  AgentUsage,
} from "./events.js";
import type { AgentSession } from "./session.js";
import type { AgentToolCall } from "./tool-call.js";
import type { NewToolCall } from "./tool-call-state.js";

/**
 * What an agent does in a turn. Returning nothing means `end_turn`. A `RemoteError` that it throws reaches the user
 * with its message; any other error as "Internal error". The type takes async functions only: beside plain stop
 * reasons, TypeScript reads the text in `async () => "refusal"` as any string.
 */
export type AgentTurnHandler = (turn: AgentTurn) => Promise<AgentStopReason | void>;

/** How a question is put. */
export interface AskUserOptions {
  /** Answers to choose from. Default none. */
  options?: readonly (string | AgentQuestionOption)[] | undefined;
  /** Whether the user may answer in their own words. Default true. */
  allowFreeform?: boolean | undefined;
  /** The tool call that asks. */
  toolCallId?: string | undefined;
}

/** A message that the user added to a running turn. */
export interface AgentSteer {
  readonly text: string;
  readonly content: readonly ContentBlock[];
}

/**
 * One turn of the agent, whichever protocol prompted it. It ends exactly once; after that its methods throw
 * `WireError("closed")`. Methods return a promise when an editor is slow; await it, so that memory stays bounded.
 */
export interface AgentTurn {
  readonly id: string;
  readonly session: AgentSession;
  readonly prompt: readonly ContentBlock[];
  /** The text blocks of the prompt, joined by blank lines. */
  readonly promptText: string;
  /** The `_meta` of the prompt, where its protocol has one. */
  readonly meta: Meta | undefined;
  /** The name of the view that prompted, such as `acp`; `undefined` without one. */
  readonly from: string | undefined;
  /** What the editor that prompted offers: its files and terminals. `undefined` in other protocols than ACP. */
  readonly editor: AgentEditor | undefined;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Says text, verbatim. */
  text(text: string): void | Promise<void>;
  /** Says a piece of a thought. */
  thought(text: string): void | Promise<void>;
  /** Says something that is not text, such as an image. */
  content(content: ContentBlock): void | Promise<void>;
  /** Shows the complete plan; it replaces the one before. */
  plan(entries: readonly AgentPlanEntry[]): void | Promise<void>;
  /** Reports what the model used. */
  usage(usage: AgentUsage): void | Promise<void>;
  /** Shows a message of the agent itself, such as a warning. */
  notice(text: string, severity?: AgentNotice["severity"]): void | Promise<void>;
  /** Adds any other event. */
  send(event: AgentEvent): void | Promise<void>;
  /** Announces a tool call. One that is still open when the turn ends is reported as `failed`, or `cancelled`. */
  toolCall(call: NewToolCall): Promise<AgentToolCall>;
  /**
   * Asks the user whether a tool may run, in every view that can; the first answer counts. When none can, the answer is
   * a rejection. When the turn is cancelled, it is `cancelled`, at once. A call that was not allowed has ended. Default
   * options: `allow_once` and `reject_once`.
   */
  requestPermission(
    toolCall: AgentToolCall,
    options?: readonly AgentPermissionOption[],
  ): Promise<AgentPermissionDecision>;
  /**
   * Asks the user anything else, in every view that can; the first answer counts. `undefined` when there is no answer,
   * or when the turn is cancelled.
   */
  ask(question: string, options?: AskUserOptions): Promise<string | undefined>;
  /** Gives the agent's `onError` an error that does not end the turn, such as one of a tool. */
  report(error: unknown): void;
  /**
   * Takes the messages that the user added to the running turn since the last call, for the model's next step. What is
   * not taken when the turn ends is prompted then, unless the turn was cancelled.
   */
  takeSteers(): readonly AgentSteer[];
  /** Calls `listener` when the user has added a message, which `takeSteers` then returns. */
  onSteer(listener: () => void): void;
}

/** The text blocks, joined by blank lines. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === "text" && "text" in block ? [block.text] : [])).join("\n\n");
}

/** A prompt as content blocks. Throws a `TypeError` for anything else. */
export function blocksOf(prompt: string | readonly ContentBlock[]): readonly ContentBlock[] {
  if (typeof prompt === "string") return [{ type: "text", text: prompt }];
  if (Array.isArray(prompt)) return prompt;
  throw new TypeError(`prompt: expected a string or an array of content blocks, received ${shown(prompt)}`);
}
