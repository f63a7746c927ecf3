import type { ChatConfig } from "@editwire/eca-schema";

/** What the user can choose for a prompt. */
export type Choice = "model" | "behavior";

/** What there is to choose from, and what the server uses when nothing is chosen. */
interface Offer {
  readonly title: string;
  readonly offered: readonly string[];
  readonly current: string | undefined;
}

/** Reads an offer from the server's configuration. Servers of 2026 call behaviors agents. */
export const choices: Readonly<Record<Choice, (config: ChatConfig) => Offer>> = {
  model: ({ models = [], selectModel }) => ({ title: "Model", offered: models, current: selectModel }),
  behavior: ({ agents, behaviors = [], selectAgent, selectBehavior }) => ({
    title: "Behavior",
    offered: agents ?? behaviors,
    current: selectAgent ?? selectBehavior,
  }),
};
