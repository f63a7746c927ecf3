import type { AcpAgentTurn } from "@editwire/acp";

/** What a turn of the agent needs of the client: the part of the binding's turn that the loop and the tools use. */
export type TurnClient = Pick<
  AcpAgentTurn,
  "signal" | "text" | "thought" | "plan" | "toolCall" | "requestPermission" | "usage"
>;
