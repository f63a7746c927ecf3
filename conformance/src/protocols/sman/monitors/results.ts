import { isObject } from "@editwire/core";
import { defineMonitor, type MonitorHandlers } from "../../../core/talk/monitor.js";
import { noId, typeProblem } from "../envelope.js";

/** Clocks of two programs that run apart, and what a clock does when it is set. */
const CLOCKS = 2;
const SLACK_MS = 1_000;
const fields = ["toolCallId", "success", "result", "error", "executionTime"];

/** How a plugin answers. */
export const resultMonitor = defineMonitor(
  {
    id: "sman.plugin.results",
    title: "results have their fields in data, the id of a call, and the reason of a failure",
    req: [
      "SMAN-FRAME-003",
      "SMAN-FRAME-004",
      "SMAN-RESULT-001",
      "SMAN-RESULT-002",
      "SMAN-RESULT-003",
      "SMAN-RESULT-004",
      "SMAN-RESULT-005",
      "SMAN-RESULT-009",
      "SMAN-RESULT-010",
    ],
    role: "plugin",
  },
  (api) => {
    /** Ids that answers to calls without a proper id may have. */
    const loose = new Set<unknown>();
    /** The calls without a proper id that have no failure yet, which may have an id that the plugin made up. */
    let unnamed = 0;
    /** The calls that have no result yet, by their ids; the suite may send a call twice. */
    const open = new Map<unknown, number>();
    const message: MonitorHandlers["message"] = ({ from, is, entry, answers }) => {
      if (!isObject(entry.message)) return;
      const { type, data } = entry.message;
      if (from === "suite" && is.kind === "invalid") {
        const { toolCallId } = entry.message;
        for (const id of [noId, toolCallId, String(toolCallId)]) loose.add(id);
        unnamed++;
      }
      if (from === "suite" && is.kind === "request") open.set(is.id, (open.get(is.id) ?? 0) + 1);
      if (from === "suite") return;
      const judge = (req: string, isRight: boolean, message: string, expected: string): void =>
        void api.require(req, isRight, entry, { message, expected, actual: entry.message });
      const problem = typeProblem(entry.message);
      judge("SMAN-FRAME-004", type !== "TOOL_CALL", "a TOOL_CALL of a plugin", "a TOOL_RESULT");
      judge("SMAN-FRAME-003", problem === undefined, problem ?? "", "type: TOOL_RESULT");
      if (type === "TOOL_RESULT") {
        const atRoot = fields.filter((name) => name in (entry.message as object));
        const isRight = atRoot.length === 0 && isObject(data);
        judge("SMAN-RESULT-001", isRight, `${atRoot.join(", ") || "nothing"} is at the root`, "every field in data");
      }
      if (type === "TOOL_RESULT" && isObject(data)) {
        const { toolCallId, success, error, executionTime: ms } = data;
        const isRefusal = answers === undefined && success === false && unnamed > 0;
        if (isRefusal) unnamed--;
        const isKnown = answers !== undefined || loose.has(toolCallId) || isRefusal;
        judge("SMAN-RESULT-002", isKnown, "an id that no call has", "the toolCallId of a call");
        // Several calls without an id have the same answer.
        const left = open.get(toolCallId) ?? 0;
        open.set(toolCallId, left - 1);
        const isOnce = loose.has(toolCallId) || answers === undefined || left > 0;
        judge("SMAN-RESULT-003", isOnce, "a second result of one call", "one result");
        if (success === false) {
          const isTold = typeof error === "string" && error !== "";
          judge("SMAN-RESULT-004", isTold, "a failure without a reason", "error: a text");
        }
        // An empty error, written by programs that leave nothing out, means no error.
        const isBoth = success === true && typeof error === "string" && error !== "";
        judge("SMAN-RESULT-010", !isBoth, "a success with an error", "no error");
        if (typeof ms === "number") judge("SMAN-RESULT-005", ms >= 0, "a time below zero", "milliseconds");
        const passed = answers === undefined ? 0 : entry.at - answers.entry.at;
        // A trace that was recorded elsewhere may have no times.
        if (typeof ms === "number" && passed > 0) {
          const isRight = ms <= passed * CLOCKS + SLACK_MS;
          judge("SMAN-RESULT-009", isRight, "more than has passed since the call", `${Math.ceil(passed)} ms or less`);
        }
      }
      if (is.kind === "invalid") api.fatal(entry, is.problem);
    };
    return { message };
  },
);
