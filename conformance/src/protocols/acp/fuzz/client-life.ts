import { lifeSteps, MAX_SESSIONS, oneOf } from "../../../fuzz/life.js";
import { lifeCycle } from "../../../fuzz/suite.js";
import { modes } from "../as-agent.js";
import type { Policy } from "../client-role.js";

interface ModelSession {
  running: boolean;
  /** A question of the turn stays open until the user cancels. */
  held: boolean;
}

/** The agent's knowledge of a connection: its sessions, the busy one, and how the user answers. */
interface Model {
  readonly sessions: ModelSession[];
  policy: Policy;
}

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
const policies: readonly Policy[] = ["allow", "reject", "cancel", "hold"];
const stopReasons = ["end_turn", "max_tokens", "max_turn_requests", "refusal"];

const { step, inSession } = lifeSteps<ModelSession, Model>("session", ({ sessions }) => sessions);
const idle = { running: false, held: false };
const over = (session: ModelSession): void => void Object.assign(session, idle);
const isRunning = ({ running }: ModelSession): boolean => running;
const mayEnd = ({ running, held }: ModelSession): boolean => running && !held;

const open = step("new", {
  legal: ({ sessions }) => sessions.length < MAX_SESSIONS,
  apply: ({ sessions }) => void sessions.push({ ...idle }),
});

const prompt = inSession("prompt", {
  legal: ({ running }) => !running,
  apply: (session) => void (session.running = true),
});

const update = inSession("update", { args: oneOf("update", ...updates) });

const ask = inSession("ask", {
  legal: isRunning,
  apply: (session, _args, { policy }) => void (session.held ||= policy === "hold"),
});

const permission = step("permission", {
  args: oneOf("policy", ...policies),
  // Questions may be under way when the user's mind changes.
  legal: ({ sessions }) => !sessions.some(isRunning),
  apply: (model, { policy }) => void (model.policy = policy),
});

const mode = inSession("mode", { args: oneOf("modeId", ...modes.availableModes.map(({ id }) => id)) });
const cancel = inSession("cancel", { legal: isRunning, apply: over });
const end = inSession("end", { args: oneOf("stopReason", ...stopReasons), legal: mayEnd, apply: over });
const fail = inSession("fail", { legal: mayEnd, apply: over });

/** Sessions in any legal order of what an agent does in them, and of what a user does meanwhile. */
export const clientLife = lifeCycle<Model>({
  start: () => ({ sessions: [], policy: "reject" }),
  steps: [open, prompt, prompt, update, update, ask, permission, mode, cancel, end, fail],
});
