import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Reads the process groups to watch from stdin, which ends when this process ends, however it ends. The remaining
 * groups then get SIGTERM, and SIGKILL a second later. The shell ignores signals that are sent to everything in sight.
 */
const script = `
trap '' HUP INT TERM
groups=
while read -r action group; do
  kept=
  for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
  groups=$kept
  [ "$action" = drop ] || groups="$groups $group"
done
[ -n "$groups" ] || exit 0
for group in $groups; do kill -s TERM -- "-$group"; done
sleep 1
for group in $groups; do kill -s KILL -- "-$group"; done
`;

const watched = new Set<number>();
let shell: ChildProcess | undefined;

/**
 * Sees to it that a process group ends soon after this process, even if that is killed. Returns a function that stops
 * watching the group. Needs a shell; does nothing on Windows, where the system ends the children of a process itself.
 */
export function watchGroup(leader: number): () => void {
  if (process.platform === "win32") return () => {};
  watched.add(leader);
  if (shell === undefined) start();
  else tell("add", leader);
  return () => {
    watched.delete(leader);
    tell("drop", leader);
  };
}

function tell(action: "add" | "drop", group: number): void {
  shell?.stdin?.write(`${action} ${group}\n`);
}

/** Starts the shell. It neither keeps this process alive, nor shares its terminal or its folder. */
function start(): void {
  const { PATH } = process.env;
  try {
    const started = spawn("/bin/sh", ["-c", script], {
      cwd: "/",
      env: { PATH },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    const forget = (): void => void (shell === started && (shell = undefined)); // the next group starts another
    started.once("error", forget).once("exit", forget).unref();
    started.stdin.on("error", () => {});
    (started.stdin as Socket).unref();
    shell = started;
    for (const leader of watched) tell("add", leader);
  } catch {
    // There is no shell, or it may not be started: then the end of stdin has to do.
  }
}
