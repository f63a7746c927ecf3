import type { AgentUsage } from "../api/events.js";

/** The cost of a session: agents report the cost of each answer, and some protocols show only the sum. */
export class SessionCosts {
  #total: AgentUsage["sessionCost"];

  /** The usage with the session's cost, where it is known. Costs of two currencies are not added up. */
  complete(usage: AgentUsage): AgentUsage {
    const { cost, sessionCost = this.#plus(cost) } = usage;
    this.#total = sessionCost ?? this.#total;
    return sessionCost === usage.sessionCost ? usage : { ...usage, sessionCost };
  }

  #plus(cost: AgentUsage["cost"]): AgentUsage["sessionCost"] {
    if (cost === undefined || this.#total === undefined) return cost;
    const { amount, currency } = this.#total;
    return currency === cost.currency ? { amount: amount + cost.amount, currency } : undefined;
  }
}
