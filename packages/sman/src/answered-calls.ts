import type { ToolCallParams, ToolResult } from "@editwire/sman-schema";

/** A call that was answered. */
interface Answered {
  readonly call: ToolCallParams;
  readonly result: ToolResult;
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
  readonly #ids = new Set<string | number>();
  readonly #kept = new Map<string | number, Answered>();
  #chars = 0;

  has(id: string | number): boolean {
    return this.#ids.has(id);
  }

  /** The result of the same call under this id, if it is kept. */
  result(id: string | number, call: ToolCallParams): ToolResult | undefined {
    const answered = this.#kept.get(id);
    return answered !== undefined && isSame(answered.call, call) ? answered.result : undefined;
  }

  /** `callChars` is the length of the call's message. */
  add(id: string | number, call: ToolCallParams, result: ToolResult, callChars: number): void {
    const chars = callChars + (result.result?.length ?? 0) + (result.error?.length ?? 0);
    this.#ids.add(id);
    this.#kept.set(id, { call, result, chars });
    this.#chars += chars;
    for (const [oldest, answered] of this.#kept) {
      if (this.#kept.size <= maxResults && this.#chars <= maxChars) break;
      this.#kept.delete(oldest);
      this.#chars -= answered.chars;
    }
    if (this.#ids.size > maxIds) this.#ids.delete(this.#ids.values().next().value as string);
  }
}

/** True for two calls of one tool with the same params. */
export function isSame(one: ToolCallParams, other: ToolCallParams): boolean {
  return one.toolName === other.toolName && JSON.stringify(one.params) === JSON.stringify(other.params);
}
