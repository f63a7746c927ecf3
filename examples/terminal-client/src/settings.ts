import type { AcpSession } from "@editwire/acp";
import type { ConfigValue, SessionConfigOption } from "@editwire/acp-schema";

/** One value that a setting can have. */
export interface SettingValue {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
}

/** A setting of a session that the user can change: its mode, its model, or another option of the agent. */
export interface Setting {
  readonly id: string;
  /** The role of the setting, where the client has a command of its own for it. */
  readonly role: "mode" | "model" | undefined;
  readonly name: string;
  readonly current: string;
  readonly values: readonly SettingValue[];
}

const switchValues: readonly SettingValue[] = [
  { id: "on", name: "On" },
  { id: "off", name: "Off" },
];

/** All settings of a session: the agent's options, and its modes where they are not one of them. */
export function settingsOf({ configOptions, modes }: Pick<AcpSession, "configOptions" | "modes">): Setting[] {
  const mode = optionIn(configOptions, "mode");
  const model = optionIn(configOptions, "model");
  const roleOf = (option: SessionConfigOption): Setting["role"] =>
    option === mode ? "mode" : option === model ? "model" : undefined;
  const settings = configOptions.map((option) => settingOf(option, roleOf(option)));
  if (modes === undefined || mode !== undefined) return settings;
  const { currentModeId: current, availableModes: values } = modes;
  return [{ id: "mode", role: "mode", name: "Mode", current, values }, ...settings];
}

/** Gives a setting another value. Rejects with the agent's error, or a `WireError` for a value that is not offered. */
export async function changeSetting(session: AcpSession, { id, role }: Setting, value: string): Promise<void> {
  if (role === "mode") await session.setMode(value);
  else if (role === "model") await session.setModel(value);
  else {
    const isSwitch = session.configOptions.some((option) => option.id === id && option.type === "boolean");
    const isOn = value === "on" || value === "true";
    await session.setConfigOption(id, isSwitch && (isOn || value === "off" || value === "false") ? isOn : value);
  }
}

function optionIn(options: readonly SessionConfigOption[], role: "mode" | "model"): SessionConfigOption | undefined {
  const choices = options.filter(({ type }) => type === "select");
  return (
    choices.find(({ category }) => category === role) ??
    choices.find(({ category, id }) => category === undefined && id === role)
  );
}

function settingOf(option: SessionConfigOption, role: Setting["role"]): Setting {
  const { id, name } = option;
  if (option.type === "boolean")
    return { id, role, name, current: option.currentValue ? "on" : "off", values: switchValues };
  const values = option.options.flatMap((each) => ("options" in each ? (each.options as ConfigValue[]) : [each]));
  return { id, role, name, current: option.currentValue, values: (values as ConfigValue[]).map(valueOf) };
}

const valueOf = ({ value, name, description }: ConfigValue): SettingValue => ({ id: value, name, description });
