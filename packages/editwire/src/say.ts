/** Writes a line for the user: stdout belongs to the editor, or to the agent's answer. */
export const say = (line: string): void => console.error(`editwire: ${line}`);

/** The exit codes for a failure, and for wrong options. */
const [failed, usage] = [1, 2];

/** Writes an error for the user, and returns the exit code. */
export function sayError(error: unknown): number {
  say(error instanceof Error ? error.message : String(error));
  return error instanceof TypeError ? usage : failed;
}
