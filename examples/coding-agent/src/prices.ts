import type { AgentUsage } from "@editwire/agent";
import type { TokenUsage } from "./model.js";

/** What a model costs, in dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** What an answer cost; `undefined` where the price is not known. */
export function costOf({ input, output }: TokenUsage, prices: Prices | undefined): AgentUsage["cost"] {
  return prices && { amount: (input * prices.input + output * prices.output) / 1_000_000, currency: "USD" };
}
