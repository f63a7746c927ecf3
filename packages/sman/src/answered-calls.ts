import type { ToolResult } from "@editwire/sman-schema";

/** A call that was answered. The texts of old ones are dropped. */
interface Answered {
  readonly call: string;
  readonly result: ToolResult;
}

/** Ids to remember. */
const maxIds = 10_000;
/** Results to keep, so that they can be sent again. */
const maxResults = 256;
/** Characters of these results and of their calls. */
const maxChars = 16 * 1024 * 1024;

/** The calls that were answered on one connection, by their ids, so that none is executed twice. */
export class AnsweredCalls {
  /** By id; `undefined` for a result that is not kept any more. */
  readonly #ids = new Map<string | number, Answered | undefined>();
  readonly #kept: (string | number)[] = [];
  #chars = 0;

  has(id: string | number): boolean {
    return this.#ids.has(id);
  }

  /** The result of the same call under this id, if it is kept. */
  result(id: string | number, call: string): ToolResult | undefined {
    const answered = this.#ids.get(id);
    return answered?.call === call ? answered.result : undefined;
  }

  add(id: string | number, answered: Answered): void {
    this.#ids.set(id, answered);
    this.#kept.push(id);
    this.#chars += charsOf(answered);
    while (this.#kept.length > maxResults || this.#chars > maxChars) this.#drop();
    if (this.#ids.size <= maxIds) return;
    for (const [oldest, kept] of this.#ids) {
      if (kept === undefined) this.#ids.delete(oldest);
      break;
    }
  }

  #drop(): void {
    const oldest = this.#kept.shift();
    if (oldest === undefined) return;
    const answered = this.#ids.get(oldest);
    if (answered !== undefined) this.#chars -= charsOf(answered);
    this.#ids.set(oldest, undefined);
  }
}

function charsOf({ call, result }: Answered): number {
  return call.length + (result.result?.length ?? 0) + (result.error?.length ?? 0);
}
