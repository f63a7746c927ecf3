import type { SessionConfigOption, SessionModeState } from "@editwire/acp-schema";
import { isObject, isRemoteError, RemoteError } from "@editwire/core";

/** The user's choices in a session, as a store keeps them. */
export type SavedSettings = Readonly<Record<string, unknown>>;

/** The choices of the user in a session. */
interface Settings {
  readonly modes: SessionModeState | undefined;
  readonly configOptions: readonly SessionConfigOption[];
}

/** The choices, for a store. */
export function settingsOf({ modes, configOptions }: Settings): SavedSettings {
  return {
    ...(modes === undefined ? {} : { modeId: modes.currentModeId }),
    ...(configOptions.length === 0
      ? {}
      : { values: Object.fromEntries(configOptions.map(({ id, currentValue }) => [id, currentValue])) }),
  };
}

/** The settings of a session, with the saved choices. A mode or a value that is not offered any more is left out. */
export function restoredSettings({ modes, configOptions }: Settings, saved: SavedSettings = {}): Settings {
  const { modeId, values } = saved;
  const isOffered = modes?.availableModes.some(({ id }) => id === modeId) === true;
  return {
    modes: modes && isOffered && typeof modeId === "string" ? { ...modes, currentModeId: modeId } : modes,
    configOptions: Object.entries(isObject(values) ? values : {}).reduce(withSaved, configOptions),
  };
}

function withSaved(
  options: readonly SessionConfigOption[],
  [configId, value]: [string, unknown],
): readonly SessionConfigOption[] {
  if (typeof value !== "string" && typeof value !== "boolean") return options;
  try {
    return withConfigValue(options, configId, value);
  } catch (error) {
    if (!isRemoteError(error)) throw error;
    return options;
  }
}

/** The options with one of them changed. Throws `RemoteError` -32602 for an option or a value that is not offered. */
export function withConfigValue(
  options: readonly SessionConfigOption[],
  configId: string,
  value: string | boolean,
): SessionConfigOption[] {
  const option = options.find(({ id }) => id === configId);
  if (option === undefined) throw RemoteError.invalidParams("unknown config option", { configId });
  const changed = changedTo(option, value);
  if (changed === undefined)
    throw RemoteError.invalidParams("unsupported value of a config option", { configId, value });
  return options.map((one) => (one === option ? changed : one));
}

function changedTo(option: SessionConfigOption, value: string | boolean): SessionConfigOption | undefined {
  if (option.type === "boolean") return typeof value === "boolean" ? { ...option, currentValue: value } : undefined;
  const offered = option.options.flatMap((one) =>
    "options" in one && Array.isArray(one.options) ? one.options : [one],
  );
  const isOffered = offered.some((one) => one["value"] === value);
  return typeof value === "string" && isOffered ? { ...option, currentValue: value } : undefined;
}
