import type { TokenUsage } from "@editwire/example-coding-agent";

/** What a model costs, in dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** What an answer cost in dollars; `undefined` where the price is not known. */
export function costOf({ input, output }: TokenUsage, prices: Prices | undefined): number | undefined {
  return prices && (input * prices.input + output * prices.output) / 1_000_000;
}
