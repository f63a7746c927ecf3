import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** The token that callers must send to the backend of this run. */
export const token: string = randomUUID();

/** The processes that run, so that none of them outlives the demo. */
const running = new Set<ChildProcess>();

/** Starts the backend or an IDE host, on this terminal. */
export function start(...args: string[]): ChildProcess {
  // From source or bundled: the program has the extension of this module.
  const main = new URL(`../main${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
  const child = fork(main, args, { env: { ...process.env, SMAN_TOKEN: token }, stdio: "inherit" });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** The next message of a program. Rejects when it ends without one. */
export async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const isOver = new AbortController();
  const ended = once(child, "exit", { signal: isOver.signal }).then(() => {
    throw new Error("a program of the demo ended unexpectedly");
  });
  try {
    const [message] = (await Promise.race([once(child, "message"), ended])) as [Message];
    return message;
  } finally {
    isOver.abort();
    ended.catch(() => {});
  }
}

/** Ends a program, and waits until it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** Ends all programs. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((child) => end(child, "SIGTERM")));
}
