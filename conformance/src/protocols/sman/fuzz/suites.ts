import * as fc from "fast-check";
import { type FuzzSuite, lifeCycle, type LifeStep } from "../../../fuzz/suite.js";
import { backendMessages, pluginMessages, validCalls } from "./messages.js";
import { backendPlayer, pluginPlayer } from "./players.js";

/** The knowledge of a connection: the number of calls that wait for their results. */
interface Model {
  open: number;
}

const MAX_OPEN = 20;

const calling: fc.Arbitrary<LifeStep<Model>> = validCalls.map((call) => ({
  step: { do: "call", ...call },
  legal: ({ open }) => open < MAX_OPEN,
  apply: (model) => void (model.open += 1),
}));
const ending = (what: string): fc.Arbitrary<LifeStep<Model>> =>
  fc.constant({
    step: { do: what },
    legal: ({ open }) => open > 0,
    apply: (model) => void (model.open -= 1),
  });
const anytime = (what: string): fc.Arbitrary<LifeStep<Model>> =>
  fc.constant({ step: { do: what }, legal: () => true, apply: () => {} });
const start = (): Model => ({ open: 0 });

/** How sman peers are fuzzed, by the role of the target. */
export const smanFuzz: Readonly<Record<string, FuzzSuite>> = {
  plugin: {
    open: pluginPlayer,
    messages: pluginMessages,
    lifeCycle: lifeCycle<Model>({ start, steps: [calling, calling, ending("wait"), anytime("ping")] }),
  },
  backend: {
    open: backendPlayer,
    messages: backendMessages,
    lifeCycle: lifeCycle<Model>({
      start,
      steps: [calling, calling, ending("answer"), anytime("ping"), anytime("late")],
    }),
  },
};
