import { exitCodes } from "./exit-codes.js";
import { plainText } from "./text.js";

/** Writes for the user: stdout belongs to the editor, or to the agent's answer. A text may be another program's. */
export const say = (text: string): void => console.error(`editwire: ${plainText(text)}`);

/** Writes an error for the user, and returns the exit code. */
export function sayError(error: unknown): number {
  say(error instanceof Error ? error.message : String(error));
  return error instanceof TypeError ? exitCodes.usage : exitCodes.failed;
}
