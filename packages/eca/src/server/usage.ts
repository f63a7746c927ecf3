import type { UsageContent, UsageLimit } from "@editwire/eca-schema";

/** The usage of one answer of a model. */
export interface EcaUsage {
  /** Tokens sent, including all context. */
  inputTokens: number;

  /** Tokens received. */
  outputTokens: number;

  /** In dollars; absent when the price is not known. */
  cost?: number | undefined;

  /** The session's cost with this answer, in dollars. Default: the sum of the costs that this connection knows of. */
  sessionCost?: number | undefined;

  /** Tokens in the model's context now. Default: those of this answer in `v2026`, of the session in `spec`. */
  contextTokens?: number | undefined;

  /** The most tokens that the model takes, and those that it writes, to show how full its context is. */
  limit?: UsageLimit | undefined;
}

/** The usage so far, with one more answer. */
export function addUsage(
  before: EcaUsage,
  { inputTokens, outputTokens, cost, sessionCost, contextTokens, limit }: EcaUsage,
): EcaUsage {
  return {
    contextTokens,
    limit,
    inputTokens: before.inputTokens + inputTokens,
    outputTokens: before.outputTokens + outputTokens,
    cost: cost === undefined ? before.cost : (before.cost ?? 0) + cost,
    sessionCost: sessionCost ?? (cost === undefined ? before.sessionCost : (before.sessionCost ?? 0) + cost),
  };
}

/** The content about an answer: what the turn and the session took so far, and what `sessionTokens` counts. */
export function usageContent(message: EcaUsage, session: EcaUsage, counted: EcaUsage): UsageContent {
  return {
    type: "usage",
    messageInputTokens: message.inputTokens,
    messageOutputTokens: message.outputTokens,
    sessionTokens: message.contextTokens ?? counted.inputTokens + counted.outputTokens,
    ...(message.limit === undefined ? {} : { limit: { ...message.limit } }),
    ...(message.cost === undefined
      ? {}
      : { messageCost: dollars(message.cost), lastMessageCost: dollars(message.cost) }),
    ...(session.sessionCost === undefined ? {} : { sessionCost: dollars(session.sessionCost) }),
  };
}

/** Two digits, or four below one cent. */
function dollars(cost: number): string {
  return cost === 0 || cost >= 0.01 ? cost.toFixed(2) : cost.toFixed(4);
}
