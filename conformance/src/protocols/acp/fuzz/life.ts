import { isObject } from "@editwire/core";
import { lifeSteps, MAX_SESSIONS, oneOf } from "../../../fuzz/life.js";
import { lifeCycle } from "../../../fuzz/suite.js";
import type { Permission } from "./agent-player.js";

interface ModelSession {
  running: boolean;
  /** The turn ends by itself. */
  ends: boolean;
}

/** The client's knowledge of a connection: its sessions, and which of them is busy. */
interface Model {
  readonly sessions: ModelSession[];
  readonly canLoad: boolean;
  permission: Permission;
}

const { step, inSession } = lifeSteps<ModelSession, Model>("session", ({ sessions }) => sessions);
const behaviors = ["text", "chunks", "slow", "tool-ok", "tool-fail", "ask-permission", "plan"];
const answers: readonly Permission[] = ["allow_once", "reject_once", "cancelled", "hold"];

const open = step("new", {
  legal: ({ sessions }) => sessions.length < MAX_SESSIONS,
  apply: ({ sessions }) => void sessions.push({ running: false, ends: true }),
});

const prompt = inSession("prompt", {
  args: oneOf("behavior", ...behaviors),
  legal: ({ running }) => !running,
  apply: (session, { behavior }, { permission: answer }) =>
    void Object.assign(session, { running: true, ends: behavior !== "slow" && answer !== "hold" }),
});

const cancel = inSession("cancel", { apply: (session) => void (session.ends = true) });

const finish = inSession("finish", {
  legal: ({ running, ends }) => running && ends,
  apply: (session) => void (session.running = false),
});

const load = inSession("load", { legal: ({ running }, { canLoad }) => canLoad && !running });
const mode = inSession("mode", { args: oneOf("mode", 0, 1, 2, 3) });

const permission = step("permission", {
  args: oneOf("answer", ...answers),
  apply(model, { answer }) {
    model.permission = answer;
    // A turn that goes on may ask from here on.
    if (answer === "hold") for (const session of model.sessions) session.ends &&= !session.running;
  },
});

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
  steps: [open, prompt, prompt, cancel, finish, load, mode, permission],
});
