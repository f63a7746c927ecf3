import type { SmanToolHandlers, SmanToolOutcome } from "@editwire/sman-schema";
import { ToolError } from "./errors.js";
import type { IdeTools } from "./tools.js";

const language = "zh";

/** Handlers of all four tools. */
type AllHandlers = { readonly [Name in keyof SmanToolHandlers]-?: NonNullable<SmanToolHandlers[Name]> };

/**
 * The tools in the form that a sman plugin executes, with texts in Chinese as on the wire of that protocol. A
 * `ToolError` becomes a failure whose text reaches the backend. Any other error is a bug and passes through: the
 * backend does not receive its text.
 */
export function smanHandlers(tools: IdeTools): AllHandlers {
  return {
    grep_file: (params, { signal }) => outcomeOf(tools.grep_file(params, { signal, language })),
    read_file: (params, { signal }) => outcomeOf(tools.read_file(params, { signal, language })),
    call_chain: (params, { signal }) => outcomeOf(tools.call_chain(params, { signal, language })),
    apply_change: (params, { signal }) => outcomeOf(tools.apply_change(params, { signal, language })),
  };
}

async function outcomeOf(call: Promise<string>): Promise<SmanToolOutcome> {
  try {
    return { success: true, result: await call };
  } catch (error) {
    if (error instanceof ToolError) return { success: false, error: error.message };
    throw error;
  }
}
