import { isObject } from "@editwire/core";
import { defineMonitor, type MonitorApi, type SeenMessage } from "../../../core/talk/monitor.js";
import { textOf, updateOf } from "./fields.js";

const emitted = [
  "user_message_chunk",
  "agent_message_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
  "current_mode_update",
];
const named = ["agent_thought_chunk", "available_commands_update"];

/** Which kinds of update there are. */
export const updateKindMonitor = defineMonitor(
  {
    id: "acp.update.kind",
    title: "every update is of a kind that the spec names",
    req: ["ACP-UPDATE-001", "ACP-UPDATE-002"],
    role: "agent",
  },
  (api) => ({
    message(seen) {
      const found = updateOf(seen);
      if (found === undefined) return;
      const kind = textOf(found.update, "sessionUpdate");
      const findings = {
        message: `an update of the kind ${JSON.stringify(kind)}`,
        expected: emitted.join(", "),
        actual: seen.entry.message,
      };
      api.require("ACP-UPDATE-001", emitted.includes(kind) || named.includes(kind), seen.entry, findings);
      api.require("ACP-UPDATE-002", !named.includes(kind), seen.entry, findings);
    },
  }),
);

/** A turn that runs. */
interface RunningTurn {
  /** Id of the request. */
  readonly prompt: unknown;
  /** The last status of each tool call, by its id. */
  readonly calls: Map<string, string>;
  /** The ids of the tool calls that began in this turn, or in an earlier one of the session. */
  readonly begun: Set<string>;
}

/** A tool call begins in progress, may be updated, and ends. */
export const toolCallMonitor = defineMonitor(
  {
    id: "acp.update.tool-call",
    title: "a tool call begins in progress, goes on, and ends before its turn",
    req: [
      "ACP-UPDATE-003",
      "ACP-UPDATE-004",
      "ACP-UPDATE-005",
      "ACP-UPDATE-008",
      "ACP-UPDATE-021",
      "ACP-UPDATE-024",
      "ACP-PERM-010",
    ],
    role: "agent",
  },
  (api) => {
    /** By session. A prompt that comes while a turn runs begins no other. */
    const turns = new Map<string, RunningTurn>();
    /** The ids of the tool calls that began, by session. */
    const used = new Map<string, Set<string>>();
    return {
      message(seen) {
        const { from, is, answers } = seen;
        if (from === "suite" && is.kind === "request" && is.method === "session/prompt") {
          const sessionId = textOf(is.params, "sessionId");
          const begun = used.get(sessionId) ?? new Set<string>();
          used.set(sessionId, begun);
          if (!turns.has(sessionId)) turns.set(sessionId, { prompt: is.id, calls: new Map(), begun });
        }
        const isAnswer = from === "target" && (is.kind === "result" || is.kind === "error");
        if (isAnswer && answers?.method === "session/prompt") {
          const sessionId = textOf(answers.params, "sessionId");
          const turn = turns.get(sessionId);
          if (turn === undefined || turn.prompt !== is.id) return;
          turns.delete(sessionId);
          judgeEnd(api, seen, turn.calls);
        }
        if (
          from === "target" &&
          is.kind === "request" &&
          is.method === "session/request_permission" &&
          isObject(is.params)
        ) {
          const calls = turns.get(textOf(is.params, "sessionId"))?.calls;
          const id = textOf(is.params["toolCall"], "toolCallId");
          if (calls !== undefined && id !== "")
            api.require("ACP-PERM-010", calls.has(id), seen.entry, {
              message: `permission for ${id}, which no tool_call began`,
              expected: "a tool_call first",
              actual: is.params["toolCall"],
            });
        }
        const found = updateOf(seen);
        // An update that a load replays, or that comes late, is not part of a turn.
        const turn = found && turns.get(found.sessionId);
        if (found !== undefined && turn !== undefined) judgeUpdate(api, seen, found.update, turn);
      },
    };
  },
);

/** Every tool call must be over at the end of a turn that was not cancelled. */
function judgeEnd(api: MonitorApi, { is, entry }: SeenMessage, calls: ReadonlyMap<string, string>): void {
  if (is.kind !== "result" || textOf(is.result, "stopReason") === "cancelled") return;
  const open = [...calls].filter(([, status]) => status !== "completed" && status !== "failed");
  api.require("ACP-UPDATE-005", open.length === 0, entry, {
    message: `the turn ended while ${open.map(([id, status]) => `${id} was ${status}`).join(", ")}`,
    expected: "completed or failed tool calls",
    actual: open,
  });
}

/** Judges one update of a turn by the tool calls before it, and records the status. */
function judgeUpdate(
  api: MonitorApi,
  { entry }: SeenMessage,
  { sessionUpdate, toolCallId, status }: Record<string, unknown>,
  { calls, begun }: RunningTurn,
): void {
  const id = String(toolCallId);
  const judge = (req: string, condition: boolean, message: string, expected: string): void =>
    void api.require(req, condition, entry, { message, expected, actual: entry.message });
  if (sessionUpdate === "tool_call") {
    const message = `a tool_call with the status ${JSON.stringify(status)}`;
    judge("ACP-UPDATE-004", status === "in_progress", message, "in_progress");
    // The schema judges an id that is missing or has another type.
    if (typeof toolCallId === "string")
      judge("ACP-UPDATE-021", !begun.has(id), `a second tool_call of ${id}`, "an id of its own");
    begun.add(id);
    calls.set(id, typeof status === "string" ? status : "");
  } else if (sessionUpdate === "tool_call_update") {
    judge(
      "ACP-UPDATE-003",
      calls.has(id),
      `a tool_call_update of ${id}, which no tool_call began`,
      "a tool_call first",
    );
    const allowed = status === undefined || ["in_progress", "completed", "failed"].includes(String(status));
    const message = `a tool_call_update with the status ${JSON.stringify(status)}`;
    judge("ACP-UPDATE-008", allowed, message, "in_progress, completed or failed");
    if (status === undefined) return;
    const last = calls.get(id);
    const isOver = last === "completed" || last === "failed";
    judge("ACP-UPDATE-024", !isOver || last === status, `${id} was ${last}, and is ${String(status)}`, `${last}`);
    calls.set(id, String(status));
  }
}

/** The arguments of a tool call. */
export const rawInputMonitor = defineMonitor(
  {
    id: "acp.update.raw-input",
    title: "the input of a tool call is an object",
    req: ["ACP-UPDATE-020"],
    role: "agent",
  },
  (api) => ({
    message(seen) {
      const { update } = updateOf(seen) ?? {};
      if (update?.["sessionUpdate"] !== "tool_call" || update["rawInput"] === undefined) return;
      api.require("ACP-UPDATE-020", isObject(update["rawInput"]), seen.entry, {
        message: "a rawInput that is not an object",
        expected: "an object, or none",
        actual: seen.entry.message,
      });
    },
  }),
);

/** The options of a permission request. */
export const permissionOptionsMonitor = defineMonitor(
  {
    id: "acp.permission.options",
    title: "a permission request offers allow_once and reject_once, by their names",
    req: ["ACP-PERM-001", "ACP-PERM-011"],
    role: "agent",
  },
  (api) => ({
    message({ from, is, entry }) {
      if (
        from !== "target" ||
        is.kind !== "request" ||
        is.method !== "session/request_permission" ||
        !isObject(is.params)
      )
        return;
      const options: unknown[] = Array.isArray(is.params["options"]) ? is.params["options"] : [];
      const offered = options.map((option) => `${textOf(option, "optionId")} as ${textOf(option, "kind")}`).sort();
      const expected = ["allow_once as allow_once", "reject_once as reject_once"];
      api.require("ACP-PERM-001", offered.join() === expected.join(), entry, {
        message: "other options than the two of the spec",
        expected: expected.join(", "),
        actual: options,
      });
      const names = new Map([
        ["allow_once", "Allow"],
        ["reject_once", "Reject"],
      ]);
      const other = options.filter((option) => {
        const name = names.get(textOf(option, "optionId"));
        // The schema judges a name that is missing or has another type.
        return name !== undefined && !["", name].includes(textOf(option, "name"));
      });
      api.require("ACP-PERM-011", other.length === 0, entry, {
        message: "an option by another name",
        expected: [...names.values()].join(", "),
        actual: other,
      });
    },
  }),
);

/** The answer to a permission request. */
export const permissionOutcomeMonitor = defineMonitor(
  {
    id: "acp.permission.outcome",
    title: "a permission request is answered with one of its options, or with cancelled",
    req: ["ACP-PERM-005"],
    role: "client",
  },
  (api) => ({
    message({ from, is, answers, entry }) {
      if (
        from !== "target" ||
        is.kind !== "result" ||
        answers?.method !== "session/request_permission" ||
        !isObject(is.result)
      )
        return;
      const outcome = is.result["outcome"];
      // The schema judges an outcome that is malformed, or that names no option.
      if (!isObject(outcome) || (outcome["outcome"] === "selected" && typeof outcome["optionId"] !== "string")) return;
      const offered =
        isObject(answers.params) && Array.isArray(answers.params["options"])
          ? (answers.params["options"] as unknown[])
          : [];
      const chosen = textOf(outcome, "optionId");
      const right =
        textOf(outcome, "outcome") === "cancelled" ||
        offered.some((option) => textOf(option, "optionId") === chosen && chosen !== "");
      api.require("ACP-PERM-005", right, entry, {
        message: "an answer that was not offered",
        expected: "the optionId of an option, or cancelled",
        actual: outcome,
      });
    },
  }),
);
