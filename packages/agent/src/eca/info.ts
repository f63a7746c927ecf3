import { choiceIn, modelsIn, modesIn, type SessionConfigOption, type SessionMode } from "@editwire/acp";
import type { EcaServerInfo } from "@editwire/eca";
import type { AgentSession, AgentSessionOffer } from "../api/session.js";

/** The name of a mode for a client: its id, or its name if the id is a URL, as those of Copilot's modes are. */
function behaviorOf({ id, name }: SessionMode, all: readonly SessionMode[]): string {
  const isUnique = all.every((other) => other.id === id || other.name !== name);
  return id.includes("://") && isUnique ? name : id;
}

/** The behavior of the mode with an id. */
function behaviorNamed(modeId: string, all: readonly SessionMode[] = []): string {
  const mode = all.find(({ id }) => id === modeId);
  return mode === undefined ? modeId : behaviorOf(mode, all);
}

/** The offers for an ECA client. */
export function infoOf({
  configOptions = [],
  ...offer
}: Pick<AgentSessionOffer, "modes" | "configOptions">): EcaServerInfo {
  const models = modelsIn(configOptions);
  const modes = modesIn(configOptions) ?? offer.modes;
  return {
    models: models?.availableModels.map(({ id }) => id),
    defaultModel: models?.currentModelId,
    behaviors: modes?.availableModes.map((mode) => behaviorOf(mode, modes.availableModes)),
    defaultBehavior: modes && behaviorNamed(modes.currentModeId, modes.availableModes),
  };
}

/** Whether clients see all of the settings: they are the mode, and a model whose values have no names of their own. */
export function showsAll(options: readonly SessionConfigOption[]): boolean {
  const shown = [choiceIn(options, "mode"), choiceIn(options, "model")];
  const models = modelsIn(options)?.availableModels ?? [];
  return options.every((one) => shown.some((other) => other === one)) && models.every((one) => hasOnlyId(one, one.id));
}

/** Whether something that users choose has neither a name of its own nor a description. */
export function hasOnlyId(one: { readonly name?: string; readonly description?: unknown }, id: string): boolean {
  return (one.name ?? id) === id && (one.description ?? undefined) === undefined;
}

/** The selection of a session. */
export function selectionOf({ modes, models }: AgentSession): { model?: string; behavior?: string } {
  return {
    ...(modes === undefined ? {} : { behavior: behaviorNamed(modes.currentModeId, modes.availableModes) }),
    ...(models === undefined ? {} : { model: models.currentModelId }),
  };
}

/** Applies the user's selection in the editor. A choice that the session does not offer is ignored. */
export async function select(
  session: AgentSession,
  { model, behavior }: { readonly model: string | undefined; readonly behavior: string | undefined },
): Promise<void> {
  const all = session.modes?.availableModes ?? [];
  const mode = all.find((one) => behaviorOf(one, all) === behavior);
  if (mode !== undefined && session.modeId !== mode.id) await session.setMode(mode.id);
  const { models } = session;
  const isOffered = models?.availableModels.some(({ id }) => id === model) === true;
  if (model !== undefined && isOffered && models.currentModelId !== model) await session.setModel(model);
}
