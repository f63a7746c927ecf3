import type { SmanParams, ToolResult } from "@editwire/sman-schema";

/** A call that was answered. */
interface Answered {
  readonly id: string | number;
  /** The call and its result, as long as the result can be sent again. */
  kept: { readonly call: SmanParams<"TOOL_CALL">; readonly result: ToolResult } | undefined;
  /** Characters of both. */
  readonly chars: number;
}

/** Ids to remember. */
const maxIds = 10_000;
/** Results to keep, so that they can be sent again. */
const maxResults = 256;
/** Characters of these results and of their calls. */
const maxChars = 16 * 1024 * 1024;

/** The calls that were answered on one connection, by their ids, so that none is executed twice. */
export class AnsweredCalls {
  readonly #byId = new Map<string | number, Answered>();
  /** A ring: asking a map or a set for its oldest member passes over all that were deleted before. */
  readonly #ring: Answered[] = [];
  /** Calls so far. The call number `n` is at `n % maxIds` in the ring. */
  #count = 0;
  /** The number of the oldest call whose result is kept. */
  #oldestKept = 0;
  #chars = 0;

  has(id: string | number): boolean {
    return this.#byId.has(id);
  }

  /** The result of the same call under this id, if it is kept. */
  result(id: string | number, call: SmanParams<"TOOL_CALL">): ToolResult | undefined {
    const kept = this.#byId.get(id)?.kept;
    return kept !== undefined && isSame(kept.call, call) ? kept.result : undefined;
  }

  /** `callChars` is the length of the call's message. */
  add(id: string | number, call: SmanParams<"TOOL_CALL">, result: ToolResult, callChars: number): void {
    const chars = callChars + (result.result?.length ?? 0) + (result.error?.length ?? 0);
    const answered: Answered = { id, kept: { call, result }, chars };
    const place = this.#count % maxIds;
    const oldest = this.#ring[place];
    if (oldest !== undefined) this.#byId.delete(oldest.id);
    this.#ring[place] = answered;
    this.#byId.set(id, answered);
    this.#count += 1;
    this.#chars += chars;
    while (this.#count - this.#oldestKept > maxResults || this.#chars > maxChars) this.#dropResult();
  }

  #dropResult(): void {
    const answered = this.#ring[this.#oldestKept % maxIds];
    this.#oldestKept += 1;
    if (answered === undefined) return;
    answered.kept = undefined;
    this.#chars -= answered.chars;
  }
}

/** True for two calls of one tool with the same params. */
export function isSame(one: SmanParams<"TOOL_CALL">, other: SmanParams<"TOOL_CALL">): boolean {
  return one.toolName === other.toolName && JSON.stringify(one.params) === JSON.stringify(other.params);
}
