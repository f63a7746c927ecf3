import * as fc from "fast-check";
import { lifeCycle, type LifeStep } from "../../../fuzz/suite.js";
import { modes } from "../as-agent.js";
import type { Policy } from "../client-role.js";

interface ModelSession {
  running: boolean;
  /** A question of the turn stays open until the user cancels. */
  held: boolean;
}

/** What an agent knows about a connection: which sessions there are, which is busy, and how the user answers. */
interface Model {
  readonly sessions: ModelSession[];
  policy: Policy;
}

type Arb = fc.Arbitrary<LifeStep<Model>>;

const number = fc.nat({ max: 3 });
const MAX_SESSIONS = 4;
const text = { type: "text", text: "Well" };

/** Every kind of update, as the spec has them; they may come within a turn and between turns. */
const updates = [
  { sessionUpdate: "agent_message_chunk", content: text },
  { sessionUpdate: "agent_thought_chunk", content: text },
  { sessionUpdate: "user_message_chunk", content: text },
  { sessionUpdate: "tool_call", toolCallId: "call-a", title: "A tool", kind: "read", status: "in_progress" },
  {
    sessionUpdate: "tool_call_update",
    toolCallId: "call-a",
    status: "completed",
    content: [{ type: "content", content: text }],
  },
  { sessionUpdate: "plan", entries: [{ content: "First", priority: "high", status: "pending" }] },
  { sessionUpdate: "current_mode_update", currentModeId: "read-only" },
];

const at = ({ sessions }: Readonly<Model>, index: number): ModelSession =>
  sessions[index] ?? { running: false, held: false };
const runs = (model: Readonly<Model>, index: number): boolean => at(model, index).running;
const over = (model: Model, session: number): void => void (model.sessions[session] = { running: false, held: false });
const isThere = ({ sessions }: Readonly<Model>, index: number): boolean => sessions[index] !== undefined;

const open: Arb = fc.constant({
  step: { do: "new" },
  legal: ({ sessions }) => sessions.length < MAX_SESSIONS,
  apply: ({ sessions }) => void sessions.push({ running: false, held: false }),
});

const prompt: Arb = number.map((session) => ({
  step: { do: "prompt", session },
  legal: (model) => isThere(model, session) && !runs(model, session),
  apply: (model) => void (at(model, session).running = true),
}));

const update: Arb = fc.tuple(number, fc.constantFrom(...updates)).map(([session, one]) => ({
  step: { do: "update", session, update: one },
  legal: (model) => isThere(model, session),
  apply: () => {},
}));

const ask: Arb = number.map((session) => ({
  step: { do: "ask", session },
  legal: (model) => runs(model, session),
  apply: (model) => void (at(model, session).held ||= model.policy === "hold"),
}));

const permission: Arb = fc.constantFrom<Policy>("allow", "reject", "cancel", "hold").map((policy) => ({
  step: { do: "permission", policy },
  // Questions may be under way when the user's mind changes.
  legal: ({ sessions }) => !sessions.some(({ running }) => running),
  apply: (model) => void (model.policy = policy),
}));

const mode: Arb = fc.tuple(number, fc.constantFrom(...modes.availableModes)).map(([session, { id: modeId }]) => ({
  step: { do: "mode", session, modeId },
  legal: (model) => isThere(model, session),
  apply: () => {},
}));

const cancel: Arb = number.map((session) => ({
  step: { do: "cancel", session },
  legal: (model) => runs(model, session),
  apply: (model) => over(model, session),
}));

const end: Arb = fc
  .tuple(number, fc.constantFrom("end_turn", "max_tokens", "max_turn_requests", "refusal"))
  .map(([session, stopReason]) => ({
    step: { do: "end", session, stopReason },
    legal: (model) => runs(model, session) && !at(model, session).held,
    apply: (model) => over(model, session),
  }));

const fail: Arb = number.map((session) => ({
  step: { do: "fail", session },
  legal: (model) => runs(model, session) && !at(model, session).held,
  apply: (model) => over(model, session),
}));

/** Sessions in any legal order of what an agent does in them, and of what a user does meanwhile. */
export const clientLife = lifeCycle<Model>({
  start: () => ({ sessions: [], policy: "reject" }),
  steps: [open, prompt, prompt, update, update, ask, permission, mode, cancel, end, fail],
});
