import type { AcpSession } from "@editwire/acp";
import { commandHelp } from "./commands.js";
import { settingsOf, type SettingValue } from "./settings.js";

/** Completes a line that begins with a slash: the lines that it may become. */
export function completions(line: string, session: AcpSession): string[] {
  if (!line.startsWith("/")) return [];
  const typed = line.replace(/\s+/g, " ");
  const candidates = [...commandsOf(session), ...settingLines(typed.split(" "), session)];
  return [...new Set(candidates)].filter((candidate) => candidate.startsWith(typed));
}

/** The commands of this program and of the agent, whose names may have several words. */
function commandsOf({ state }: AcpSession): string[] {
  return [
    ...commandHelp.map(([usage]) => usage.split(" ", 1).join("")),
    ...state.commands.map(({ name }) => `/${name}`),
  ];
}

/** The lines that change a setting, up to the word that is being typed. */
function settingLines([command = "", id, ...rest]: readonly string[], session: AcpSession): string[] {
  const settings = settingsOf(session);
  const valuesOf = (key: "id" | "role", name: string | undefined): readonly SettingValue[] =>
    settings.find((setting) => setting[key] === name)?.values ?? [];
  if (command === "/mode" || command === "/model")
    return valuesOf("role", command.slice(1)).map((value) => `${command} ${value.id}`);
  if (command !== "/set" || id === undefined) return [];
  return rest.length === 0
    ? settings.map((setting) => `/set ${setting.id}`)
    : valuesOf("id", id).map((value) => `/set ${id} ${value.id}`);
}
