import { type Control, UnsupportedAction } from "../../wire/link.js";
import { CaseEnd, ExpectationError } from "../errors.js";
import { alarm } from "./time.js";

/** How an action is requested. */
export interface ActOptions {
  /** The action is optional: for a target without it, the case does not apply instead of being blocked. */
  readonly optional?: boolean | undefined;
}

interface Action extends ActOptions {
  readonly action: string;
  readonly args?: Record<string, unknown> | undefined;
  /** Milliseconds that it may take. */
  readonly budget: number;
}

/**
 * Makes a target execute an action. Rejects with an `ExpectationError` when the action fails, and with a `CaseEnd` when
 * the target does not support it.
 */
export async function act(
  control: Control | undefined,
  { action, args, budget, optional = false }: Action,
): Promise<unknown> {
  if (control === undefined) throw new CaseEnd("blocked", `the target cannot be steered, so it cannot ${action}`);
  const expected = `the target can ${action}`;
  let silence = (): void => {};
  const late = new Promise<never>((_resolve, reject) => {
    silence = alarm(budget, () =>
      reject(
        new ExpectationError("timeout", `the target did not complete ${action} within ${budget} ms`, {
          expected,
          actual: "nothing",
        }),
      ),
    );
  });
  try {
    return await Promise.race([control.do(action, args), late]);
  } catch (error) {
    if (error instanceof ExpectationError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof UnsupportedAction)
      throw new CaseEnd(
        optional ? "not-applicable" : "blocked",
        `the target does not support the action ${action}: ${reason}`,
      );
    throw new ExpectationError("mismatch", `the target could not ${action}: ${reason}`, { expected, actual: reason });
  } finally {
    silence();
  }
}
