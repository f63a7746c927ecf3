import type { SessionConfigOption, SessionMode } from "@editwire/acp";
import type { EcaServerInfo } from "@editwire/eca";
import type { AgentSession, SessionOffer } from "../session.js";

interface ModelValue {
  readonly value: string;
  readonly name?: string;
}

/** The setting that names the model. */
function modelOption(
  options: readonly SessionConfigOption[],
): Extract<SessionConfigOption, { type: "select" }> | undefined {
  return options.find((option) => option.type === "select" && (option.category ?? option.id) === "model") as
    | Extract<SessionConfigOption, { type: "select" }>
    | undefined;
}

/** The values of a setting, without their groups. */
function valuesOf({ options }: Extract<SessionConfigOption, { type: "select" }>): ModelValue[] {
  return options.flatMap((one) => ("options" in one ? (one.options as ModelValue[]) : [one as ModelValue]));
}

/** What a client is shown of a mode: its id, or its name if the id is a URL, as those of Copilot's modes are. */
function behaviorOf({ id, name }: SessionMode, all: readonly SessionMode[]): string {
  const isUnique = all.every((other) => other.id === id || other.name !== name);
  return id.includes("://") && isUnique ? name : id;
}

/** The behavior of the mode with an id. */
function behaviorNamed(modeId: string, all: readonly SessionMode[] = []): string {
  const mode = all.find(({ id }) => id === modeId);
  return mode === undefined ? modeId : behaviorOf(mode, all);
}

/** What an ECA client is offered. */
export function infoOf({ modes, configOptions = [] }: Pick<SessionOffer, "modes" | "configOptions">): EcaServerInfo {
  const model = modelOption(configOptions);
  return {
    models: model && valuesOf(model).map(({ value }) => String(value)),
    defaultModel: model?.currentValue,
    behaviors: modes?.availableModes.map((mode) => behaviorOf(mode, modes.availableModes)),
    defaultBehavior: modes && behaviorNamed(modes.currentModeId, modes.availableModes),
  };
}

/** Whether clients see all of the settings: that is a model, whose values have no names of their own. */
export function showsAll(options: readonly SessionConfigOption[]): boolean {
  const model = modelOption(options);
  const values = model === undefined ? [] : valuesOf(model);
  return options.every((one) => one === model) && values.every((one) => hasOnlyId(one, one.value));
}

/** Whether something that users choose has neither a name of its own nor a description. */
export function hasOnlyId(one: { readonly name?: string; readonly description?: unknown }, id: string): boolean {
  return (one.name ?? id) === id && (one.description ?? undefined) === undefined;
}

/** What is selected in a session. */
export function selectionOf({ modes, modeId, configOptions }: AgentSession): { model?: string; behavior?: string } {
  const model = modelOption(configOptions)?.currentValue;
  return {
    ...(modeId === undefined ? {} : { behavior: behaviorNamed(modeId, modes?.availableModes) }),
    ...(model === undefined ? {} : { model }),
  };
}

/** Takes what the user selected in the editor. What the session does not offer is ignored. */
export async function select(
  session: AgentSession,
  { model, behavior }: { readonly model: string | undefined; readonly behavior: string | undefined },
): Promise<void> {
  const all = session.modes?.availableModes ?? [];
  const mode = all.find((one) => behaviorOf(one, all) === behavior);
  if (mode !== undefined && session.modeId !== mode.id) await session.setMode(mode.id);
  const option = modelOption(session.configOptions);
  if (model === undefined || option === undefined || option.currentValue === model) return;
  if (infoOf(session).models?.includes(model) === true) await session.setConfigOption(option.id, model);
}
