import * as fc from "fast-check";
import { lifeSteps, newSessions, oneOf } from "../../../fuzz/life.js";
import { lifeCycle } from "../../../fuzz/suite.js";

interface ModelSession {
  running: boolean;
  /** The run ends by itself. */
  ends: boolean;
}

/** The client's knowledge of a connection: which of its sessions is in use. */
interface Model {
  readonly sessions: ModelSession[];
}

const { step, inSession } = lifeSteps<ModelSession, Model>("session", ({ sessions }) => sessions);
const behaviors = ["text", "chunks", "slow", "tool-ok", "ask", "modify", "error", "fail"];

const run = inSession("run", {
  args: oneOf("behavior", ...behaviors),
  legal: ({ running }) => !running,
  apply: (session, { behavior }) => void Object.assign(session, { running: true, ends: behavior !== "slow" }),
});

// A run that ends by itself may be over when the second one comes.
const second = inSession("second", { legal: ({ running, ends }) => running && !ends });
const cancel = inSession("cancel", { apply: (session) => void (session.ends = true) });

const finish = inSession("finish", {
  legal: ({ running, ends }) => running && ends,
  apply: (session) => void (session.running = false),
});

const remove = inSession("delete", {
  args: fc.boolean().map((force) => ({ force })),
  apply: (session, { force }) => void (session.ends ||= force),
});

const configure = step("configure", { args: fc.boolean().map((reset) => ({ reset })) });
const respond = step("respond");

/** Sessions in any legal order of what a client does: running, cancelling, deleting, configuring. */
export const serverLife = lifeCycle<Model>({
  start: () => ({ sessions: newSessions({ running: false, ends: true }) }),
  steps: [run, run, run, second, cancel, finish, finish, remove, configure, respond],
});
