import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** The result of a project's tests. */
export interface TestRun {
  readonly passed: number;
  readonly failures: readonly { readonly name: string; readonly error: string }[];
  /** Every test ran and passed, and there was one at least. */
  readonly ok: boolean;
}

/** Runs a project's `node --test` tests. Rejects when they cannot be started; `signal` ends them. */
export async function runTests(folder: string, signal: AbortSignal): Promise<TestRun> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: folder,
    env,
    signal,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [tap, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve)),
  ]);
  return readTap(tap, code === 0);
}

/** Reads the TAP report of `node --test`. */
export function readTap(tap: string, exitedWell: boolean): TestRun {
  const passed = Number(/^# pass (\d+)$/m.exec(tap)?.[1] ?? 0);
  const failures = [...tap.matchAll(/^ *not ok \d+ - (.*)\n((?: +.*\n)*)/gm)].map(([, name = "", details = ""]) => ({
    name,
    error: /^ *error: (?:\|-\n *)?(.*)$/m.exec(details)?.[1]?.replace(/^'(.*)'$/, "$1") ?? "",
  }));
  return { passed, failures, ok: exitedWell && failures.length === 0 && passed > 0 };
}
