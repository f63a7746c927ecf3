import * as fc from "fast-check";
import { lifeCycle, type LifeStep } from "../../../fuzz/suite.js";

interface ModelSession {
  running: boolean;
  /** The run ends by itself. */
  ends: boolean;
}

/** What a client knows about a connection: which of its sessions is in use. */
interface Model {
  readonly sessions: ModelSession[];
}

type Arb = fc.Arbitrary<LifeStep<Model>>;

const MAX_SESSIONS = 4;
const number = fc.nat({ max: MAX_SESSIONS - 1 });
const at = ({ sessions }: Readonly<Model>, index: number): ModelSession =>
  sessions[index] ?? { running: false, ends: true };
const always = { legal: () => true, apply: () => {} };

const run: Arb = fc
  .tuple(number, fc.constantFrom("text", "chunks", "slow", "tool-ok", "ask", "modify", "error", "fail"))
  .map(([session, behavior]) => ({
    step: { do: "run", session, behavior },
    legal: (model) => !at(model, session).running,
    apply: (model) => void (model.sessions[session] = { running: true, ends: behavior !== "slow" }),
  }));

const second: Arb = number.map((session) => ({
  step: { do: "second", session },
  // A run that ends by itself may be over when the second one comes.
  legal: (model) => at(model, session).running && !at(model, session).ends,
  apply: () => {},
}));

const cancel: Arb = number.map((session) => ({
  step: { do: "cancel", session },
  legal: () => true,
  apply: (model) => void (at(model, session).ends = true),
}));

const finish: Arb = number.map((session) => ({
  step: { do: "finish", session },
  legal: (model) => at(model, session).running && at(model, session).ends,
  apply: (model) => void (at(model, session).running = false),
}));

const remove: Arb = fc.tuple(number, fc.boolean()).map(([session, force]) => ({
  step: { do: "delete", session, force },
  legal: () => true,
  apply: (model) => void (at(model, session).ends ||= force),
}));

const configure: Arb = fc.boolean().map((reset) => ({ step: { do: "configure", reset }, ...always }));
const respond: Arb = fc.constant({ step: { do: "respond" }, ...always });

/** Sessions in any legal order of what a client does: running, cancelling, deleting, configuring. */
export const serverLife = lifeCycle<Model>({
  start: () => ({ sessions: Array.from({ length: MAX_SESSIONS }, () => ({ running: false, ends: true })) }),
  steps: [run, run, run, second, cancel, finish, finish, remove, configure, respond],
});
