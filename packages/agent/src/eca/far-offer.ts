import type { AvailableCommand, SessionConfigOption, SessionModeState } from "@editwire/acp";
import { startTimer } from "@editwire/core/timers";
import type { EcaClient, EcaSession } from "@editwire/eca";
import { deferred } from "../shared/deferred.js";
import type { AgentSession } from "../api/session.js";

/** Milliseconds that a server has for it. One of 2025 may report no tasks. */
const offerMs = 1_000;

/** The tasks with which a server of 2026 begins, such as to find its models. */
export class StartTasks {
  readonly #running = new Set<unknown>();
  readonly #over = deferred<void>();

  /** Resolves when all that began have finished. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Takes what the server reports. */
  report({ type, taskId }: { readonly type: string; readonly taskId: string }): void {
    if (type === "start") this.#running.add(taskId);
    else this.#running.delete(taskId);
    if (this.#running.size === 0) this.#over.resolve();
  }
}

/** Resolves when a server has said what it offers, or has not by the end of its tasks. */
export function offered(client: EcaClient, { over }: StartTasks): Promise<void> {
  const isKnown = (): boolean => client.models.offered.length > 0 || client.agents.offered.length > 0;
  if (isKnown()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      unsubscribe();
      resolve();
    };
    const stop = startTimer(offerMs, done);
    const unsubscribe = client.subscribe(() => isKnown() && done());
    void Promise.race([client.closed, over]).then(done);
  });
}

/** The agents of a server as modes, and its models as a setting. */
export function offerOf({ agents, models }: Pick<EcaClient, "agents" | "models">): {
  modes: SessionModeState | undefined;
  configOptions: SessionConfigOption[];
} {
  const [firstAgent, firstModel] = [agents.selected ?? agents.offered[0], models.selected ?? models.offered[0]];
  const modes = firstAgent && {
    currentModeId: firstAgent,
    availableModes: agents.offered.map((name) => ({ id: name, name })),
  };
  const options = models.offered.map((name) => ({ value: name, name }));
  const model = { id: "model", name: "Model", category: "model", type: "select" as const, options };
  return { modes: modes || undefined, configOptions: firstModel ? [{ ...model, currentValue: firstModel }] : [] };
}

/** The commands that the user can type. */
export async function commandsOf(remote: EcaSession): Promise<AvailableCommand[]> {
  const commands = await remote.queryCommands("").catch(() => []);
  return commands.map(({ name, description, arguments: inputs }) => ({
    name,
    description,
    ...(inputs.length === 0 ? {} : { input: { hint: inputs.map((input) => input.name).join(" ") } }),
  }));
}

/** Carries what the server offers and selects, as long as its connection is open. */
export function followSelection(client: EcaClient, remote: EcaSession, session: AgentSession): void {
  const take = (): void => {
    const { modes, configOptions } = offerOf(remote);
    if (modes !== undefined && !isSame(modes.availableModes, session.modes?.availableModes))
      void session.send({ type: "modes", modes });
    else if (modes !== undefined && modes.currentModeId !== session.modeId)
      void session.send({ type: "mode", modeId: modes.currentModeId });
    if (!isSame(configOptions, session.configOptions)) void session.send({ type: "config_options", configOptions });
  };
  const unsubscribe = [remote.agents.subscribe(take), remote.models.subscribe(take)];
  void client.closed.then(() => unsubscribe.forEach((end) => end()));
  take(); // a server that was started again may offer something else
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
