import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/monitor.js";
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

/** The life of a tool call: it begins in progress, goes on, and ends. */
export const toolCallMonitor = defineMonitor(
  {
    id: "acp.update.tool-call",
    title: "a tool call begins in progress, goes on, and ends before its turn",
    req: ["ACP-UPDATE-003", "ACP-UPDATE-004", "ACP-UPDATE-005", "ACP-UPDATE-008"],
    role: "agent",
  },
  (api) => {
    /** Status of every tool call, by session, while a turn of it runs; a prompt that comes meanwhile begins none. */
    const turns = new Map<string, { prompt: unknown; calls: Map<string, string> }>();
    return {
      message(seen) {
        const { from, is, answers, entry } = seen;
        if (from === "suite" && is.kind === "request" && is.method === "session/prompt") {
          const sessionId = textOf(is.params, "sessionId");
          if (!turns.has(sessionId)) turns.set(sessionId, { prompt: is.id, calls: new Map() });
        }
        if (
          from === "target" &&
          (is.kind === "result" || is.kind === "error") &&
          answers?.method === "session/prompt"
        ) {
          const sessionId = textOf(answers.params, "sessionId");
          const turn = turns.get(sessionId);
          if (turn === undefined || turn.prompt !== is.id) return;
          const open = [...turn.calls].filter(([, status]) => status !== "completed" && status !== "failed");
          turns.delete(sessionId);
          const message = `the turn ended while ${open.map(([id, status]) => `${id} was ${status}`).join(", ")}`;
          const ended = is.kind === "result" && textOf(is.result, "stopReason") !== "cancelled";
          if (ended)
            api.require("ACP-UPDATE-005", open.length === 0, entry, {
              message,
              expected: "completed or failed tool calls",
              actual: open,
            });
        }
        const found = updateOf(seen);
        // History that a load replays, and what comes late, is no part of a turn.
        const known = found && turns.get(found.sessionId)?.calls;
        if (found === undefined || known === undefined) return;
        const { sessionUpdate, toolCallId, status } = found.update;
        const id = String(toolCallId);
        const wrong = (message: string, expected: string) => ({ message, expected, actual: entry.message });
        if (sessionUpdate === "tool_call") {
          api.require(
            "ACP-UPDATE-004",
            status === "in_progress",
            entry,
            wrong(`a tool_call with the status ${JSON.stringify(status)}`, "in_progress"),
          );
          known.set(id, textOf(found.update, "status"));
        } else if (sessionUpdate === "tool_call_update") {
          api.require(
            "ACP-UPDATE-003",
            known.has(id),
            entry,
            wrong(`a tool_call_update of ${id}, which no tool_call began`, "a tool_call first"),
          );
          const allowed = status === undefined || ["in_progress", "completed", "failed"].includes(String(status));
          api.require(
            "ACP-UPDATE-008",
            allowed,
            entry,
            wrong(`a tool_call_update with the status ${JSON.stringify(status)}`, "in_progress, completed or failed"),
          );
          if (status !== undefined) known.set(id, String(status));
        }
      },
    };
  },
);

/** What a permission request offers. */
export const permissionOptionsMonitor = defineMonitor(
  {
    id: "acp.permission.options",
    title: "a permission request offers allow_once and reject_once",
    req: ["ACP-PERM-001"],
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
    },
  }),
);

/** What a permission request is answered with. */
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
