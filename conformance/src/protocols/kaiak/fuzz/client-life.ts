import * as fc from "fast-check";
import { lifeCycle, type LifeStep } from "../../../fuzz/suite.js";

interface ModelSession {
  /** The server knows it. */
  known: boolean;
  running: boolean;
}

/** What a server knows about a connection: its sessions, and whether the user answers questions. */
interface Model {
  readonly sessions: ModelSession[];
}

type Arb = fc.Arbitrary<LifeStep<Model>>;

const MAX_SESSIONS = 4;
const number = fc.nat({ max: MAX_SESSIONS - 1 });
const nobody = { known: false, running: false };
const at = ({ sessions }: Readonly<Model>, index: number): ModelSession => sessions[index] ?? { ...nobody };
const call = { tool_name: "read_file", operation: "read", parameters: { file_path: "a" } };
const proposal = { proposal_id: "p", file_path: "src/A.java", operation: "modify", requires_approval: false };

/** What a server sends in a run. */
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

const run: Arb = number.map((session) => ({
  step: { do: "run", session },
  legal: (model) => !at(model, session).running,
  apply: (model) => void (model.sessions[session] = { known: true, running: true }),
}));

const inRun = (arb: fc.Arbitrary<Record<string, unknown> & { do: string; session: number }>): Arb =>
  arb.map((step) => ({ step, legal: (model) => at(model, step.session).running, apply: () => {} }));

const note = inRun(
  fc
    .tuple(number, fc.constantFrom(...notes))
    .map(([session, [kind, content]]) => ({ do: "note", session, kind, content })),
);
const question = inRun(number.map((session) => ({ do: "question", session })));

const ending = (arb: fc.Arbitrary<Record<string, unknown> & { do: string; session: number }>): Arb =>
  arb.map((step) => ({
    step,
    legal: (model) => at(model, step.session).running,
    apply: (model) => void (at(model, step.session).running = false),
  }));

const end = ending(
  fc
    .tuple(number, fc.constantFrom("completed", "failed", "cancelled"))
    .map(([session, status]) => ({ do: "end", session, status })),
);
const fail = ending(number.map((session) => ({ do: "fail", session })));
const cancel = ending(number.map((session) => ({ do: "cancel", session })));

const remove: Arb = fc.tuple(number, fc.boolean()).map(([session, force]) => ({
  step: { do: "delete", session, force },
  legal: (model) => at(model, session).known && !at(model, session).running,
  apply: (model) => void (model.sessions[session] = { ...nobody }),
}));

const answer: Arb = fc
  .constantFrom("approve", "deny", null)
  .map((response) => ({ step: { do: "answer", response }, legal: () => true, apply: () => {} }));

/** Sessions in any legal order of what a server does in them, and of what a user does meanwhile. */
export const clientLife = lifeCycle<Model>({
  start: () => ({ sessions: Array.from({ length: MAX_SESSIONS }, () => ({ ...nobody })) }),
  steps: [run, run, note, note, note, question, end, fail, cancel, remove, answer],
});
