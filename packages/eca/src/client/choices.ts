import type { ChatConfig } from "@editwire/eca-schema";
import { WireError } from "@editwire/core";
import type { ClientLink } from "./link.js";
import type { EcaChoice } from "./session-api.js";

/** The subject of a choice. */
export type ChoiceKind = keyof typeof kinds;

const kinds = {
  model: { offered: "models", selected: "selectModel", method: "chat/selectedModelChanged" },
  agent: { offered: "agents", selected: "selectAgent", method: "chat/selectedAgentChanged" },
} as const;

/** The owner of a choice, which reads and changes it. */
export interface ChoiceOwner {
  /** The id of the session; `undefined` for all. */
  readonly id: string | undefined;
  readonly config: ChatConfig;
  /** Calls `listener` when `config` has changed. Returns a function that ends this. */
  onConfig(listener: () => void): () => void;
  /** Called with what the user selected. */
  select(kind: ChoiceKind, config: ChatConfig): void;
}

/** A choice among the models or the agents. */
export function choiceOf(kind: ChoiceKind, owner: ChoiceOwner, link: ClientLink): EcaChoice {
  const { offered, selected, method } = kinds[kind];
  return {
    get offered() {
      return owner.config[offered] ?? [];
    },
    get selected() {
      return owner.config[selected];
    },
    async select(name) {
      const names = owner.config[offered] ?? [];
      if (names.length > 0 && !names.includes(name))
        throw new WireError("invalid_params", `${method}: expected one of ${names.join(", ")}, received "${name}"`);
      const { id } = owner;
      const sent =
        link.traits.reportsSelection && link.notify(method, { ...(id && { chatId: id }), [kind]: name } as never);
      owner.select(kind, { [selected]: name });
      await sent;
    },
    subscribe: (listener) => owner.onConfig(() => listener()),
  };
}
