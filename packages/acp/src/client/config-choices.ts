import type {
  ConfigValue,
  SelectConfigOption,
  SessionConfigOption,
  SessionMode,
  SessionModeState,
} from "@editwire/acp-schema";

/** One model that a session offers. */
export interface AcpModel {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
}

/** The models that a session offers, with the current one. */
export interface AcpModelState {
  readonly currentModelId: string;
  readonly availableModels: readonly AcpModel[];
}

/**
 * The setting that chooses the mode or the model: the first selection of that category, else one without a category
 * that has it as its id.
 */
export function choiceIn(
  options: readonly SessionConfigOption[],
  category: "mode" | "model",
): SelectConfigOption | undefined {
  const selections = options.filter((option) => option.type === "select");
  return (
    selections.find((option) => option.category === category) ??
    selections.find((option) => option.category === undefined && option.id === category)
  );
}

/** The modes that the settings offer; `undefined` without a setting for them. */
export function modesIn(options: readonly SessionConfigOption[]): SessionModeState | undefined {
  const mode = choiceIn(options, "mode");
  return mode && { currentModeId: mode.currentValue, availableModes: valuesOf(mode) };
}

/** The models that the settings offer; `undefined` without a setting for them. */
export function modelsIn(options: readonly SessionConfigOption[]): AcpModelState | undefined {
  const model = choiceIn(options, "model");
  return model && { currentModelId: model.currentValue, availableModels: valuesOf(model) };
}

/** The settings with another mode. They stay as they are where they do not offer it. */
export function withMode(options: readonly SessionConfigOption[], modeId: string): readonly SessionConfigOption[] {
  const mode = choiceIn(options, "mode");
  if (mode === undefined || mode.currentValue === modeId || !valuesOf(mode).some(({ id }) => id === modeId))
    return options;
  return options.map((option) => (option === mode ? { ...mode, currentValue: modeId } : option));
}

/** The values of a selection, without their groups. */
function valuesOf({ options }: SelectConfigOption): SessionMode[] {
  return options
    .flatMap((one) => ("options" in one ? (one.options as ConfigValue[]) : [one as ConfigValue]))
    .map(({ value, name, description }) => ({
      id: value,
      name,
      ...(description === undefined ? {} : { description }),
    }));
}
