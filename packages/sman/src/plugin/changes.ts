import type { SmanParams, ToolResult } from "@editwire/sman-schema";
import { LatestMap } from "@editwire/session";
import { isSame } from "../backend/answered-calls.js";
import type { ToolRun } from "./tool-run.js";

/** A change that ran or runs. */
interface Change {
  readonly call: SmanParams<"TOOL_CALL">;
  /** `undefined` if it was not applied. */
  readonly applied: Promise<ToolResult | undefined>;
}

/** Changes to remember. */
const maxChanges = 256;

/**
 * The calls of `apply_change` of all connections. A backend that lost its connection may send the same call again on
 * the next one; a change that was applied must not be applied twice.
 */
export class Changes {
  readonly #changes = new LatestMap<string | number, Change>(maxChanges);

  /** Runs a change, unless the same call has applied it. A call that still runs is waited for. */
  async run(id: string | number, call: SmanParams<"TOOL_CALL">, apply: () => ToolRun): Promise<ToolResult> {
    const before = this.#changes.get(id);
    const known = before !== undefined && isSame(before.call, call) ? await before.applied : undefined;
    if (known !== undefined) return known;
    const { answer, outcome } = apply();
    this.#changes.set(id, { call, applied: outcome.then((result) => (result.success ? result : undefined)) });
    return answer;
  }
}
