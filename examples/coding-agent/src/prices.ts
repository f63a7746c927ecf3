import type { AgentUsage } from "@editwire/agent";
import type { TokenUsage } from "./model.js";

/** The prices of a model, in dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** The cost of an answer; `undefined` where the price is not known. */
export function costOf({ input, output }: TokenUsage, prices: Prices | undefined): AgentUsage["cost"] {
  return prices && { amount: (input * prices.input + output * prices.output) / 1_000_000, currency: "USD" };
}
