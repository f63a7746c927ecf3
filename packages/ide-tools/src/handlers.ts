import type { SmanToolHandlers, SmanToolOutcome } from "@editwire/sman-schema";
import { ToolError } from "./errors.js";
import type { IdeTools } from "./tools.js";

/** Handlers of all four tools. */
type AllHandlers = { readonly [Name in keyof SmanToolHandlers]-?: NonNullable<SmanToolHandlers[Name]> };

/**
 * The tools in the form that a sman plugin executes. A `ToolError` becomes a failure whose text reaches the backend.
 * Any other error is a bug and passes through: the backend does not receive its text.
 */
export function smanHandlers(tools: IdeTools): AllHandlers {
  return {
    grep_file: (params, context) => outcomeOf(tools.grep_file(params, context)),
    read_file: (params, context) => outcomeOf(tools.read_file(params, context)),
    call_chain: (params, context) => outcomeOf(tools.call_chain(params, context)),
    apply_change: (params, context) => outcomeOf(tools.apply_change(params, context)),
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
