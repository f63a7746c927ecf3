import type { SessionConfigOption } from "@editwire/acp";
import type { EcaServerInfo } from "@editwire/eca";
import type { AgentSession, SessionOffer } from "../session.js";

/** The setting that names the model. */
function modelOption(
  options: readonly SessionConfigOption[],
): Extract<SessionConfigOption, { type: "select" }> | undefined {
  return options.find((option) => option.type === "select" && (option.category ?? option.id) === "model") as
    | Extract<SessionConfigOption, { type: "select" }>
    | undefined;
}

/** What a client of ECA is offered. */
export function infoOf({ modes, configOptions = [] }: Pick<SessionOffer, "modes" | "configOptions">): EcaServerInfo {
  const model = modelOption(configOptions);
  const models = model?.options.flatMap((one) => ("options" in one ? (one.options as { value: string }[]) : [one]));
  return {
    models: models?.map(({ value }) => String(value)),
    defaultModel: model?.currentValue,
    behaviors: modes?.availableModes.map(({ id }) => id),
    defaultBehavior: modes?.currentModeId,
  };
}

/** What is selected in a session. */
export function selectionOf({ modeId, configOptions }: AgentSession): { model?: string; behavior?: string } {
  const model = modelOption(configOptions)?.currentValue;
  return { ...(modeId === undefined ? {} : { behavior: modeId }), ...(model === undefined ? {} : { model }) };
}

/** Takes what the user selected in the editor. What the session does not offer is ignored. */
export async function select(
  session: AgentSession,
  { model, behavior }: { readonly model: string | undefined; readonly behavior: string | undefined },
): Promise<void> {
  const offers = session.modes?.availableModes.some(({ id }) => id === behavior) === true;
  if (behavior !== undefined && offers && session.modeId !== behavior) await session.setMode(behavior);
  const option = modelOption(session.configOptions);
  if (model === undefined || option === undefined || option.currentValue === model) return;
  if (infoOf(session).models?.includes(model) === true) await session.setConfigOption(option.id, model);
}
