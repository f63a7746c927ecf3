import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type CommandPlace, type ResolvedCommand, resolveCommand } from "@editwire/transport/node";

/** Characters that a shell interprets, or that separate its words. The name of a program rarely has one. */
const shellCharacters = /[\s|&;<>()$`"'*?~#%^]/;

/** True for a command without arguments that only a shell can run, such as `npm test | tail`. */
export function isShellLine(command: string, args: readonly string[], cwd: string | undefined): boolean {
  return args.length === 0 && shellCharacters.test(command) && !existsSync(resolve(cwd ?? "", command));
}

/** How the shell of this system runs a line: `/bin/sh`, or `cmd.exe` on Windows. */
export function resolveShellLine(line: string, place: CommandPlace): ResolvedCommand {
  if (process.platform !== "win32") return resolveCommand(["/bin/sh", "-c", line], place);
  const file = process.env["ComSpec"] ?? "cmd.exe";
  return { file, args: ["/d", "/s", "/c", `"${line}"`], windowsVerbatimArguments: true };
}
