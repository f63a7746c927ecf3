import type { ToolArguments } from "../arguments.js";
import type { Refusal } from "../jobs/messages.js";
import type { Language } from "../wording/wording.js";

/** Tells the worker of the index what to find. */
export interface ChainRequest {
  readonly id: number;
  readonly query: ToolArguments<"call_chain">;
  readonly language: Language;
  readonly maxChars: number;
  /** When nobody waits any longer, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** An answer of the worker. `isOver` means that the time ended first. */
export type ChainAnswer = { readonly id: number } & (
  | { readonly report: string }
  | { readonly refusal: Refusal }
  | { readonly failed: unknown }
  | { readonly isOver: true }
);
