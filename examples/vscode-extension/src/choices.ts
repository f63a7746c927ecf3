import type { ChatConfig } from "@editwire/eca-schema";

/** The choices that a prompt depends on. */
export type Choice = "model" | "behavior";

/** The alternatives, and the server's own choice when the user chooses none. */
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
