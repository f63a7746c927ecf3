import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/monitor.js";

/** No part of a turn comes after its end. */
export const turnMonitor = defineMonitor(
  { id: "acp.turn.no-late-updates", title: "no update of a turn comes after the turn's answer", req: ["ACP-TURN-003"], role: "agent" },
  (api) => {
    const ended = new Set<string>();
    const sessionOf = (params: unknown): string => (isObject(params) ? String(params["sessionId"]) : "");
    const turnUpdates = ["agent_message_chunk", "tool_call", "tool_call_update", "plan"];
    return {
      message({ from, is, entry, answers }) {
        if (from === "suite" && is.kind === "request" && is.method === "session/prompt") ended.delete(sessionOf(is.params));
        if (from !== "target") return;
        if (is.kind === "result" && answers?.method === "session/prompt") ended.add(sessionOf(answers.params));
        if (is.kind !== "notification" || is.method !== "session/update" || !isObject(is.params)) return;
        const update = isObject(is.params["update"]) ? is.params["update"]["sessionUpdate"] : undefined;
        if (!turnUpdates.includes(String(update))) return;
        api.require("ACP-TURN-003", !ended.has(sessionOf(is.params)), entry, {
          message: `${String(update)} after the turn ended`,
          expected: "updates of a turn before its answer",
          actual: entry.message,
        });
      },
    };
  },
);
