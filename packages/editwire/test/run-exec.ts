import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { editwire } from "./commands.js";

/** Starts `editwire exec`. */
export function start(...args: string[]) {
  const [command = "", ...rest] = editwire("exec", ...args);
  const child = spawn(command, rest, { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Runs `editwire exec` to its end. */
export async function exec(
  args: string[],
  stdin = "",
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start(...args);
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}
