import { defineMonitor, type MonitorApi, type SeenMessage } from "../../../core/talk/monitor.js";
import { formsOf } from "../accept.js";
import { AgentState, type Said, saidBy } from "./agent-state.js";

const DAY_S = 24 * 60 * 60;

/** The messages of a turn grow, are in time, and end once. */
export const turnMonitor = defineMonitor(
  {
    id: "helix-zed.agent.turn",
    title: "the messages of a turn grow, arrive before its end, and end once, with its own request",
    req: [
      "HELIX-TURN-002",
      "HELIX-TURN-004",
      "HELIX-TURN-006",
      "HELIX-TURN-007",
      "HELIX-TURN-008",
      "HELIX-TURN-009",
      "HELIX-TURN-015",
      "HELIX-TURN-016",
    ],
    role: "agent",
  },
  (api) => {
    const state = new AgentState();
    const times = new Map<string, number>();
    return {
      message(seen) {
        const said = saidBy(seen, "target");
        if (said?.name === "message_added") {
          judgeTime(api, times, said, seen);
          judgeUpdate(api, state, said, seen);
        }
        if (said?.name === "message_completed" && said.request !== undefined) judgeEnd(api, state, said, seen);
        state.take(seen);
      },
    };
  },
);

/** Judges the time of an update, and that of the updates before it of the same message. */
function judgeTime(
  api: MonitorApi,
  times: Map<string, number>,
  { thread, messageId, fields }: Said,
  { entry }: SeenMessage,
): void {
  if (formsOf("message_added", "params", fields).includes("timestamp")) return;
  const timestamp = Number(fields["timestamp"]);
  // A recorded session was now when it was recorded.
  if (api.transport !== "trace") {
    const now = Math.floor(Date.now() / 1_000);
    api.require("HELIX-TURN-004", Math.abs(timestamp - now) <= DAY_S, entry, {
      expected: `about ${now}`,
      actual: timestamp,
    });
  }
  const key = JSON.stringify([thread, messageId]);
  const before = times.get(key);
  times.set(key, timestamp);
  if (before === undefined) return;
  api.require("HELIX-TURN-015", timestamp >= before, entry, { expected: `${before} or later`, actual: timestamp });
}

function judgeUpdate(
  api: MonitorApi,
  state: AgentState,
  { thread: id, messageId, fields }: Said,
  { entry }: SeenMessage,
): void {
  const { content } = fields;
  const thread = id === undefined ? undefined : state.threads.get(id);
  if (id === undefined || thread === undefined || thread.unsure) return;
  const turn = state.running(id);
  const isSomeones = turn !== undefined || (fields["role"] !== undefined && fields["role"] !== "assistant");
  api.require("HELIX-TURN-007", isSomeones, entry, {
    message: "no turn of this thread runs",
    expected: "no message_added",
    actual: entry.message,
  });
  const before = turn?.messages.get(messageId);
  // The status of a tool call is reported in other words each time.
  if (before === undefined || typeof content !== "string" || fields["entry_type"] === "tool_call") return;
  const isLong = api.require("HELIX-TURN-002", content.length >= before.length, entry, {
    expected: `a text as long as ${JSON.stringify(before)}, or longer`,
    actual: content,
  });
  if (!isLong) return;
  api.require("HELIX-TURN-016", content.startsWith(before), entry, {
    expected: `a text that begins with ${JSON.stringify(before)}`,
    actual: content,
  });
}

function judgeEnd(
  api: MonitorApi,
  state: AgentState,
  { request, messageId, fields }: Said,
  { entry }: SeenMessage,
): void {
  const turn = state.turn(request);
  const expected = state.turns.map(({ requestId }) => requestId);
  if (
    !api.require("HELIX-TURN-008", turn !== undefined, entry, {
      message: "no message had this request_id",
      expected,
      actual: request,
    })
  )
    return;
  if (turn === undefined) return;
  const { sends, ends, thread, last, messages } = turn;
  api.require("HELIX-TURN-006", ends < sends, entry, {
    message: `${ends} message_completed before`,
    expected: "one",
    actual: entry.message,
  });
  const isCertain =
    turn.open && thread !== undefined && state.threads.get(thread)?.unsure === false && state.running(thread) === turn;
  if (!isCertain || last === undefined || typeof fields["message_id"] !== "string") return;
  const isLast = messageId === last || messageId === [...messages.keys()].at(-1);
  api.require("HELIX-TURN-009", isLast, entry, { expected: last, actual: messageId });
}
