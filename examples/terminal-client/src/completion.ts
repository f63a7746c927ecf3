import type { AcpSession } from "@editwire/acp";
import { commandHelp } from "./commands.js";

/** Completes a line that begins with a slash: the lines that it may become. */
export function completions(line: string, { state: { commands }, modes }: AcpSession): string[] {
  const [, command, argument] = /^(\/\S*)(?:\s+(\S*))?$/.exec(line) ?? [];
  if (command === undefined) return [];
  const candidates =
    argument === undefined
      ? [...commandHelp.map(([usage]) => usage.split(" ", 1).join("")), ...commands.map(({ name }) => `/${name}`)]
      : (command === "/mode" ? (modes?.availableModes ?? []) : []).map(({ id }) => `${command} ${id}`);
  const typed = argument === undefined ? command : `${command} ${argument}`;
  return [...new Set(candidates)].filter((candidate) => candidate.startsWith(typed));
}
