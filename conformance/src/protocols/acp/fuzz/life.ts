import { isObject } from "@editwire/core";
import * as fc from "fast-check";
import { lifeCycle, type LifeStep } from "../../../fuzz/suite.js";
import type { Permission } from "./agent-player.js";

interface ModelSession {
  running: boolean;
  /** The turn ends by itself. */
  ends: boolean;
}

/** What a client knows about a connection: which sessions there are, and which of them is busy. */
interface Model {
  readonly sessions: ModelSession[];
  readonly canLoad: boolean;
  permission: Permission;
}

type Arb = fc.Arbitrary<LifeStep<Model>>;

const number = fc.nat({ max: 3 });
const MAX_SESSIONS = 4;

/** A step on a session that is there. */
function onSession(arb: Arb): Arb {
  return arb.map((life) => {
    const index = Number(life.step["session"]);
    return { ...life, legal: (model) => model.sessions[index] !== undefined && life.legal(model) };
  });
}

const at = ({ sessions }: Readonly<Model>, index: number): ModelSession =>
  sessions[index] ?? { running: false, ends: true };

const open: Arb = fc.constant({
  step: { do: "new" },
  legal: ({ sessions }) => sessions.length < MAX_SESSIONS,
  apply: ({ sessions }) => void sessions.push({ running: false, ends: true }),
});

const prompt: Arb = fc
  .tuple(number, fc.constantFrom("text", "chunks", "slow", "tool-ok", "tool-fail", "ask-permission", "plan"))
  .map(([session, behavior]) => ({
    step: { do: "prompt", session, behavior },
    legal: (model) => !at(model, session).running,
    apply(model) {
      const { permission } = model;
      model.sessions[session] = { running: true, ends: behavior !== "slow" && permission !== "hold" };
    },
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

const load: Arb = number.map((session) => ({
  step: { do: "load", session },
  legal: (model) => model.canLoad && !at(model, session).running,
  apply: () => {},
}));

const mode: Arb = fc
  .tuple(number, number)
  .map(([session, index]) => ({ step: { do: "mode", session, mode: index }, legal: () => true, apply: () => {} }));

const permission: Arb = fc.constantFrom<Permission>("allow_once", "reject_once", "cancelled", "hold").map((answer) => ({
  step: { do: "permission", answer },
  legal: () => true,
  apply(model) {
    model.permission = answer;
    // A turn that goes on may ask from here on.
    if (answer === "hold") for (const session of model.sessions) session.ends &&= !session.running;
  },
}));

/**
 * Sessions in any legal order of client actions: opening, prompting, permitting, canceling, switching modes, loading.
 */
export const agentLife = lifeCycle<Model>({
  start(handshake) {
    const capabilities = isObject(handshake) ? handshake["capabilities"] : undefined;
    return {
      sessions: [],
      canLoad: isObject(capabilities) && capabilities["loadSession"] === true,
      permission: "cancelled",
    };
  },
  steps: [
    open,
    onSession(prompt),
    onSession(prompt),
    onSession(cancel),
    onSession(finish),
    onSession(load),
    onSession(mode),
    permission,
  ],
});
