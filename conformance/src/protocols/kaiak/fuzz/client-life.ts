import * as fc from "fast-check";
import { lifeSteps, newSessions, oneOf } from "../../../fuzz/life.js";
import { lifeCycle } from "../../../fuzz/suite.js";

interface ModelSession {
  /** The server knows it. */
  known: boolean;
  running: boolean;
}

/** The server's knowledge of a connection: its sessions, and whether the user answers questions. */
interface Model {
  readonly sessions: ModelSession[];
}

const call = { tool_name: "read_file", operation: "read", parameters: { file_path: "a" } };
const proposal = { proposal_id: "p", file_path: "src/A.java", operation: "modify", requires_approval: false };

/** Notifications of a run. */
const notes: readonly (readonly [kind: string, content: Record<string, unknown>])[] = [
  ["progress", { percentage: 50, phase: "analyzing", description: "Analyzing" }],
  ["ai_response", { text: "Well ", partial: true }],
  ["ai_response", { text: "done.", partial: false }],
  ["thinking", { text: "hm" }],
  ["tool_call", { ...call, status: "executing" }],
  ["tool_call", { ...call, status: "completed", result: { success: true, output: "text", error: null } }],
  ["file_modification", { ...proposal, diff: "-a\n+b", risk_level: "low" }],
  ["error", { error_code: "E", message: "m", recoverable: true }],
  ["system", { message: "m", level: "info", component: "c" }],
];

const { step, inSession } = lifeSteps<ModelSession, Model>("session", ({ sessions }) => sessions);
const nobody = { known: false, running: false };
const isRunning = ({ running }: ModelSession): boolean => running;
const over = (session: ModelSession): void => void (session.running = false);

const run = inSession("run", {
  legal: ({ running }) => !running,
  apply: (session) => void Object.assign(session, { known: true, running: true }),
});

const note = inSession("note", {
  args: fc.constantFrom(...notes).map(([kind, content]) => ({ kind, content })),
  legal: isRunning,
});

const question = inSession("question", { legal: isRunning });
const end = inSession("end", {
  args: oneOf("status", "completed", "failed", "cancelled"),
  legal: isRunning,
  apply: over,
});
const fail = inSession("fail", { legal: isRunning, apply: over });
const cancel = inSession("cancel", { legal: isRunning, apply: over });

const remove = inSession("delete", {
  args: fc.boolean().map((force) => ({ force })),
  legal: ({ known, running }) => known && !running,
  apply: (session) => void Object.assign(session, nobody),
});

const answer = step("answer", { args: oneOf("response", "approve", "deny", null) });

/** Sessions in any legal order of what a server does in them, and of what a user does meanwhile. */
export const clientLife = lifeCycle<Model>({
  start: () => ({ sessions: newSessions(nobody) }),
  steps: [run, run, note, note, note, question, end, fail, cancel, remove, answer],
});
